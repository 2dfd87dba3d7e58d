import { drizzle } from 'drizzle-orm/postgres-js'
import type { DatabaseOptions, Db, Engine, OnWait } from '../engine.ts'
import type { Host } from './connection.ts'
import { openConnections } from './pool.ts'
import { epochQuery, noEpochs } from '../epochs.ts'
import type { EpochRow } from '../epochs.ts'
import { databaseCode, DatabaseUnusable, ServerInRecovery } from '../errors.ts'
import { facade } from './facade.ts'
import type { Deadlines } from './facade.ts'
import { applyMigrations } from '../migrate.ts'
import { withSlack } from '../slack.ts'
import { waitUntil } from '../waiting.ts'
import { isLocal, parseServerUrl, serverUrlProblem } from '../url.ts'
import type { ServerUrl } from '../url.ts'

const deadlines = { statement: 6000, transaction: 10_000 }
/**
 * For session checks. A signed-in request makes at most three such reads; if one is late, the
 * response is 503.
 */
const checkDeadlines = { statement: 1000, transaction: 1000 }
const withSlackOf = ({ statement, transaction }: Deadlines): Deadlines => ({
  statement: withSlack(statement),
  transaction: withSlack(transaction)
})
/** A migration has no deadline: this is the longest time of a timer. */
const noDeadline = { statement: 2 ** 31 - 1, transaction: 2 ** 31 - 1 }
/** The advisory lock of a migrating process: "portal" in ASCII. */
const migrationLock = 0x706f7274616c

export function openPostgres(url: string, options: DatabaseOptions): Engine {
  const address = parsed('DATABASE_URL', url)
  const migrationAddress =
    options.migrationUrl === undefined
      ? address
      : parsed('MIGRATION_DATABASE_URL', options.migrationUrl)
  const prepare = options.prepare ?? true
  const [ofWork, ofChecks] = [withSlackOf(deadlines), withSlackOf(checkDeadlines)]
  const max = options.poolMax ?? 10
  const connections = openConnections(address, { max, name: 'portal', prepare })
  // A separate pool, so that session checks do not wait for other work. With two connections, one
  // that hangs does not stop them.
  const checks = openConnections(address, {
    max: 2,
    name: options.instance ?? 'portal epochs',
    prepare
  })
  const exclusively: Engine['exclusively'] = async (work, onWait = () => {}) => {
    // One connection holds the lock, one works, and one can watch.
    const direct = openConnections(migrationAddress, {
      max: 3,
      name: 'portal migrate',
      prepare: false,
      // As text: the driver omits the number zero.
      parameters: {
        statement_timeout: '0',
        lock_timeout: '0',
        idle_in_transaction_session_timeout: '0'
      }
    })
    const db = drizzle({ client: facade(direct, noDeadline, false) })
    try {
      return await withMigrationLock(db, () => work(db), onWait)
    } catch (error) {
      throw databaseCode(error) === protocolViolation ? throughPooler(error) : error
    } finally {
      await direct.close()
    }
  }
  return {
    ...describe(address, connections.hosts),
    embedded: false,
    db: drizzle({ client: facade(connections, ofWork, prepare, options.serverIsolation) }),
    checkDb: drizzle({ client: facade(checks, ofChecks, prepare) }),
    load: connections.load,
    lateCommits: connections.lateCommits,
    async readEpochs(known) {
      const [row] = await checks.use(async (connection) => {
        const rows = await connection.send(epochQuery, [known], { prepare })
        if (rows[0]?.in_recovery) throw new ServerInRecovery()
        return rows as unknown as EpochRow[]
      }, ofChecks.statement)
      return row ?? noEpochs
    },
    close: async () => {
      await Promise.all([connections.close(), checks.close()])
    },
    migrate: (folder, seed, onWait = () => {}) =>
      exclusively(async (db) => {
        await applyMigrations(db, folder, true, onWait)
        await seed(db)
      }, onWait),
    exclusively
  }
}

/** PgBouncer's answer to the timeouts of a connection that changes the schema. */
const protocolViolation = '08P01'

const throughPooler = (cause?: unknown) =>
  new DatabaseUnusable(
    'Changes of the schema need a direct connection, and this one leads to a pooler. Name ' +
      'PostgreSQL itself in MIGRATION_DATABASE_URL.',
    { cause }
  )

/**
 * A pooler can be configured to ignore the timeouts. Those of the role would then end a long step.
 */
async function requireDirect(tx: Db) {
  const [row] = (await tx.execute('show statement_timeout')) as unknown as object[]
  if (!row || Object.values(row)[0] !== '0') throw throughPooler()
}

/**
 * Runs `work` while a transaction holds the lock. A concurrent index build waits for every older
 * snapshot, and for the whole transaction that had it. So:
 * - The holder's transaction is read committed, which has no snapshot between statements, and its
 *   statements have no parameters: the portal of one with parameters stays open and holds one.
 * - Others poll, because a waiting statement has a snapshot, and each attempt is a transaction of
 *   its own. In a longer one, an attempt just when the build looks for snapshots would make the
 *   holder wait for a process that waits for the holder.
 */
async function withMigrationLock<T>(db: Db, work: () => Promise<T>, onWait: OnWait) {
  const attempt = async (lock: Db) => {
    await requireDirect(lock)
    const [row] = (await lock.execute(
      `select pg_try_advisory_xact_lock(${migrationLock}) as free`
    )) as unknown as { free: boolean }[]
    return row?.free && { result: await work() }
  }
  const { result } = await waitUntil(
    () => db.transaction(attempt),
    () => onWait('another process that is changing the schema')
  )
  return result
}

/**
 * Names the hosts and the database for people, without user and password.
 * @param used the hosts that the driver connects to: those of PGHOST when the URL has none
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
  const problem = serverUrlProblem(url)
  if (problem !== undefined) throw new DatabaseUnusable(`${variable} ${problem}`)
  return parseServerUrl(url)
}
