import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './engine.ts'
import { isReadOnly } from './errors.ts'
import { searchText } from './schema/columns.ts'
import { users } from './schema/users.ts'

const limit = (found: SQL) =>
  sql<number | null>`(select nullif(number, -1) from (${found}) as found (number)
    where not exists (select 1 from pg_roles where rolname = current_user and rolsuper))`

/** Facts about the database server. Durations in PostgreSQL's format; `0` is no limit. */
export async function readServerInfo(db: Db) {
  const [facts] = await db
    .select({
      /** Major version. */
      version: sql<number>`current_setting('server_version_num')::int / 10000`,
      /** Its clock, in milliseconds since 1970. */
      now: sql<number>`extract(epoch from clock_timestamp()) * 1000`.mapWith(Number),
      /** The connected role, quoted for SQL. */
      role: sql<string>`quote_ident(current_user)`,
      /** Address and port of the server itself, behind any proxy; null for a local socket. */
      server: sql<string | null>`host(inet_server_addr()) || ':' || inet_server_port()`,
      inRecovery: sql<boolean>`pg_is_in_recovery()`,
      isolation: sql<string>`current_setting('default_transaction_isolation')`,
      statementTimeout: sql<string>`current_setting('statement_timeout')`,
      database: sql<string>`quote_ident(current_database())`,
      /** The most connections that the role may have; null without a limit, as for a superuser. */
      roleLimit: limit(sql`select rolconnlimit from pg_roles where rolname = current_user`),
      databaseLimit: limit(
        sql`select datconnlimit from pg_database where datname = current_database()`
      ),
      /** Reserved ones are not counted; null if the server does not say. */
      serverLimit: sql<number | null>`current_setting('max_connections', true)::int
        - coalesce(current_setting('superuser_reserved_connections', true)::int, 0)
        - coalesce(current_setting('reserved_connections', true)::int, 0)`,
      lockTimeout: sql<string>`current_setting('lock_timeout')`,
      idleInTransactionTimeout: sql<string>`current_setting('idle_in_transaction_session_timeout')`
    })
    .from(sql`(select 1) as one`)
  if (!facts) throw new Error('the database did not describe itself')
  return facts
}

const reads = 8

/**
 * The evidence that reads may reach a standby, which can lack confirmed changes for a while;
 * undefined if there is none. The portal rejects a standby's answer only to statements that ask for
 * it, which not all do.
 * @param db with several connections, because most proxies choose a server for each
 */
export async function findLoadBalancer(db: Db): Promise<string | undefined> {
  const answers = await Promise.allSettled(
    Array.from({ length: reads }, () =>
      db.select({ recovery: sql<boolean>`pg_is_in_recovery()` }).from(sql`(select 1) as one`)
    )
  )
  const standby = answers.filter((answer) =>
    answer.status === 'fulfilled' ? answer.value[0]?.recovery : isReadOnly(answer.reason)
  )
  if (standby.length > 0 && standby.length < reads) {
    return `${standby.length} of ${reads} reads reached a standby`
  }
  if ((await show(db, 'show pool_version')) === undefined) return undefined
  const mode = await show(db, 'pgpool show load_balance_mode')
  return mode === 'off' ? undefined : `Pgpool-II has load_balance_mode ${mode ?? 'unknown'}`
}

/** The value that a statement of Pgpool-II shows; undefined on PostgreSQL, which rejects it. */
async function show(db: Db, statement: string) {
  try {
    const [row] = (await db.execute(statement)) as unknown as Record<string, string>[]
    return row && Object.values(row)[0]
  } catch {
    return undefined
  }
}

/**
 * The number of rows that the planner expects of a query, from its statistics. It takes a fraction
 * of a millisecond and is right within a small factor. Infinity when the engine does not say.
 */
export async function estimateRows(db: Db, query: SQL): Promise<number> {
  // Not every engine has `format json`. The first estimate is that of the whole query.
  const answer: unknown = await db.execute(sql`explain ${query}`)
  const text = JSON.stringify(answer) // the engines wrap the plan differently
  return Number(/\brows=(\d+)/.exec(text)?.[1] ?? Infinity)
}

/** The size from which the rows of a table are no longer counted. */
const large = 100_000

/**
 * The number of rows of a table that meet a condition: counted, or estimated if the table is large.
 */
export async function countOrEstimate(db: Db, table: PgTable, where: SQL = sql`true`) {
  const size = await estimateRows(db, sql`select 1 from ${table}`)
  const approximate = size > large && size < Infinity
  const count = approximate
    ? await estimateRows(db, sql`select 1 from ${table} where ${where}`)
    : await db.$count(table, where)
  return { count, approximate }
}

/**
 * SQL statements that create the index of the search of users, if it is missing. Migrations leave
 * it out where the extension pg_trgm is missing, or the engine has no indexes of trigrams.
 */
export async function missingSearchIndex(db: Db): Promise<string[]> {
  const [found] = await db
    .select({ name: sql<string>`indexrelid::regclass` })
    .from(sql`pg_index`)
    .where(sql`indexrelid = to_regclass('users_search') and indisvalid`)
  if (found) return []
  const text = new PgDialect().sqlToQuery(searchText(users.name, users.emailNormalized)).sql
  return [
    'DROP INDEX CONCURRENTLY IF EXISTS users_search;',
    `CREATE INDEX CONCURRENTLY users_search ON users USING gin ((${text}) gin_trgm_ops);`
  ]
}
