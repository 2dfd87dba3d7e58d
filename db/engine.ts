import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { EpochRow } from './epochs.ts'

/** A database of either engine, or a transaction on one. */
export type Db = PgDatabase<PgQueryResultHKT>

/** @param awaited as in "waiting for another process" */
export type OnWait = (awaited: string) => void

/** The part that differs between the engines. openDatabase turns it into a Database. */
export interface Engine {
  db: Db
  /**
   * The database for session checks, on separate connections and with one second for a
   * statement. A statement that selects `in_recovery` is rejected when it reached a standby.
   */
  checkDb: Db
  /** The engine and the place of its data, for people. Without credentials. */
  label: string
  embedded: boolean
  /** Embedded, or a server on this machine. */
  local: boolean
  /**
   * Applies pending migrations, then calls `seed`, while no other process does either.
   * @param onWait called after five seconds of waiting, then every minute
   */
  migrate(folder: string, seed: (db: Db) => Promise<void>, onWait?: OnWait): Promise<void>
  /**
   * Runs `work` while no other process migrates or does the same: on a direct connection without
   * timeouts, as the role that may change the schema.
   * @param onWait as for `migrate`
   */
  exclusively<T>(work: (db: Db) => Promise<T>, onWait?: OnWait): Promise<T>
  /**
   * The epochs of all scopes and the time, from the primary, at one moment after the call. Rejects
   * after one second.
   * @param known the digest of the values that the caller has
   */
  readEpochs(known: string): Promise<EpochRow>
  /** The number of statements and transactions that run or wait for a connection. */
  load(): number
  /** The number of connections whose COMMIT is late, as without a synchronous standby. */
  lateCommits(): number
  close(): Promise<void>
}

export interface DatabaseOptions {
  poolMax?: number
  /** False behind a pooler without support for prepared statements. */
  prepare?: boolean
  /** PostgreSQL only: a direct connection whose role may change the schema. */
  migrationUrl?: string
  /** PostgreSQL only: the name of a server, by which `portal doctor` finds it. */
  instance?: string
  /** For tests only: transactions have the server's default isolation level. */
  serverIsolation?: boolean
}
