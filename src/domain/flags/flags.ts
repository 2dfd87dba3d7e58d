import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { momentColumns } from '../../../db/epochs.ts'
import { flagEvaluations, flags } from '../../../db/schema/flags.ts'
import type { FlagRow, flagSorts, FlagValue } from '../../../db/schema/flags.ts'
import type { Actor } from '../actor.ts'
import { checkAll, DomainError } from '../errors.ts'
import { page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { upcomingChanges } from '../../common/upcoming-changes.ts'
import { matchesWords } from '../search.ts'
import { cleanDescription } from '../texts.ts'
import { staleDays, staleOf } from './evaluation-counts.ts'
import { findMissing } from './references.ts'
import { withStoredTimes } from './times.ts'
import { assertValidFlag } from './validation.ts'
import { create, remove, update } from './writing.ts'
import type { DefinitionOf, Kind, Target } from './writing.ts'

export type FlagDefinition = DefinitionOf<FlagRow>

export async function findFlag(db: Db, key: string) {
  const [found] = await db.select().from(flags).where(eq(flags.key, key))
  if (!found) throw new DomainError('flag-not-found')
  return { ...found, revision: String(found.version) }
}

export const flagKind: Kind<FlagDefinition, Awaited<ReturnType<typeof findFlag>>> = {
  name: 'flag',
  table: flags,
  notFound: () => new DomainError('flag-not-found'),
  exists: () => new DomainError('flag-exists'),
  find: findFlag,
  async clean(tx, flag, before, known) {
    // The check comes before code that recurses into values, which can be nested as deeply as a
    // body allows.
    const [description] = await checkAll(
      () => cleanDescription(flag.description),
      () => assertValidFlag(tx, flag, before, known)
    )
    return { ...flag, description, rules: flag.rules.map(withStoredTimes) }
  },
  findMissing: async (tx, { rules }, before) => findMissing(tx, rules, before?.rules),
  requireRestorable({ type }, before) {
    if (before.type === type) return
    throw new DomainError('revision-not-restorable', {
      detail:
        `This version has the type ${type}, and the flag has the type ${before.type}. ` +
        'Delete the flag first.'
    })
  },
  release: async (tx, key) => tx.delete(flagEvaluations).where(eq(flagEvaluations.flagKey, key))
}

const { version, ...columns } = getTableColumns(flags)
const orders = { key: [flags.key], createdAt: [flags.createdAt, flags.key] }
const list = { table: flags, columns, orders }

interface FlagFilters {
  q?: string | undefined
  type?: FlagRow['type'] | undefined
  state?: FlagRow['state'] | 'stale' | undefined
}

const meets = ({ q, type, state }: FlagFilters) =>
  and(
    matchesWords(q, flags.key, flags.description),
    type && eq(flags.type, type),
    state === 'stale' ? staleOf(staleDays).where : state && eq(flags.state, state)
  )

export const listFlags = (
  db: Db,
  { q, type, state, ...window }: FlagFilters & Window<(typeof flagSorts)[number]>
) => page(db, list, window, meets({ q, type, state }))

export const countFlags = (db: Db, filters: FlagFilters) => db.$count(flags, meets(filters))

type Required = Pick<FlagRow, 'key' | 'type' | 'variants' | 'defaultVariant' | 'offVariant'>
type Optional = {
  description?: string | undefined
  state?: FlagRow['state'] | undefined
  rules?: FlagRow['rules'] | undefined
  public?: boolean | undefined
  permanent?: boolean | undefined
}
export type NewFlag = Required & Optional

/** Adds the defaults of omitted fields. */
export const withDefaults = ({
  description = '',
  state = 'enabled',
  rules = [],
  public: isPublic = false,
  permanent = false,
  ...definition
}: NewFlag) => ({ ...definition, description, state, rules, public: isPublic, permanent })

/** Throws `flag-exists`, and a refusal that lists every error of the flag. */
export const createFlag = async (db: Db, actor: Actor, input: NewFlag) =>
  create(flagKind)(db, actor, withDefaults(input))

/** `variants` are merged: null removes a variant. */
type FlagChanges = Optional & {
  variants?: Record<string, FlagValue | null> | undefined
  defaultVariant?: string | undefined
  offVariant?: string | undefined
}

/** Throws `precondition-failed`, and a refusal that lists every error of the changed flag. */
export const updateFlag = async (
  db: Db,
  actor: Actor,
  { changes: { variants, ...changes }, ...target }: Target & { changes: FlagChanges }
) =>
  update(flagKind)(db, actor, {
    ...target,
    change: (before) => ({
      ...{ ...before, ...definedOnly(changes) },
      variants: Object.fromEntries(
        Object.entries({ ...before.variants, ...variants }).filter(
          (entry): entry is [string, FlagValue] => entry[1] !== null
        )
      )
    })
  })

export const deleteFlag = remove(flagKind)

const definedOnly = <T extends object>(changes: T) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** The time of the database, in milliseconds. */
export async function readTime(db: Db) {
  const [row] = await db.select(momentColumns).from(sql`(select 1) as one`)
  if (!row) throw new Error('there is no time')
  return Number(row.now)
}

/** The coming changes of all flags, or of one, by time. Throws `flag-not-found`. */
export async function listSchedule(db: Db, key?: string) {
  const found =
    key === undefined
      ? await db.select().from(flags).orderBy(asc(flags.key))
      : [await findFlag(db, key)]
  const now = await readTime(db)
  return found
    .flatMap((flag) => upcomingChanges(flag, now).map((each) => ({ key: flag.key, ...each })))
    .sort((a, b) => a.at.getTime() - b.at.getTime())
}
