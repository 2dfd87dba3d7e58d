import { asc, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/engine.ts'
import { flagsScope } from '../../../db/schema/epochs.ts'
import { authorized } from '../access/authorize.ts'
import { recordAll } from '../activity/record.ts'
import type { Actor, AuthorizedActor } from '../actor.ts'
import { requireRevision } from '../errors.ts'
import type { DomainError, Expected } from '../errors.ts'
import { bump } from '../freshness/epochs.ts'
import type { Missing, References } from './references.ts'
import { addRevisions, changedFields, findAllNewest, nextVersions } from './revisions.ts'
import type { Change, Subject } from './revisions.ts'

interface Versions {
  key: string
  version: number
  createdAt: Date
  updatedAt: Date
}
export type Row<D> = D & Versions
export type Keyed<D> = D & { key: string }
/** The columns that a change can change. */
export type DefinitionOf<R extends Versions> = Omit<R, keyof Versions>

/** Flags and segments are written, restored and imported alike; a kind says how they differ. */
export interface Kind<D extends object, Found = unknown> {
  name: Subject['kind']
  table: PgTable & Record<keyof Versions, AnyPgColumn>
  notFound: () => DomainError
  exists: () => DomainError
  /** Throws if no row has the key. */
  find: (db: Db, key: string) => Promise<Found>
  /**
   * Returns the definition as it is stored. Throws a refusal that lists every error.
   * @param before the row before the change; absent for a new one
   * @param known as in `assertValidFlag`
   */
  clean: <T extends D>(tx: Db, wanted: T, before?: D, known?: References) => Promise<T>
  findMissing: (tx: Db, wanted: D, before?: D) => Promise<Missing[]>
  /** Throws if this definition cannot follow another. */
  requireRestorable?: (wanted: D, before: D) => void
  /** Throws if something refers to a locked row, and deletes the data that belongs to it. */
  release: (tx: Db, key: string) => Promise<unknown>
  /** Call it after the bump, which admits only one change at a time. */
  requireFew?: (tx: Db) => Promise<void>
}

type Written = Exclude<Change, 'found' | 'delete'>

const columnsOf = (table: PgTable): Record<string, AnyPgColumn> => {
  const { key, version, createdAt, updatedAt, ...defined } = getTableColumns(table)
  return defined
}

/** The part of a row that a change can change. */
export const definitionOf = (table: PgTable, row: object) =>
  Object.fromEntries(
    Object.keys(columnsOf(table)).map((name) => [name, (row as Record<string, unknown>)[name]])
  )

/** Locks rows in the order of their keys, for a change or for a deletion. */
export const lockRows =
  <D extends object>(
    { table }: Kind<D>,
    keys: string[],
    strength: 'update' | 'no key update' = 'no key update'
  ) =>
  async (tx: Db) =>
    (await tx
      .select()
      .from(table)
      .where(inArray(table.key, keys))
      .orderBy(asc(table.key))
      .for(strength)) as Row<D>[]

export const create =
  <D extends object, Found>(kind: Kind<D, Found>) =>
  async (db: Db, actor: Actor, input: Keyed<D>) => {
    const clean = async (tx: Db) => kind.clean(tx, input)
    return authorized(db, actor, 'flags:create', clean, async (tx, by, wanted) => {
      await insertAll(kind, tx, by, [wanted], 'create')
      await bump(tx, flagsScope)
      await kind.requireFew?.(tx)
      return kind.find(tx, input.key)
    })
  }

/** Names a row to change, and the revisions that the writer accepts. */
export interface Target {
  key: string
  expected?: Expected
}

export const update =
  <D extends object, Found>(kind: Kind<D, Found>) =>
  /** @param change returns the new definition of the locked row */
  async (
    db: Db,
    actor: Actor,
    { key, expected, change }: Target & { change: (before: Row<D>) => D }
  ) =>
    authorized(db, actor, 'flags:update', lockRows(kind, [key]), async (tx, by, [before]) => {
      if (!before) throw kind.notFound()
      requireRevision(String(before.version), expected)
      const after = await kind.clean(tx, change(before), before)
      if (await rewriteAll(kind, tx, by, [{ before, after }], 'update')) await bump(tx, flagsScope)
      return kind.find(tx, key)
    })

export const remove =
  <D extends object>(kind: Kind<D>) =>
  async (db: Db, actor: Actor, { key, expected }: Target) =>
    authorized(db, actor, 'flags:delete', lockRows(kind, [key], 'update'), async (tx, by, all) => {
      const [row] = all
      if (!row) throw kind.notFound()
      requireRevision(String(row.version), expected)
      await removeAll(kind, tx, by, all)
      await bump(tx, flagsScope)
    })

// The parts of a change: at most a thousand rows, in a few statements, with their records. The
// caller bumps once.

/** Inserts rows, and begins or continues their histories. Throws if a key is taken. */
export async function insertAll<D extends object>(
  kind: Kind<D>,
  tx: Db,
  by: AuthorizedActor,
  all: Keyed<D>[],
  change: Written
) {
  if (all.length === 0) return
  const { name, table } = kind
  const rows = all.map((each) => ({ key: each.key, ...definitionOf(table, each) }))
  const inserted = await tx.insert(table).values(rows).onConflictDoNothing().returning()
  await by.recheck() // the insertion may have waited for another one of this key
  if (inserted.length < all.length) throw kind.exists()
  const last = await findAllNewest(tx, name, all)
  const made = (inserted as Row<D>[]).map((row) => ({
    ...{ kind: name, key: row.key, version: (last.get(row.key)?.version ?? 0) + 1 },
    ...{ change, fields: [], definition: definitionOf(table, row) }
  }))
  await addRevisions(tx, by, made)
  if (last.size > 0) {
    const given = JSON.stringify(made.map(({ key, version }) => ({ key, version })))
    await tx.execute(sql`
      update ${table} set version = each.version
      from jsonb_to_recordset(${given}::text::jsonb) as each(key text, version integer)
      where ${table.key} = each.key`)
  }
  await recordAll(
    tx,
    by,
    change === 'restore' ? `${name}.restore` : `${name}.create`,
    made.map(({ key, version }) => entryOf(kind, { key, version }))
  )
}

const entryOf = (
  { name }: Pick<Kind<object>, 'name'>,
  details: { key: string; version: number; fields?: string[] }
) => ({ target: { type: name, id: details.key }, details })

/** Writes the locked rows that change, and returns whether any does. */
export async function rewriteAll<D extends object>(
  kind: Kind<D>,
  tx: Db,
  by: AuthorizedActor,
  all: { before: Row<D>; after: D }[],
  change: Written
) {
  const { name, table } = kind
  const changed = all.flatMap(({ before, after }) => {
    const definition = definitionOf(table, after)
    const fields = changedFields(definitionOf(table, before), definition)
    return fields.length === 0 ? [] : [{ before, definition, fields }]
  })
  if (changed.length === 0) return false
  await by.recheck() // the check of the definitions may have waited for roles and segments
  const versions = await nextVersions(
    tx,
    name,
    changed.map(({ before }) => stateOf(kind, before))
  )
  const made = changed.map(({ before: { key, version }, ...each }) => ({
    ...{ kind: name, key, version: versions.get(key) ?? version + 1, change, ...each }
  }))
  const rows = made.map(({ key, version, definition }) => ({ key, version, definition }))
  await tx.execute(sql`
    update ${table} as written
    set ${sql.join(assignmentsOf(table), sql`, `)}, version = each.version, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as each(key text, version integer, definition jsonb)
    where written.key = each.key`)
  await addRevisions(tx, by, made)
  await recordAll(
    tx,
    by,
    change === 'restore' ? `${name}.restore` : `${name}.update`,
    made.map(({ key, fields, version }) => entryOf(kind, { key, fields, version }))
  )
  return true
}

/** Sets each column that a change can change from a definition. */
const assignmentsOf = (table: PgTable) =>
  Object.entries(columnsOf(table)).map(([name, column]) => {
    const text = sql`each.definition ->> ${name}::text`
    const value =
      column.dataType === 'json'
        ? sql`each.definition -> ${name}::text`
        : column.dataType === 'boolean'
          ? sql`(${text})::boolean`
          : text
    return sql`${sql.identifier(column.name)} = ${value}`
  })

const stateOf = <D extends object>({ table }: Kind<D>, row: Row<D>) => ({
  ...{ key: row.key, version: row.version, definition: definitionOf(table, row) }
})

/** Deletes locked rows. Their histories stay. */
export async function removeAll<D extends object>(
  kind: Kind<D>,
  tx: Db,
  by: AuthorizedActor,
  all: Row<D>[]
) {
  if (all.length === 0) return
  const { name, table } = kind
  for (const { key } of all) await kind.release(tx, key)
  const versions = await nextVersions(
    tx,
    name,
    all.map((row) => stateOf(kind, row))
  )
  const gone = all.map(({ key, version }) => ({
    ...{ kind: name, key, version: versions.get(key) ?? version + 1 },
    ...{ change: 'delete' as const, fields: [], definition: null }
  }))
  await tx.delete(table).where(
    inArray(
      table.key,
      gone.map(({ key }) => key)
    )
  )
  await addRevisions(tx, by, gone)
  const entries = gone.map(({ key, version }) => entryOf(kind, { key, version }))
  await recordAll(tx, by, `${name}.delete`, entries)
}
