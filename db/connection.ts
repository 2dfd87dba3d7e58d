import postgres from 'postgres'
import type { ParsedOptions, PostgresType, Sql } from 'postgres'
import { deadline } from './deadline.ts'
import { ConnectionLost } from './errors.ts'

type ClientOptions = ParsedOptions<Record<string, PostgresType>>

export interface Connection {
  client: Sql
  usable (): boolean
  isOld (): boolean
  /** Settles as `work` does, or as `discard` says. One at a time. */
  run<T> (work: (connection: Connection) => PromiseLike<T>): Promise<T>
  /** Lets go of it at once: what runs fails with `reason`. */
  discard (reason: Error): void
  end (): Promise<void>
}

const openDeadline = 3000
/** Then it makes room for another, which may be to another server behind the same name. */
const lifetime = 45 * 60_000

/**
 * A client of one connection that is not made again once it is lost: in the middle of a transaction the next statement would be
 * outside of it, and postgres.js (3.4.9) itself writes to the closed socket then, which ends the process.
 * Resolves when it answers; of several hosts number `host` is tried first.
 */
export async function connect (options: ClientOptions, host: number): Promise<Connection> {
  const oldAt = performance.now() + lifetime
  let usable = true
  let fail: (reason: Error) => void = () => {}
  const client = postgres({
    ...options,
    host: rotate(options.host, host),
    port: rotate(options.port, host),
    max: 1,
    onclose () {
      usable = false
      setImmediate(() => fail(new ConnectionLost('The connection to the database was lost'))) // unless the driver said why
    }
  } as object)
  const connection: Connection = {
    client,
    usable: () => usable,
    isOld: () => performance.now() > oldAt,
    run: (work) => new Promise((resolve, reject) => {
      fail = reject
      work(connection).then(resolve, reject)
    }),
    discard (reason) {
      usable = false
      fail(reason)
      client.end({ timeout: 0 }).catch(() => {})
    },
    async end () {
      usable = false
      await client.end({ timeout: 5 }).catch(() => {})
    }
  }
  try {
    // With a statement of its own, for the driver sends the first one whenever the connection is there: too late for who waited.
    await deadline(client.unsafe('select 1'), openDeadline)
    return connection
  } catch (error) {
    connection.discard(new ConnectionLost('The database does not answer'))
    throw error
  }
}

const rotate = <T>(list: T[], by: number) => [...list.slice(by), ...list.slice(0, by)]
