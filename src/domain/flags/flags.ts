import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { momentColumns } from '../../../db/epochs.ts'
import { flagsScope } from '../../../db/schema/epochs.ts'
import { flags } from '../../../db/schema/flags.ts'
import type { FlagRow, flagSorts, FlagValue } from '../../../db/schema/flags.ts'
import { authorized } from '../access/authorize.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { flagExists, flagNotFound, requireRevision } from '../errors.ts'
import type { Expected } from '../errors.ts'
import { bump } from '../freshness/epochs.ts'
import { page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { upcomingChanges } from '../../common/upcoming-changes.ts'
import { beginHistory, cleanFlag, insertFlag, removeFlag, rewriteFlag } from './writing.ts'

export const withRevision = (flag: FlagRow) => ({ ...flag, revision: String(flag.version) })

export async function findFlag(db: Db, key: string) {
  const [found] = await db.select().from(flags).where(eq(flags.key, key))
  if (!found) throw flagNotFound()
  return withRevision(found)
}

/** For a change. Another one waits until the transaction ends. */
export const lockFlag = (key: string) => (tx: Db) =>
  tx.select().from(flags).where(eq(flags.key, key)).for('no key update')

const { version, ...columns } = getTableColumns(flags)
const orders = { key: [flags.key], createdAt: [flags.createdAt, flags.key] }
const list = { table: flags, columns, orders }

export const listFlags = (db: Db, window: Window<(typeof flagSorts)[number]>) =>
  page(db, list, window)

type Definition = Pick<FlagRow, 'key' | 'type' | 'variants' | 'defaultVariant' | 'offVariant'>
type Optional = {
  description?: string | undefined
  state?: FlagRow['state'] | undefined
  rules?: FlagRow['rules'] | undefined
  public?: boolean | undefined
  permanent?: boolean | undefined
}
export type NewFlag = Definition & Optional

/** A new flag with the defaults of what it leaves out. */
export const withDefaults = ({
  description = '',
  state = 'enabled',
  rules = [],
  public: isPublic = false,
  permanent = false,
  ...definition
}: NewFlag) => ({ ...definition, description, state, rules, public: isPublic, permanent })

/** Throws `flag-exists`, and a refusal that lists every error of the flag. */
export async function createFlag(db: Db, actor: Actor, input: NewFlag) {
  const insert = async (tx: Db) => insertFlag(tx, await cleanFlag(tx, withDefaults(input)))
  return authorized(db, actor, 'flags:create', insert, async (tx, by, made) => {
    if (!made) throw flagExists()
    const flag = await beginHistory(tx, by, made, 'create')
    const { key, version } = flag
    const target = { type: 'flag' as const, id: key }
    await record(tx, by, 'flag.create', { target, details: { key, version } })
    await bump(tx, flagsScope)
    return withRevision(flag)
  })
}

/** `variants` are merged: null removes a variant. */
type FlagChanges = Optional & {
  variants?: Record<string, FlagValue | null> | undefined
  defaultVariant?: string | undefined
  offVariant?: string | undefined
}

/** Throws `precondition-failed`, and a refusal that lists every error of the changed flag. */
export async function updateFlag(
  db: Db,
  actor: Actor,
  {
    key,
    changes: { variants, ...changes },
    expected
  }: { key: string; changes: FlagChanges; expected?: Expected }
) {
  return authorized(db, actor, 'flags:update', lockFlag(key), async (tx, by, [before]) => {
    if (!before) throw flagNotFound()
    requireRevision(String(before.version), expected)
    const merged = Object.fromEntries(
      Object.entries({ ...before.variants, ...variants }).filter(
        (entry): entry is [string, FlagValue] => entry[1] !== null
      )
    )
    const wanted = { ...before, ...definedOnly(changes), variants: merged }
    const after = await cleanFlag(tx, wanted, before)
    const { flag, fields } = await rewriteFlag(tx, by, before, after, 'update')
    if (fields.length === 0) return withRevision(flag)

    const target = { type: 'flag' as const, id: key }
    const { version } = flag
    await record(tx, by, 'flag.update', { target, details: { key, fields, version } })
    await bump(tx, flagsScope)
    return withRevision(flag)
  })
}

export async function deleteFlag(
  db: Db,
  actor: Actor,
  { key, expected }: { key: string; expected?: Expected }
) {
  const lock = (tx: Db) => tx.select().from(flags).where(eq(flags.key, key)).for('update')
  await authorized(db, actor, 'flags:delete', lock, async (tx, by, [found]) => {
    if (!found) throw flagNotFound()
    requireRevision(String(found.version), expected)
    const version = await removeFlag(tx, by, found)
    const target = { type: 'flag' as const, id: key }
    await record(tx, by, 'flag.delete', { target, details: { key, version } })
    await bump(tx, flagsScope)
  })
}

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

/** What changes at which time in all flags, or in one. Throws `flag-not-found`. */
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
