import { inArray } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { uuidForm } from '../../../db/schema/columns.ts'
import { flagsScope } from '../../../db/schema/epochs.ts'
import { flags, segments } from '../../../db/schema/flags.ts'
import type { FlagRow } from '../../../db/schema/flags.ts'
import { users } from '../../../db/schema/users.ts'
import { authorized } from '../access/authorize.ts'
import { record, recordAll } from '../activity/record.ts'
import type { Actor, AuthorizedActor } from '../actor.ts'
import { checkAll, invalidFields } from '../errors.ts'
import { bump } from '../freshness/epochs.ts'
import type { Settings } from '../settings/schema.ts'
import { requireKnownSettings } from './caller-settings.ts'
import { segmentsIn } from './conditions.ts'
import { withDefaults } from './flags.ts'
import type { NewFlag } from './flags.ts'
import { existingRoles, lockRoles, lockSegments } from './references.ts'
import { changedFields } from './revisions.ts'
import { checkEach, prepareSegments, removeSegments, writeSegments } from './segment-transfer.ts'
import type { NewSegment, Step } from './segment-transfer.ts'
import { requireFewSegments } from './segments.ts'
import { cleanFlag, definitionOf, insertFlags, removeFlag, rewriteFlags } from './writing.ts'

interface Import {
  /** In a file: pointers of refusals are `/segments/0/…`. */
  segments: NewSegment[]
  flags: NewFlag[]
  /** What conditions may name; undefined without a schema. */
  settings: Settings | undefined
  /** Flags that exist stay enabled or disabled as they are. */
  keepState?: boolean | undefined
  /** Keys of what to delete. */
  remove: Keys
}

interface Keys {
  segments: string[]
  flags: string[]
}

const { key, type, description, state, rules, variants, defaultVariant, offVariant, ...more } =
  flags

/** All flags in the order of their keys, without what belongs to this portal only. */
export const exportFlags = (db: Db) =>
  db
    .select({
      ...{ key, type, description, state, public: more.public, permanent: more.permanent },
      ...{ variants, defaultVariant, offVariant, rules }
    })
    .from(flags)
    .orderBy(key)

const keysIn = (all: readonly { key: string }[]) => all.map(({ key }) => key)

/** The keys of what exists and is not in the file. */
export async function findOthers(db: Db, file: Pick<Import, 'segments' | 'flags'>): Promise<Keys> {
  const others = async (table: typeof flags | typeof segments, wanted: { key: string }[]) => {
    const named = new Set(keysIn(wanted))
    const all = await db.select({ key: table.key }).from(table).orderBy(table.key)
    return keysIn(all).filter((key) => !named.has(key))
  }
  return {
    segments: await others(segments, file.segments),
    flags: await others(flags, file.flags)
  }
}

/** What an import would do now. Throws a refusal that lists every error. */
export async function planImport(db: Db, input: Import): Promise<Step[]> {
  const rows = await db.select().from(segments)
  const existing = byKey(rows)
  const made = await prepareSegments(db, input.segments, existing, input.settings)
  const known = new Set([...existing.keys(), ...keysIn(input.segments)])
  const found = await db
    .select()
    .from(flags)
    .where(inArray(key, namedFlags(input)))
  const prepared = await prepare(db, input, byKey(found), known)
  return [...made, ...prepared, ...removals(input.remove)].map(({ step }) => step)
}

/** Creates, changes and deletes flags and segments: all of them, or none when one is refused. */
export async function importFlags(db: Db, actor: Actor, input: Import): Promise<Step[]> {
  const lock = async (tx: Db) => ({
    flags: await tx
      .select()
      .from(flags)
      .where(inArray(key, namedFlags(input)))
      .orderBy(key)
      .for('update'),
    segments: await tx
      .select()
      .from(segments)
      .where(inArray(segments.key, [...keysIn(input.segments), ...input.remove.segments]))
      .orderBy(segments.key)
      .for('update')
  })
  const permissions = ['flags:create' as const, 'flags:update' as const, 'flags:delete' as const]
  return authorized(db, actor, permissions, lock, async (tx, by, locked) => {
    const existing = { flags: byKey(locked.flags), segments: byKey(locked.segments) }
    const made = await prepareSegments(tx, input.segments, existing.segments, input.settings)
    await writeSegments(tx, by, made)
    const known = await lockSegments(tx, segmentsIn(input.flags.flatMap(({ rules = [] }) => rules)))
    const conditions = input.flags.flatMap(({ rules = [] }) => rules.map(({ when }) => when))
    await lockRoles(
      tx,
      conditions.flatMap(({ rolesAny = [] }) => rolesAny)
    )
    const prepared = await prepare(tx, input, existing.flags, known)
    await createAll(tx, by, prepared)
    await rewriteAll(tx, by, prepared)
    const gone = <T>(keys: string[], rows: Map<string, T>) =>
      keys.flatMap((key) => rows.get(key) ?? [])
    for (const before of gone(input.remove.flags, existing.flags)) {
      const { key } = before
      const version = await removeFlag(tx, by, before)
      await record(tx, by, 'flag.delete', { target: targetOf(key), details: { key, version } })
    }
    await removeSegments(tx, by, gone(input.remove.segments, existing.segments))
    const steps = [...made, ...prepared, ...removals(input.remove)].map(({ step }) => step)
    if (steps.some(({ change }) => change !== 'same')) await bump(tx, flagsScope)
    await requireFewSegments(tx)
    return steps
  })
}

async function createAll(tx: Db, by: AuthorizedActor, prepared: Prepared[]) {
  const created = prepared.flatMap(({ before, after }) => (before ? [] : [after]))
  for (let start = 0; start < created.length; start += batchSize) {
    const made = await insertFlags(tx, by, created.slice(start, start + batchSize), 'import')
    const entries = made.map(({ key, version }) => ({
      target: targetOf(key),
      details: { key, version }
    }))
    await recordAll(tx, by, 'flag.create', entries)
  }
}

async function rewriteAll(tx: Db, by: AuthorizedActor, prepared: Prepared[]) {
  const changed = prepared.flatMap(({ step, before, after }) =>
    step.change === 'update' && before ? [{ ...step, before, after }] : []
  )
  for (let start = 0; start < changed.length; start += batchSize) {
    const batch = changed.slice(start, start + batchSize)
    const versions = await rewriteFlags(tx, by, batch, 'import')
    const entries = batch.map(({ key, fields }) => ({
      target: targetOf(key),
      details: { key, fields, version: versions.get(key) }
    }))
    await recordAll(tx, by, 'flag.update', entries)
  }
}

const targetOf = (key: string) => ({ type: 'flag' as const, id: key })
const namedFlags = (input: Import) => [...keysIn(input.flags), ...input.remove.flags]
const byKey = <T extends { key: string }>(rows: T[]) => new Map(rows.map((row) => [row.key, row]))

const removals = (keys: Keys): { step: Step }[] =>
  (['flag', 'segment'] as const).flatMap((kind) =>
    keys[`${kind}s`].map((key) => ({ step: { kind, key, change: 'delete', fields: [] } }))
  )

interface Prepared {
  step: Step
  before: FlagRow | undefined
  after: ReturnType<typeof withDefaults>
}

/** Compares each flag with the one of this portal. */
async function prepare(
  tx: Db,
  { flags, settings, keepState, remove }: Import,
  existing: ReadonlyMap<string, FlagRow>,
  known: ReadonlySet<string>
): Promise<Prepared[]> {
  const kept = {
    segments: new Set([...known].filter((key) => !remove.segments.includes(key))),
    roles: await existingRoles(tx)
  }
  return checkEach('flags', flags, async (given) => {
    const flag = withDefaults(given)
    const before = existing.get(flag.key)
    if (before && before.type !== flag.type) {
      const message = `The flag here is of type ${before.type}, which cannot change`
      throw invalidFields({ pointer: '/type', code: 'wrong-type', message })
    }
    if (keepState && before) flag.state = before.state
    const [after] = await checkAll(
      () => cleanFlag(tx, flag, before, kept),
      () => requireKnownSettings(settings, flag.rules)
    )
    const fields = before ? changedFields(definitionOf(before), definitionOf(after)) : []
    const change = !before ? 'create' : fields.length > 0 ? 'update' : 'same'
    return { step: { kind: 'flag', key: flag.key, change, fields }, before, after }
  })
}

/** How many ids in conditions belong to no user here. Other targeting keys are not ids. */
export async function countUnknownUsers(db: Db, file: Pick<Import, 'flags' | 'segments'>) {
  const conditions = [...file.segments, ...file.flags.flatMap(({ rules = [] }) => rules)]
  const named = conditions.flatMap(({ when }) => when.users ?? [])
  const ids = [...new Set(named.filter((id) => uuidForm.test(id)))]
  let unknown = 0
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize)
    unknown += batch.length - (await db.$count(users, inArray(users.id, batch)))
  }
  return unknown
}

const batchSize = 1000
