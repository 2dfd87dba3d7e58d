import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import type { Sql, TransactionSql } from 'postgres'
import type { DatabaseOptions, Engine } from './client.ts'
import { deadline } from './deadline.ts'
import { openEpochReader } from './epoch-reader.ts'
import { DatabaseTimeout } from './errors.ts'
import { replaceable } from './replaceable.ts'

const statementDeadline = 6000
const transactionDeadline = 10_000
/** Statements and transactions that are under way or wait for a connection; more are refused at once. */
const inFlightLimit = 1000
const missesUntilReplaced = 3
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
  const pool = replaceable(() => postgres(url, { ...connectionOptions, max: options.poolMax ?? 10 }), missesUntilReplaced)
  const { label, local } = describe(url)
  const load = { inFlight: 0 }
  const epochs = openEpochReader(url, { ...connectionOptions, prepare: options.prepare ?? true })
  return {
    db: drizzle({ client: guarded(pool, load, options.prepare ?? true) }),
    load: () => load.inFlight,
    label,
    embedded: false,
    local,
    readEpochs: epochs.read,
    close: async () => { await Promise.all([pool.close(), epochs.close()]) },
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
 * The part of a client that Drizzle uses, with three things Drizzle does not do: every statement with parameters is prepared,
 * every statement and transaction has a deadline, and so many at most wait. A transaction that begins after its caller gave up
 * does nothing.
 */
function guarded (pool: ReturnType<typeof replaceable>, load: { inFlight: number }, prepare: boolean): Sql {
  type Unsafe = Sql['unsafe']
  const prepared = (unsafe: Unsafe): Unsafe => (query, parameters = [], options = {}) =>
    unsafe(query, parameters, { ...options, prepare: prepare && parameters.length > 0 })

  const inTime = async <T>(used: Sql, start: () => PromiseLike<T>, ms: number, onLate?: () => void): Promise<T> => {
    if (load.inFlight >= inFlightLimit) throw new DatabaseTimeout('Too many wait for the database')
    let late = false
    load.inFlight++
    try {
      return await deadline(start(), ms, () => {
        late = true
        onLate?.()
        pool.late(used)
      })
    } finally {
      load.inFlight--
      if (!late) pool.answered()
    }
  }

  const facade = {
    options: pool.current().options,
    unsafe: (...call: Parameters<Unsafe>) => {
      const used = pool.current()
      const pending = prepared(used.unsafe)(...call) // not sent before it is waited for
      return {
        then: (...settle: Parameters<Promise<unknown>['then']>) => inTime(used, () => pending, statementDeadline).then(...settle),
        values: () => inTime(used, () => pending.values(), statementDeadline)
      }
    },
    begin: (work: (tx: TransactionSql) => Promise<unknown>) => {
      const used = pool.current()
      let late = false
      return inTime(used, () => used.begin((tx) => {
        if (late) throw new DatabaseTimeout('The transaction got its connection too late')
        return work(Object.assign(tx, { unsafe: prepared(tx.unsafe) }))
      }), transactionDeadline, () => { late = true })
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
