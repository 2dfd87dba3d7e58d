import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from './engine.ts'

const limit = (found: SQL) =>
  sql<number | null>`(select nullif(number, -1) from (${found}) as found (number)
    where not exists (select 1 from pg_roles where rolname = current_user and rolsuper))`

/** Facts about the database server. Durations in PostgreSQL's format; `0` is no limit. */
export async function serverFacts(db: Db) {
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
      /** Without those that are reserved; null if the server does not say. */
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
