import { isDeepStrictEqual } from 'node:util'
import { inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { flags, segments } from '../../../db/schema/flags.ts'
import type { Rule, SegmentWhen } from '../../../db/schema/flags.ts'
import { roles } from '../../../db/schema/roles.ts'
import { DomainError } from '../errors.ts'
import type { FieldError } from '../errors.ts'
import { segmentsIn } from './conditions.ts'

/** A role or segment that conditions name and that does not exist. */
export interface Missing extends FieldError {
  what: 'role' | 'segment'
  key: string
}

/** Keys that conditions may name. */
export interface References {
  segments: ReadonlySet<string>
  /** By default those that exist, which are held. */
  roles?: ReadonlySet<string>
}

/**
 * The roles and segments in changed rules that do not exist. Segments that `before` does not name
 * are held. With `known`, segments are compared with it in unchanged rules as well.
 */
export async function findMissing(
  tx: Db,
  rules: Rule[],
  before: Rule[] = [],
  known?: References
): Promise<Missing[]> {
  const all = rules.map(({ when }, n) => ({ when, at: `/rules/${n}/when` }))
  // Nobody can delete a segment that the flag names already.
  const named = new Set(known ? [] : segmentsIn(before))
  const added = segmentsIn(rules).filter((key) => !named.has(key))
  const existing = known?.segments ?? (await lockSegments(tx, added))
  const missing = new Set(added.filter((key) => !existing.has(key)))
  return [
    ...(isDeepStrictEqual(rules, before) ? [] : await findMissingRoles(tx, all, known?.roles)),
    ...all.flatMap(({ when, at }) =>
      (when.segmentsAny ?? []).flatMap((key, n) =>
        missing.has(key) ? [unknownSegment(key, `${at}/segmentsAny/${n}`)] : []
      )
    )
  ]
}

const unknownSegment = (key: string, pointer: string): Missing => ({
  what: 'segment',
  key,
  pointer,
  code: 'unknown-segment',
  message: 'There is no segment with this key'
})

/**
 * Roles are held without `known`.
 * @param conditions each with its place in the request
 */
export async function findMissingRoles(
  tx: Db,
  conditions: { when: SegmentWhen; at: string }[],
  known?: ReadonlySet<string>
): Promise<Missing[]> {
  const named = conditions.flatMap(({ when, at }) =>
    (when.rolesAny ?? []).map((key, n) => ({ key, pointer: `${at}/rolesAny/${n}` }))
  )
  if (named.length === 0) return []
  const keys = named.map(({ key }) => key)
  const existing = known ?? (await lockRoles(tx, keys))
  const message = 'There is no role with this key'
  return named
    .filter(({ key }) => !existing.has(key))
    .map((each) => ({ ...each, what: 'role', code: 'unknown-role', message }))
}

/** Keys of all roles. */
export async function existingRoles(tx: Db): Promise<ReadonlySet<string>> {
  const found = await tx.select({ key: roles.key }).from(roles)
  return new Set(found.map(({ key }) => key))
}

/**
 * Keeps roles or segments from being deleted until the transaction ends, and returns the keys of
 * those that exist. Only a deletion waits for the lock, which is enough at every isolation level: a
 * deletion that sees a state without the new rules fails when it bumps the epoch of flags, as this
 * change does, and is tried again.
 */
async function lock(
  tx: Db,
  table: typeof roles | typeof segments,
  keys: string[]
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const { key } = table
  const held = await tx.select({ key }).from(table).where(inArray(key, keys)).for('key share')
  return new Set(held.map((each) => each.key))
}

export const lockSegments = (tx: Db, keys: string[]) => lock(tx, segments, keys)
export const lockRoles = (tx: Db, keys: string[]) => lock(tx, roles, keys)

/** Keys of the flags whose rules name the segment, sorted. */
export const usedBy = sql<string[]>`to_json(array(
  select ${flags.key} from ${flags} where ${flags.rules} @> ${naming(segments.key)} order by 1))`

/** Rules that name a segment, for `@>`. */
function naming(key: typeof segments.key | string) {
  return sql`jsonb_build_array(jsonb_build_object('when', jsonb_build_object('segmentsAny',
    jsonb_build_array(${key}::text))))`
}

/**
 * Throws `segment-in-use`. The segment is locked: a flag that starts to use it waits for this
 * transaction.
 */
export async function requireUnused(tx: Db, key: string) {
  const named = await tx
    .select({ key: flags.key })
    .from(flags)
    .where(sql`${flags.rules} @> ${naming(key)}`)
    .orderBy(flags.key)
  if (named.length === 0) return
  const more = named.length > 3 ? ` and ${named.length - 3} more` : ''
  const keys = named.slice(0, 3).map((flag) => flag.key)
  throw new DomainError('segment-in-use', {
    detail: `Rules of flags name this segment: ${keys.join(', ')}${more}. Change those rules first.`
  })
}
