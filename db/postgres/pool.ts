import pLimit from 'p-limit'
import postgres from 'postgres'
import { connect } from './connection.ts'
import type { Connection, Host } from './connection.ts'
import { deadline } from '../deadline.ts'
import { ConnectionLost, DatabaseTimeout, fromDatabase, isNoAnswer, isReadOnly } from '../errors.ts'
import type { ServerUrl } from '../url.ts'

/** Uses of a connection, including those that wait for one. More are rejected at once. */
const inFlightLimit = 1000

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
    connection: { application_name: name, ...url.settings, ...parameters }
  })
  const idle: Connection[] = []
  const inUse = new Set<Promise<unknown>>()
  const slots = new Set<Promise<unknown>>()
  const whenOneIsFree = pLimit(max)
  /** The index of the host that was the primary last. */
  let primary = 0
  let closed = false

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
        const connection = await connect(options, hosts[index] as Host, lifetime)
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
    if (connection.usable() && !closed && !connection.isOld()) {
      idle.push(connection)
      return
    }
    if (connection.usable()) connection.end()
    await connection.gone
  }
  const inSlot = (work: () => Promise<void>) => {
    const slot = whenOneIsFree(work).finally(() => slots.delete(slot))
    slots.add(slot)
  }

  return {
    options,
    hosts,
    load: () => inUse.size,
    /**
     * Runs `work` with a connection. After `ms`, which include waiting for the connection, `work`
     * is aborted together with its connection, or does not begin any more.
     */
    async use<T>(work: (connection: Connection) => PromiseLike<T>, ms: number): Promise<T> {
      if (closed) throw fromDatabase(new ConnectionLost('The database is closed'))
      if (inUse.size >= inFlightLimit) {
        throw fromDatabase(new DatabaseTimeout('Too many operations are waiting for the database'))
      }
      let late = false
      let connection: Connection | undefined
      const outcome = new Promise<T>((resolve, reject) =>
        inSlot(async () => {
          if (late) return
          try {
            connection = take() ?? (await open()) // continues after the deadline, for the next use
          } catch (error) {
            return reject(error)
          }
          const using = connection
          if (!late) {
            await using.run(work).then(resolve, (error: Error) => {
              if (isReadOnly(error)) using.discard(error) // so that the next use finds the primary
              reject(error)
            })
          }
          await giveBack(using)
        })
      )
      inUse.add(outcome)
      try {
        return await deadline(outcome, ms, () => {
          late = true
          connection?.discard(new DatabaseTimeout('Aborted after the deadline'))
        })
      } catch (error) {
        throw fromDatabase(error)
      } finally {
        inUse.delete(outcome)
      }
    },
    async close() {
      closed = true
      await Promise.all(idle.splice(0).map(giveBack))
      await Promise.all(slots)
    }
  }
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
    connect_timeout: 5,
    max_lifetime: null, // otherwise it could end a connection that is about to be used
    fetch_types: false, // a query of the driver, whose failure could not be caught
    onnotice: () => {}
  } as object)
  const [port = 5432] = options.port
  const ownHosts = url.hosts.map((each): Host => ({ host: each.name, port: each.port ?? port }))
  const defaults: Host[] = options.path
    ? [{ path: options.path }]
    : options.host.map((host) => ({ host, port }))
  return { options, hosts: ownHosts.length > 0 ? ownHosts : defaults }
}
