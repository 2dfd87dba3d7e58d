import { sql } from 'drizzle-orm'
import type { Db } from './engine.ts'

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
      lockTimeout: sql<string>`current_setting('lock_timeout')`,
      idleInTransactionTimeout: sql<string>`current_setting('idle_in_transaction_session_timeout')`
    })
    .from(sql`(select 1) as one`)
  if (!facts) throw new Error('the database did not describe itself')
  return facts
}
