import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import type { Sql, TransactionSql } from 'postgres'
import type { DatabaseOptions, Engine } from './client.ts'
import { deadline } from './deadline.ts'
import { openEpochReader } from './epoch-reader.ts'
import { DatabaseTimeout } from './errors.ts'

const statementDeadline = 6000
const transactionDeadline = 10_000
/** "portal" in ASCII: the advisory lock that migrating processes take. */
const migrationLock = 0x706f7274616c

const connectionOptions = {
  connect_timeout: 5,
  // The driver's own grows to 20 s: too long to stay away once the server is back.
  backoff: () => 0.25,
  onnotice: () => {},
  connection: { application_name: 'portal' }
}

export function openPostgres (url: string, options: DatabaseOptions): Engine {
  const client = postgres(url, { ...connectionOptions, max: options.poolMax ?? 10 })
  const { label, local } = describe(url)
  const epochs = openEpochReader(url, { ...connectionOptions, prepare: options.prepare ?? true })
  return {
    db: drizzle({ client: guarded(client, options.prepare ?? true) }),
    label,
    embedded: false,
    local,
    readEpochs: epochs.read,
    close: async () => { await Promise.all([client.end({ timeout: 5 }), epochs.close()]) },
    async migrate (folder, seed) {
      // One connection holds the lock, the other migrates: Drizzle takes no lock of its own.
      const direct = postgres(options.migrationUrl ?? url, {
        ...connectionOptions,
        max: 2,
        connection: { application_name: 'portal migrate', statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 }
      })
      try {
        await direct.begin(async (lock) => {
          while (!(await lock`select pg_try_advisory_xact_lock(${migrationLock}) as free`)[0]?.free) await sleep(100)
          const db = drizzle({ client: direct })
          await migrate(db, { migrationsFolder: folder })
          await seed(db)
        })
      } finally {
        await direct.end({ timeout: 5 })
      }
    }
  }
}

/**
 * The part of a client that Drizzle uses, with two things Drizzle does not do: every statement with parameters is
 * prepared, and every statement and transaction has a deadline. A transaction that begins after its caller gave up does nothing.
 */
function guarded (client: Sql, prepare: boolean): Sql {
  type Unsafe = Sql['unsafe']
  const prepared = (unsafe: Unsafe): Unsafe => (query, parameters = [], options = {}) =>
    unsafe(query, parameters, { ...options, prepare: prepare && parameters.length > 0 })

  const run = prepared(client.unsafe)
  const facade = {
    options: client.options,
    unsafe: (...call: Parameters<Unsafe>) => {
      const pending = run(...call)
      return {
        then: (...settle: Parameters<Promise<unknown>['then']>) => deadline(pending, statementDeadline).then(...settle),
        values: () => deadline(pending.values(), statementDeadline)
      }
    },
    begin: (work: (tx: TransactionSql) => Promise<unknown>) => {
      let late = false
      const begun = client.begin((tx) => {
        if (late) throw new DatabaseTimeout('The transaction got its connection too late')
        return work(Object.assign(tx, { unsafe: prepared(tx.unsafe) }))
      })
      return deadline(begun, transactionDeadline, () => { late = true })
    }
  }
  return facade as unknown as Sql
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
