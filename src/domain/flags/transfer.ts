import { inArray } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { uuidForm } from '../../../db/schema/columns.ts'
import { flagsScope } from '../../../db/schema/epochs.ts'
import { flags } from '../../../db/schema/flags.ts'
import type { FlagRow } from '../../../db/schema/flags.ts'
import { users } from '../../../db/schema/users.ts'
import { changeAs } from '../access/rights.ts'
import { record, recordAll } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { checkAll, DomainError, invalidFields } from '../domain-error.ts'
import type { FieldError } from '../domain-error.ts'
import { bump } from '../freshness/epochs.ts'
import type { Settings } from '../settings/schema.ts'
import { requireKnownSettings } from './caller-settings.ts'
import { withDefaults } from './flags.ts'
import type { NewFlag } from './flags.ts'
import { changedFields } from './revisions.ts'
import { cleanFlag, definitionOf, insertFlags, removeFlag, rewriteFlag } from './writing.ts'

/** What an import does with a flag. */
interface Step {
  key: string
  change: 'create' | 'update' | 'same' | 'delete'
  fields: string[]
}

interface Import {
  /** In a file: pointers of refusals are `/flags/0/…`. */
  flags: NewFlag[]
  /** What rules may name; undefined without a schema. */
  settings: Settings | undefined
  /** Flags that exist stay enabled or disabled as they are. */
  keepState?: boolean | undefined
  /** Keys of flags to delete. */
  remove?: string[]
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

/** The keys of flags that an import does not name. */
export async function findOthers(db: Db, { flags: wanted }: Pick<Import, 'flags'>) {
  const named = new Set(wanted.map(({ key }) => key))
  const all = await db.select({ key }).from(flags).orderBy(key)
  return all.map(({ key }) => key).filter((key) => !named.has(key))
}

/** What an import would do now. Throws a refusal that lists every error. */
export async function planImport(db: Db, input: Import) {
  const existing = await db
    .select()
    .from(flags)
    .where(inArray(key, keysOf(input)))
  return (await prepare(db, input, existing)).map(({ step }) => step)
}

/** Creates, changes and deletes flags: all of them, or none when one is refused. */
export async function importFlags(db: Db, actor: Actor, input: Import): Promise<Step[]> {
  const lock = (tx: Db) =>
    tx
      .select()
      .from(flags)
      .where(inArray(key, keysOf(input)))
      .orderBy(key)
      .for('update')
  const permissions = ['flags:create' as const, 'flags:update' as const, 'flags:delete' as const]
  return changeAs(db, actor, permissions, lock, async (tx, by, existing) => {
    const prepared = await prepare(tx, input, existing)
    const created = prepared.flatMap(({ before, after }) => (after && !before ? [after] : []))
    for (let start = 0; start < created.length; start += batchSize) {
      const made = await insertFlags(tx, by, created.slice(start, start + batchSize), 'import')
      const entries = made.map(({ key, version }) => ({
        target: targetOf(key),
        details: { key, version }
      }))
      await recordAll(tx, by, 'flag.create', entries)
    }
    for (const { step, before, after } of prepared) {
      const { key, change, fields } = step
      const target = targetOf(key)
      if (change === 'update' && before && after) {
        const { version } = (await rewriteFlag(tx, by, before, after, 'import')).flag
        await record(tx, by, 'flag.update', { target, details: { key, fields, version } })
      } else if (change === 'delete' && before) {
        const version = await removeFlag(tx, by, before)
        await record(tx, by, 'flag.delete', { target, details: { key, version } })
      }
    }
    if (prepared.some(({ step }) => step.change !== 'same')) await bump(tx, flagsScope)
    return prepared.map(({ step }) => step)
  })
}

const targetOf = (key: string) => ({ type: 'flag' as const, id: key })
const keysOf = ({ flags, remove = [] }: Import) => [...flags.map(({ key }) => key), ...remove]

/** Compares each flag with the one of this portal. */
async function prepare(tx: Db, input: Import, rows: FlagRow[]) {
  const { flags: wanted, settings, keepState, remove = [] } = input
  const existing = new Map(rows.map((row) => [row.key, row]))
  const errors: FieldError[] = []
  const prepared: { step: Step; before?: FlagRow | undefined; after?: Cleaned }[] = []
  const seen = new Set<string>()
  for (const [n, given] of wanted.entries()) {
    const flag = withDefaults(given)
    const before = existing.get(flag.key)
    if (keepState && before) flag.state = before.state
    try {
      assertPossible(flag, before, seen)
      const [after] = await checkAll(
        () => cleanFlag(tx, flag, before),
        () => requireKnownSettings(settings, flag.rules)
      )
      const fields = before ? changedFields(definitionOf(before), definitionOf(after)) : []
      const change = !before ? 'create' : fields.length > 0 ? 'update' : 'same'
      prepared.push({ step: { key: flag.key, change, fields }, before, after })
    } catch (error) {
      if (!(error instanceof DomainError) || !error.errors) throw error
      errors.push(
        ...error.errors.map((each) => ({ ...each, pointer: `/flags/${n}${each.pointer}` }))
      )
    }
    seen.add(flag.key)
  }
  if (errors.length > 0) throw invalidFields(...errors)
  const gone = remove.flatMap((key) => existing.get(key) ?? [])
  return [
    ...prepared,
    ...gone.map((before) => ({
      step: { key: before.key, change: 'delete' as const, fields: [] },
      before,
      after: undefined
    }))
  ]
}

type Cleaned = ReturnType<typeof withDefaults>

function assertPossible({ key, type }: Cleaned, before: FlagRow | undefined, seen: Set<string>) {
  if (seen.has(key)) {
    throw invalidFields({
      pointer: '/key',
      code: 'repeated',
      message: 'An earlier flag has this key'
    })
  }
  if (before && before.type !== type) {
    const message = `The flag here is of type ${before.type}, which cannot change`
    throw invalidFields({ pointer: '/type', code: 'wrong-type', message })
  }
}

/** How many ids in rules belong to no user here. Other targeting keys are not ids. */
export async function countUnknownUsers(db: Db, { flags }: Pick<Import, 'flags'>) {
  const named = flags.flatMap(({ rules = [] }) => rules.flatMap(({ when }) => when.users ?? []))
  const ids = [...new Set(named.filter((id) => uuidForm.test(id)))]
  let unknown = 0
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize)
    unknown += batch.length - (await db.$count(users, inArray(users.id, batch)))
  }
  return unknown
}

const batchSize = 1000
