import pLimit from 'p-limit'
import postgres from 'postgres'
import { deadline } from '../deadline.ts'
import {
  CommitsWaiting,
  ConnectionLost,
  DatabaseTimeout,
  fromDatabase,
  isNoAnswer,
  isReadOnly
} from '../errors.ts'
import { withSlack } from '../transaction.ts'
import type { ServerUrl } from '../url.ts'
import { connect } from './connection.ts'
import type { Connection, Host } from './connection.ts'

/** Uses of a connection, including those that wait for one. More are rejected at once. */
const inFlightLimit = 1000

/** Milliseconds between two checks whether late commits still run on the server. */
const askInterval = 5000
/** For a server that is gone while its connection seems open, as after a power failure. */
const runningCommits = `select 1 from pg_stat_activity where usename = current_user
  and state = 'active' and query = 'commit' and query_start < now() - interval '3 seconds' limit 1`

interface Settings {
  max: number
  name: string
  prepare: boolean
  parameters?: Record<string, string>
  /** Milliseconds until a connection is replaced, because a host name may change its address. */
  lifetime?: number
}

export type Connections = ReturnType<typeof openConnections>

/**
 * At most `max` connections to the primary. Each is opened on demand and has one user at a time.
 *
 * While the synchronous standby of the primary is gone, commits do not end, and their backends
 * remain even when the connection is closed. So such a connection keeps its place until its COMMIT
 * has ended. In the meantime up to half of `max` more connections serve reads, and no change begins
 * while half of `max` run.
 *
 * postgres.js has a pool, but with it (3.4.9):
 * - a connection that is lost in a transaction ends the process, and statements can run outside of
 *   their transaction after a reconnect (porsager/postgres #1066, #1133, #1154, #1208; the pull
 *   requests #1155 and #1168 are not merged);
 * - two transactions can share one connection (#823, #1189, #1204);
 * - statements wait without limit, and behind a statement that hangs on the same connection.
 * This folder may go when a release solves all three, or with another driver: `pg` has such a pool.
 */
export function openConnections(url: ServerUrl, settings: Settings) {
  const { max, name, prepare, parameters, lifetime = 45 * 60_000 } = settings
  const { options, hosts } = driverOptions(url, {
    prepare,
    // The driver reads dates of this style only. PgBouncer passes it on, as it does the encoding
    // UTF8, which the driver sends.
    connection: { application_name: name, DateStyle: 'ISO', ...url.settings, ...parameters }
  })
  const idle: Connection[] = []
  const inUse = new Set<Promise<unknown>>()
  const slots = new Set<Promise<unknown>>()
  const whenOneIsFree = pLimit(max)
  /** The index of the host that was the primary last. */
  let primary = 0
  let closed = false
  const half = Math.ceil(max / 2)
  /** Connections whose COMMIT is late, until they are gone. */
  const late = new Set<Connection>()
  let changes = 0
  let asking: NodeJS.Timeout | undefined

  const adjust = () => {
    whenOneIsFree.concurrency = max + Math.min(late.size, half)
    if (late.size > 0) {
      asking ??= setInterval(() => {
        void ask()
      }, askInterval).unref()
    } else {
      clearInterval(asking)
      asking = undefined
    }
  }
  const onLateCommit = (connection: Connection) => {
    late.add(connection)
    adjust()
    if (closed && !connection.usable()) connection.abandon()
  }
  const mayChange = () => late.size === 0 || changes < half
  /** Closes connections that were given up and whose COMMIT no server executes any more. */
  const ask = async () => {
    const givenUp = [...late].filter((connection) => !connection.usable())
    if (givenUp.length === 0) return
    const running = await use(({ send }) => send(runningCommits), 1000).catch(() => undefined)
    if (running?.length === 0) for (const connection of givenUp) connection.abandon()
  }

  /**
   * Tries the next host when one does not answer or is a standby, but not when the primary rejects
   * the connection. Several calls may run at a time, so only success changes the first host.
   */
  const open = async () => {
    const first = primary
    const errors: unknown[] = []
    for (let i = 0; i < hosts.length; i++) {
      const index = (first + i) % hosts.length
      try {
        const connection = await connect(options, hosts[index] as Host, lifetime, onLateCommit)
        primary = index
        return connection
      } catch (error) {
        if (!isNoAnswer(error) && !isReadOnly(error)) throw error
        errors.push(error)
      }
    }
    // A standby is healthy. The problem is the host that does not answer.
    throw errors.find((error) => !isReadOnly(error)) ?? errors[0]
  }
  const take = () => {
    let connection
    do connection = idle.pop()
    while (connection && !connection.usable())
    return connection
  }
  /** Resolves when another connection may be opened: after the server has closed this one. */
  const giveBack = async (connection: Connection) => {
    if (connection.usable() && !closed && !connection.isOld() && !late.has(connection)) {
      idle.push(connection)
      return
    }
    if (connection.usable()) connection.end()
    else if (closed && late.has(connection)) connection.abandon()
    await connection.gone
    if (late.delete(connection)) adjust()
  }
  const inSlot = (work: () => Promise<void>) => {
    const slot = whenOneIsFree(work).finally(() => slots.delete(slot))
    slots.add(slot)
  }

  /**
   * Runs `work` with a connection. After `ms`, which include waiting for the connection, `work` is
   * aborted together with its connection, or does not begin any more. A COMMIT that is under way is
   * awaited until it is late, because it would take effect after the change was reported as failed.
   * @param isChange whether it ends with a COMMIT
   */
  async function use<T>(
    work: (connection: Connection) => PromiseLike<T>,
    ms: number,
    isChange = false
  ): Promise<T> {
    if (closed) throw fromDatabase(new ConnectionLost('The database is closed'))
    if (inUse.size >= inFlightLimit) {
      throw fromDatabase(new DatabaseTimeout('Too many operations are waiting for the database'))
    }
    if (isChange && !mayChange()) throw fromDatabase(new CommitsWaiting())
    let isLate = false
    let connection: Connection | undefined
    const outcome = new Promise<T>((resolve, reject) =>
      inSlot(async () => {
        if (isLate) return
        if (isChange && !mayChange()) return reject(new CommitsWaiting())
        if (isChange) changes++
        try {
          connection = take() ?? (await open()) // continues after the deadline, for the next use
          const using = connection
          if (!isLate) {
            await using.run(work).then(resolve, (error: Error) => {
              if (isReadOnly(error)) using.discard(error) // so that the next use finds the primary
              reject(error)
            })
          }
          await giveBack(using)
        } catch (error) {
          reject(error)
        } finally {
          if (isChange) changes--
        }
      })
    )
    inUse.add(outcome)
    try {
      return await deadline(
        outcome,
        ms,
        () => {
          isLate = true
          connection?.discard(new DatabaseTimeout('Aborted after the deadline'))
        },
        () => connection?.commitLeft() ?? 0
      )
    } catch (error) {
      throw fromDatabase(error)
    } finally {
      inUse.delete(outcome)
    }
  }

  return {
    options,
    hosts,
    use,
    load: () => inUse.size,
    /** The number of connections whose COMMIT is late. */
    lateCommits: () => late.size,
    async close() {
      closed = true
      clearInterval(asking)
      for (const connection of late) if (!connection.usable()) connection.abandon()
      await Promise.all(idle.splice(0).map(giveBack))
      await Promise.all(slots)
    }
  }
}

const byteaType = 17

/**
 * Reads both values of bytea_output. The driver reads `hex` only, and PgBouncer passes no other
 * choice on.
 */
function readBytes(text: string) {
  if (text.startsWith('\\x')) return Buffer.from(text.slice(2), 'hex')
  const bytes = text.replace(/\\(\\|[0-7]{3})/g, (_, code: string) =>
    code === '\\' ? code : String.fromCharCode(parseInt(code, 8))
  )
  return Buffer.from(bytes, 'latin1')
}

/** The driver's options for a URL, and the hosts in the order in which to try them. */
function driverOptions(url: ServerUrl, settings: object) {
  const { user, password, database, sslmode, sslnegotiation } = url
  // It never connects. Missing options come from the environment: PGUSER, PGPASSWORD, …
  const { options } = postgres({
    ...settings,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ...(sslmode !== undefined && { ssl: sslmode }),
    ...(sslnegotiation !== undefined && { sslnegotiation }),
    backoff: () => 0.25,
    connect_timeout: withSlack(5),
    max_lifetime: null, // otherwise it could end a connection that is about to be used
    fetch_types: false, // a query of the driver, whose failure could not be caught
    onnotice: () => {}
  } as object)
  options.parsers[byteaType] = readBytes
  const [port = 5432] = options.port
  const ownHosts = url.hosts.map((each): Host => ({ host: each.name, port: each.port ?? port }))
  const defaults: Host[] = options.path
    ? [{ path: options.path }]
    : options.host.map((host) => ({ host, port }))
  return { options, hosts: ownHosts.length > 0 ? ownHosts : defaults }
}
