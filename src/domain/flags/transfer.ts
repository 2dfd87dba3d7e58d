import { inArray } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { uuidForm } from '../../../db/schema/columns.ts'
import { flagsScope } from '../../../db/schema/epochs.ts'
import { flags, segments } from '../../../db/schema/flags.ts'
import type { FlagRow, SegmentRow } from '../../../db/schema/flags.ts'
import { users } from '../../../db/schema/users.ts'
import { authorized } from '../access/authorize.ts'
import type { Actor, AuthorizedActor } from '../actor.ts'
import { checkAll, invalidFields } from '../errors.ts'
import { bump } from '../freshness/epochs.ts'
import type { Settings } from '../settings/settings.ts'
import { requireKnownSettings, requireSettings } from './caller-settings.ts'
import { segmentsIn } from './conditions.ts'
import { flagKind, withDefaults } from './flags.ts'
import type { NewFlag } from './flags.ts'
import { existingRoles, lockRoles, lockSegments } from './references.ts'
import { compareEach } from './segment-transfer.ts'
import type { Compared, Step } from './segment-transfer.ts'
import { segmentKind } from './segments.ts'
import type { NewSegment } from './segments.ts'
import { insertAll, lockRows, removeAll, rewriteAll } from './writing.ts'
import type { Kind, Row } from './writing.ts'

interface Import {
  segments: NewSegment[]
  flags: NewFlag[]
  /** The settings that conditions may name; undefined without a schema. */
  settings: Settings | undefined
  /** Flags that exist stay enabled or disabled as they are. */
  keepState?: boolean | undefined
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

/** The changes that an import would make now. Throws a refusal that lists every error. */
export async function planImport(db: Db, input: Import): Promise<Step[]> {
  const existing = byKey(await db.select().from(segments))
  const named = inArray(key, namedFlags(input))
  const found = byKey(await db.select().from(flags).where(named))
  const known = new Set([...existing.keys(), ...keysIn(input.segments)])
  return stepsOf(
    input,
    await compareSegments(db, input, existing),
    await compareFlags(db, input, found, known)
  )
}

/** Creates, changes and deletes flags and segments: all of them, or none when one is refused. */
export async function importFlags(db: Db, actor: Actor, input: Import): Promise<Step[]> {
  const named = [...keysIn(input.segments), ...input.remove.segments]
  const lock = async (tx: Db) => ({
    flags: byKey(await lockRows(flagKind, namedFlags(input), 'update')(tx)),
    segments: byKey(await lockRows(segmentKind, named, 'update')(tx))
  })
  const permissions = ['flags:create' as const, 'flags:update' as const, 'flags:delete' as const]
  return authorized(db, actor, permissions, lock, async (tx, by, existing) => {
    const ofSegments = await compareSegments(tx, input, existing.segments)
    await writeAll(segmentKind, tx, by, ofSegments)
    const rules = input.flags.flatMap(({ rules = [] }) => rules)
    const known = await lockSegments(tx, segmentsIn(rules))
    await lockRoles(
      tx,
      rules.flatMap(({ when: { rolesAny = [] } }) => rolesAny)
    )
    const ofFlags = await compareFlags(tx, input, existing.flags, known)
    await writeAll(flagKind, tx, by, ofFlags)
    await removeNamed(flagKind, tx, by, input.remove.flags, existing.flags)
    await removeNamed(segmentKind, tx, by, input.remove.segments, existing.segments)
    const steps = stepsOf(input, ofSegments, ofFlags)
    if (steps.some(({ change }) => change !== 'same')) await bump(tx, flagsScope)
    await segmentKind.requireFew?.(tx)
    return steps
  })
}

const namedFlags = (input: Import) => [...keysIn(input.flags), ...input.remove.flags]
const byKey = <T extends { key: string }>(rows: T[]) => new Map(rows.map((row) => [row.key, row]))

const stepsOf = ({ remove }: Import, ...compared: { step: Step }[][]): Step[] => [
  ...compared.flat().map(({ step }) => step),
  ...(['flag', 'segment'] as const).flatMap((kind) =>
    remove[`${kind}s`].map((key) => ({ kind, key, change: 'delete' as const, fields: [] }))
  )
]

function* batchesOf<T>(all: readonly T[]) {
  for (let start = 0; start < all.length; start += batchSize) {
    yield all.slice(start, start + batchSize)
  }
}

async function writeAll<D extends object>(
  kind: Kind<D>,
  tx: Db,
  by: AuthorizedActor,
  compared: Compared<D>[]
) {
  for (const batch of batchesOf(compared)) {
    const made = batch.flatMap(({ before, after }) => (before ? [] : [after]))
    await insertAll(kind, tx, by, made, 'import')
    const kept = batch.flatMap(({ before, after }) => (before ? [{ before, after }] : []))
    await rewriteAll(kind, tx, by, kept, 'import')
  }
}

async function removeNamed<D extends object>(
  kind: Kind<D>,
  tx: Db,
  by: AuthorizedActor,
  keys: string[],
  rows: ReadonlyMap<string, Row<D>>
) {
  for (const batch of batchesOf(keys)) {
    await removeAll(
      kind,
      tx,
      by,
      batch.flatMap((key) => rows.get(key) ?? [])
    )
  }
}

const compareSegments = async (
  tx: Db,
  { segments, settings }: Import,
  existing: ReadonlyMap<string, SegmentRow>
) =>
  compareEach(segmentKind, segments, existing, async ({ description = '', ...given }, before) => {
    const [segment] = await checkAll(
      () => segmentKind.clean(tx, { ...given, description }, before),
      () => requireSettings(settings, [['/when', given.when]])
    )
    return segment
  })

async function compareFlags(
  tx: Db,
  { flags, settings, keepState, remove }: Import,
  existing: ReadonlyMap<string, FlagRow>,
  known: ReadonlySet<string>
) {
  const kept = {
    segments: new Set([...known].filter((key) => !remove.segments.includes(key))),
    roles: await existingRoles(tx)
  }
  return compareEach(flagKind, flags, existing, async (given, before) => {
    const wanted = withDefaults(given)
    if (before && before.type !== wanted.type) {
      const message = `The flag here is of type ${before.type}, which cannot change`
      throw invalidFields({ pointer: '/type', code: 'wrong-type', message })
    }
    if (keepState && before) wanted.state = before.state
    const [flag] = await checkAll(
      () => flagKind.clean(tx, wanted, before, kept),
      () => requireKnownSettings(settings, wanted.rules)
    )
    return flag
  })
}

/** The number of user ids in conditions that do not exist here. Other targeting keys are no ids. */
export async function countUnknownUsers(db: Db, file: Pick<Import, 'flags' | 'segments'>) {
  const conditions = [...file.segments, ...file.flags.flatMap(({ rules = [] }) => rules)]
  const named = conditions.flatMap(({ when }) => when.users ?? [])
  const ids = [...new Set(named.filter((id) => uuidForm.test(id)))]
  let unknown = 0
  for (const batch of batchesOf(ids)) {
    unknown += batch.length - (await db.$count(users, inArray(users.id, batch)))
  }
  return unknown
}

const batchSize = 1000
