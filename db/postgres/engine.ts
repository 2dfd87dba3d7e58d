import { drizzle } from 'drizzle-orm/postgres-js'
import type { PendingQuery, Row, Sql, TransactionSql, ValuesRowList } from 'postgres'
import type { DatabaseOptions, Db, Engine, OnWait } from '../engine.ts'
import { epochQuery, noEpochs } from '../epochs.ts'
import type { EpochRow } from '../epochs.ts'
import { ConnectionLost, databaseCode, DatabaseUnusable, ServerInRecovery } from '../errors.ts'
import { applyMigrations } from '../migrate.ts'
import { withSlack } from '../transaction.ts'
import { isLocal, parseServerUrl, serverUrlProblem } from '../url.ts'
import type { ServerUrl } from '../url.ts'
import { waitUntil } from '../schema-changes.ts'
import type { Connection, Host } from './connection.ts'
import { openConnections } from './pool.ts'
import type { Connections } from './pool.ts'

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
      // These are texts, because the driver omits the number zero.
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

/** SQLSTATE in_failed_sql_transaction: how statements after a failed one are answered. */
const inFailedTransaction = '25P02'

/** Milliseconds. */
interface Deadlines {
  statement: number
  transaction: number
}

/**
 * The part of a postgres.js client that Drizzle uses; a test compares them. Every statement with
 * parameters is prepared, which Drizzle does not ask for.
 */
export function facade(
  connections: Connections,
  { statement, transaction }: Deadlines,
  prepare: boolean,
  serverIsolation = false
): Sql {
  // Set explicitly, because the locking relies on read committed.
  const begin = serverIsolation ? 'begin' : 'begin isolation level read committed'
  type Call = Parameters<Sql['unsafe']>
  const send = ({ send }: Connection, [query, parameters = [], options = {}]: Call) =>
    send(query, parameters, { ...options, prepare: prepare && parameters.length > 0 })
  const client = {
    options: connections.options,
    unsafe: (...call: Call) => ({
      then: (...settle: Parameters<Promise<unknown>['then']>) =>
        connections.use((connection) => send(connection, call), statement).then(...settle),
      values: () =>
        connections.use(
          async (connection) => fromPrimary(await send(connection, call).values()),
          statement
        )
    }),
    begin: (work: (tx: TransactionSql) => Promise<unknown>) =>
      connections.use(
        async (connection) => {
          let over = false
          let hasBegun = false
          let waits = false
          let failure: unknown
          const begun = send(connection, [begin]).then(() => {
            hasBegun = true
          })
          const sendOne = (call: Call) => {
            const query = send(connection, call)
            query.catch((error: unknown) => {
              failure ??= error
            })
            return query
          }
          const sendInTime = (call: Call) => {
            if (over) throw new Error('a statement was sent after its transaction had ended')
            return sendOne(call)
          }
          const unsafe = (...call: Call) => {
            // A first select is sent together with BEGIN. It does no harm outside of a transaction
            // if BEGIN fails. Statements behind one that waits do so as well, to keep their order.
            waits ||= !hasBegun && !call[0].startsWith('select ')
            // By then the transaction may be over: another statement was refused meanwhile.
            return waits ? afterwards(begun, () => sendInTime(call)) : sendInTime(call)
          }
          let result
          try {
            const [worked] = await Promise.all([work({ unsafe } as TransactionSql), begun])
            result = worked
          } catch (error) {
            over = true
            await rollback(connection)
            // When statements were sent together, only the first that failed says why.
            throw databaseCode(error) === inFailedTransaction ? (failure ?? error) : error
          }
          over = true
          // PostgreSQL answers ROLLBACK when a statement has failed and `work` continued.
          const { command } = await send(connection, ['commit'])
          if (command !== 'COMMIT') {
            throw new Error('a transaction in which a statement had failed cannot be committed')
          }
          return result
        },
        transaction,
        true
      )
  }
  return client as unknown as Sql
}

/** A statement to send once `begun` resolves, as Drizzle uses it. */
function afterwards(begun: Promise<void>, send: () => PendingQuery<Row[]>) {
  let asValues = false
  // Not when Drizzle asks for the result: that takes longer for some statements than for others.
  const sent = begun.then(() => (asValues ? send().values() : send()))
  return {
    then: (...settle: Parameters<Promise<unknown>['then']>) => sent.then(...settle),
    values() {
      asValues = true
      return sent
    }
  }
}

/** Rejects a standby's answer to a statement that selects `in_recovery`. */
function fromPrimary(rows: ValuesRowList<Row[]>) {
  const column = rows.columns.findIndex(({ name }) => name === 'in_recovery')
  if (rows[0]?.[column] === true) throw new ServerInRecovery()
  return rows
}

/** A connection that cannot roll back is closed, and then the server does it. */
async function rollback(connection: Connection) {
  if (!connection.usable()) return
  await connection.send('rollback').catch((error: unknown) => {
    connection.discard(
      new ConnectionLost('The transaction could not be rolled back', { cause: error })
    )
  })
}
