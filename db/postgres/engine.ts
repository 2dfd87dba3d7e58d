import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import type { DatabaseOptions, Db, Engine } from '../engine.ts'
import type { Host } from './connection.ts'
import { openConnections } from './pool.ts'
import { epochQuery, noEpochs } from '../epochs.ts'
import type { EpochRow } from '../epochs.ts'
import { DatabaseUnusable, ServerInRecovery } from '../errors.ts'
import { facade } from './facade.ts'
import { applyMigrations } from '../migrate.ts'
import { InvalidUrl, isLocal, parseServerUrl } from '../url.ts'
import type { ServerUrl } from '../url.ts'

const deadlines = { statement: 6000, transaction: 10_000 }
/** What signed-in requests wait for, at each of two steps: longer, and the answer is 503. */
const checkDeadlines = { statement: 1000, transaction: 1000 }
/** A migration takes as long as it takes: this is what a timer can do. */
const noDeadline = { statement: 2 ** 31 - 1, transaction: 2 ** 31 - 1 }
/** "portal" in ASCII: the advisory lock that migrating processes take. */
const migrationLock = 0x706f7274616c
/** Milliseconds of waiting for it until `onWait` is called, first and again. */
const waitReport = { first: 5000, next: 60_000 }

export function openPostgres(url: string, options: DatabaseOptions): Engine {
  const address = parsed('DATABASE_URL', url)
  const migrationAddress =
    options.migrationUrl === undefined
      ? address
      : parsed('MIGRATION_DATABASE_URL', options.migrationUrl)
  const prepare = options.prepare ?? true
  const max = options.poolMax ?? 10
  const connections = openConnections(address, { max, name: 'portal', prepare })
  // A pool of their own, so that session checks wait for no other work. While one connection is
  // late there is another.
  const checks = openConnections(address, { max: 2, name: 'portal epochs', prepare })
  return {
    ...describe(address, connections.hosts),
    embedded: false,
    db: drizzle({ client: facade(connections, deadlines, prepare, options.serverIsolation) }),
    checkDb: drizzle({ client: facade(checks, checkDeadlines, prepare) }),
    load: connections.load,
    async readEpochs(known) {
      const [row] = await checks.use(async (connection) => {
        const rows = await connection.send(epochQuery, [known], { prepare })
        if (rows[0]?.in_recovery) throw new ServerInRecovery()
        return rows as unknown as EpochRow[]
      }, checkDeadlines.statement)
      return row ?? noEpochs
    },
    close: async () => {
      await Promise.all([connections.close(), checks.close()])
    },
    async migrate(folder, seed, onWait = () => {}) {
      // One connection holds the lock, the other migrates. Between its statements a read committed
      // transaction has no snapshot: building an index concurrently waits for all older ones.
      const direct = openConnections(migrationAddress, {
        max: 2,
        name: 'portal migrate',
        prepare: false,
        // As text: the driver leaves out a number that is zero.
        parameters: {
          statement_timeout: '0',
          lock_timeout: '0',
          idle_in_transaction_session_timeout: '0'
        }
      })
      const db = drizzle({ client: facade(direct, noDeadline, false) })
      try {
        await db.transaction(async (lock) => {
          await takeMigrationLock(lock, onWait)
          await applyMigrations(db, folder, true)
          await seed(db)
        })
      } finally {
        await direct.close()
      }
    }
  }
}

/** Asks again and again: a statement that waits has a snapshot, which concurrent builds wait for. */
async function takeMigrationLock(tx: Db, onWait: () => void) {
  // Without parameters: after one with parameters, its portal stays open and holds a snapshot.
  const statement = `select pg_try_advisory_xact_lock(${migrationLock}) as free`
  let sayAt = performance.now() + waitReport.first
  while (!((await tx.execute(statement)) as unknown as { free: boolean }[])[0]?.free) {
    if (performance.now() > sayAt) {
      onWait()
      sayAt = performance.now() + waitReport.next
    }
    await sleep(100)
  }
}

/**
 * Hosts and database, for people; the user and the password stay out.
 * @param used the hosts that the driver connects to, which PGHOST names when the URL has none
 */
function describe({ hosts, database = '' }: ServerUrl, used: Host[]) {
  const given = hosts.map(({ name, port }) => {
    const host = name.includes(':') ? `[${name}]` : name
    return port === undefined ? host : `${host}:${port}`
  })
  const defaults = used.map((host) => ('path' in host ? 'the local socket' : host.host))
  return {
    label: `PostgreSQL at ${(given.length > 0 ? given : defaults).join()}/${database}`,
    local: used.every((host) => 'path' in host || isLocal(host.host))
  }
}

function parsed(variable: string, url: string) {
  try {
    return parseServerUrl(url)
  } catch (error) {
    if (error instanceof InvalidUrl) throw new DatabaseUnusable(`${variable} ${error.message}`)
    throw error
  }
}
