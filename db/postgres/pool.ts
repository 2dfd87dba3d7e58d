import pLimit from 'p-limit'
import postgres from 'postgres'
import { connect } from './connection.ts'
import type { Connection, Host } from './connection.ts'
import { deadline } from '../deadline.ts'
import { ConnectionLost, DatabaseTimeout, fromDatabase, isNoAnswer, isReadOnly } from '../errors.ts'
import type { ServerUrl } from '../url.ts'

/** Users of a connection and those that wait for one; more are rejected at once. */
const inFlightLimit = 1000

interface Settings {
  max: number
  name: string
  prepare: boolean
  parameters?: Record<string, string>
  /** Milliseconds until a connection is replaced: the name may lead to another server by then. */
  lifetime?: number
}

export type Connections = ReturnType<typeof openConnections>

/**
 * At most `max` connections to the primary, each opened when it is needed and used by one at a
 * time: the driver's own pool sends a statement after another's on a busy connection, where one
 * that hangs holds up those behind it.
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
  /** The host that answered last as the primary. */
  let primary = 0
  let closed = false

  /**
   * Tries the next host when one does not answer or is a standby, but not when the primary rejects
   * the connection. Others open at the same time: only success changes where the next one begins.
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
    // A standby works as it should: the problem is the host that does not answer.
    throw errors.find((error) => !isReadOnly(error)) ?? errors[0]
  }
  const take = () => {
    let connection
    do connection = idle.pop()
    while (connection && !connection.usable())
    return connection
  }
  /** Resolves when there is room for another: not before the server has ended its side. */
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
     * After `ms`, waiting included, `work` is given up together with its connection, and it never
     * begins after that.
     */
    async use<T>(work: (connection: Connection) => PromiseLike<T>, ms: number): Promise<T> {
      if (closed) throw fromDatabase(new ConnectionLost('The database is closed'))
      if (inUse.size >= inFlightLimit) {
        throw fromDatabase(new DatabaseTimeout('Too many wait for the database'))
      }
      let late = false
      let connection: Connection | undefined
      const outcome = new Promise<T>((resolve, reject) =>
        inSlot(async () => {
          if (late) return
          try {
            connection = take() ?? (await open()) // which goes on when it is too late for this one
          } catch (error) {
            return reject(error)
          }
          const using = connection
          if (!late) {
            await using.run(work).then(resolve, (error: Error) => {
              if (isReadOnly(error)) using.discard(error) // the next one looks for the primary
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
          connection?.discard(new DatabaseTimeout('Given up'))
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

/** The driver's options for what the URL says, and the hosts in the order in which to try them. */
function driverOptions(url: ServerUrl, settings: object) {
  const { user, password, database, sslmode, sslnegotiation } = url
  // Never connects. What is undefined comes from the environment: PGUSER, PGPASSWORD, …
  const { options } = postgres({
    ...settings,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ...(sslmode !== undefined && { ssl: sslmode }),
    ...(sslnegotiation !== undefined && { sslnegotiation }),
    backoff: () => 0.25,
    connect_timeout: 5,
    max_lifetime: null, // could end a connection that is about to be used
    fetch_types: false, // a query of the driver's own, whose failure nobody could catch
    onnotice: () => {}
  } as object)
  const [port = 5432] = options.port
  const ownHosts = url.hosts.map((each): Host => ({ host: each.name, port: each.port ?? port }))
  const defaults: Host[] = options.path
    ? [{ path: options.path }]
    : options.host.map((host) => ({ host, port }))
  return { options, hosts: ownHosts.length > 0 ? ownHosts : defaults }
}
