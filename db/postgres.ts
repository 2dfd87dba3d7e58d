import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import type { Sql, TransactionSql } from 'postgres'
import type { DatabaseOptions, Engine } from './client.ts'
import type { Connection } from './connection.ts'
import { openConnections } from './connections.ts'
import type { Connections } from './connections.ts'
import { epochQuery } from './epochs.ts'
import type { EpochRow } from './epochs.ts'
import { ConnectionLost } from './errors.ts'
import { applyMigrations } from './migrate.ts'

const deadlines = { statement: 6000, transaction: 10_000 }
/** What every request waits for: longer, and the answer is 503. */
const epochDeadline = 1000
/** A migration takes as long as it takes: this is what a timer can do. */
const noDeadline = { statement: 2 ** 31 - 1, transaction: 2 ** 31 - 1 }
/** "portal" in ASCII: the advisory lock that migrating processes take. */
const migrationLock = 0x706f7274616c

export function openPostgres (url: string, options: DatabaseOptions): Engine {
  const prepare = options.prepare ?? true
  const connections = openConnections(url, { max: options.poolMax ?? 10, name: 'portal', prepare })
  // Of their own, so that no other work is waited for; while one is late there is another.
  const epochs = openConnections(url, { max: 2, name: 'portal epochs', prepare })
  return {
    ...describe(url),
    embedded: false,
    db: drizzle({ client: facade(connections, deadlines, prepare, options.serverIsolation) }),
    load: connections.load,
    async readEpochs (known) {
      const [row] = await epochs.use(({ client }) => client.unsafe<EpochRow[]>(epochQuery, [known], { prepare }), epochDeadline)
      return row ?? { digest: null, values: null, now: 0 }
    },
    close: async () => { await Promise.all([connections.close(), epochs.close()]) },
    async migrate (folder, seed) {
      // One connection holds the lock, the other migrates. Between its statements a read committed
      // transaction has no snapshot: building an index concurrently waits for all older ones.
      const direct = openConnections(options.migrationUrl ?? url, {
        max: 2,
        name: 'portal migrate',
        prepare: false,
        parameters: { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 }
      })
      const db = drizzle({ client: facade(direct, noDeadline, false) })
      try {
        await db.transaction(async (lock) => {
          while (!(await lock.execute(`select pg_try_advisory_xact_lock(${migrationLock}) as free`))[0]?.free) await sleep(100)
          await applyMigrations(db, folder, true)
          await seed(db)
        }, { isolationLevel: 'read committed' })
      } finally {
        await direct.close()
      }
    }
  }
}

/** The part of a postgres.js client that Drizzle uses. Every statement with parameters is prepared, which Drizzle leaves out. */
function facade (connections: Connections, { statement, transaction }: typeof deadlines, prepare: boolean, serverIsolation = false): Sql {
  // Explicit: locks are only waited for as the code expects, and each statement sees what was
  // committed before it, whatever the default of the role, the database or the server.
  const begin = serverIsolation ? 'begin' : 'begin isolation level read committed'
  type Call = Parameters<Sql['unsafe']>
  const send = ({ client, usable }: Connection, [query, parameters = [], options = {}]: Call) => {
    if (!usable()) throw new ConnectionLost('The connection was lost within a transaction')
    return client.unsafe(query, parameters, { ...options, prepare: prepare && parameters.length > 0 })
  }
  const client = {
    options: connections.options,
    unsafe: (...call: Call) => ({
      then: (...settle: Parameters<Promise<unknown>['then']>) => connections.use((connection) => send(connection, call), statement).then(...settle),
      values: () => connections.use((connection) => send(connection, call).values(), statement)
    }),
    begin: (work: (tx: TransactionSql) => Promise<unknown>) => connections.use(async (connection) => {
      let over = false
      const unsafe = (...call: Call) => {
        if (over) throw new Error('a statement came after its transaction')
        return send(connection, call)
      }
      await send(connection, [begin])
      let result
      try {
        result = await work({ unsafe } as TransactionSql)
      } catch (error) {
        over = true
        await rollback(connection)
        throw error
      }
      over = true
      // PostgreSQL answers ROLLBACK when a statement had failed and `work` went on.
      if ((await send(connection, ['commit'])).command !== 'COMMIT') throw new Error('a transaction was to be committed in which a statement had failed')
      return result
    }, transaction)
  }
  return client as unknown as Sql
}

/** A connection that cannot go back is not used again: the server rolls back when it is gone. */
async function rollback (connection: Connection) {
  if (!connection.usable()) return
  await connection.client.unsafe('rollback').catch((error: unknown) => connection.discard(new ConnectionLost('It did not roll back', { cause: error })))
}

/** Host and database, for people; the user and the password stay out. A URL with several hosts does not survive `new URL`. */
function describe (url: string) {
  const [, hosts = '', name = ''] = /^\w+:\/\/(?:[^/?]*@)?([^/?]*)\/?([^?]*)/.exec(url) ?? []
  const names = hosts.split(',').map((host) => host.replace(/:\d+$/, ''))
  return {
    label: `PostgreSQL at ${hosts || 'the local socket'}/${name}`,
    local: names.every((host) => host === '' || host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host))
  }
}
