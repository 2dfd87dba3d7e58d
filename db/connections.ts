import pLimit from 'p-limit'
import postgres from 'postgres'
import { connect } from './connection.ts'
import type { Connection } from './connection.ts'
import { deadline } from './deadline.ts'
import { ConnectionLost, DatabaseTimeout } from './errors.ts'

/** Who uses a connection or waits for one; more are refused at once. */
const inFlightLimit = 1000

interface Settings { max: number, name: string, prepare: boolean, parameters?: Record<string, number> }

export type Connections = ReturnType<typeof openConnections>

/**
 * At most `max` connections, each made when it is needed and used by one at a time: the driver's own pool sends a statement after
 * another's on a busy connection, where one that hangs holds up those behind it.
 */
export function openConnections (url: string, { max, name, prepare, parameters }: Settings) {
  // Knows what the URL says, and never connects.
  const { options } = postgres(url, {
    backoff: () => 0.25, // between two of several hosts
    max_lifetime: null, // could end a connection that is about to be used
    fetch_types: false, // a query of the driver's own, whose failure nobody could catch
    prepare,
    onnotice: () => {},
    connection: { application_name: name, ...parameters }
  })
  const idle: Connection[] = []
  const inUse = new Set<Promise<unknown>>()
  const whenOneIsFree = pLimit(max)
  let firstHost = 0
  let closed = false

  const open = async () => {
    const host = firstHost
    try {
      return await connect(options, host)
    } catch (error) {
      firstHost = (host + 1) % options.host.length
      throw error
    }
  }
  const take = () => {
    let connection
    do connection = idle.pop()
    while (connection && !connection.usable())
    return connection
  }
  const giveBack = (connection: Connection) => {
    if (!connection.usable()) return
    if (closed || connection.isOld()) connection.end()
    else idle.push(connection)
  }

  return {
    options,
    load: () => inUse.size,
    /** After `ms`, waiting included, `work` is given up together with its connection; what did not begin by then does not begin. */
    async use<T> (work: (connection: Connection) => PromiseLike<T>, ms: number): Promise<T> {
      if (closed) throw new ConnectionLost('The database is closed')
      if (inUse.size >= inFlightLimit) throw new DatabaseTimeout('Too many wait for the database')
      let late = false
      let connection: Connection | undefined
      const turn = whenOneIsFree(async () => {
        const free = late ? undefined : take() ?? await open() // which goes on when it is too late for this one
        try {
          if (!free || late) throw new DatabaseTimeout('No connection was free in time')
          connection = free
          return await connection.run(work)
        } finally {
          if (free) giveBack(free)
        }
      })
      inUse.add(turn)
      try {
        return await deadline(turn, ms, () => {
          late = true
          connection?.discard(new DatabaseTimeout('Given up'))
        })
      } finally {
        inUse.delete(turn)
      }
    },
    async close () {
      closed = true
      await Promise.all(idle.map((connection) => connection.end()))
      await Promise.allSettled(inUse)
    }
  }
}
