import { connect as dial, isIP } from 'node:net'
import type { Socket } from 'node:net'
import { checkServerIdentity, connect as startTls } from 'node:tls'
import type { PeerCertificate } from 'node:tls'
import postgres from 'postgres'
import type { ParsedOptions, PendingQuery, PostgresType, Row, Sql } from 'postgres'
import { deadline } from '../deadline.ts'
import { ConnectionLost, ServerInRecovery, TlsRefused } from '../errors.ts'
import { statements } from '../statements.ts'
import type { SentStatement } from '../statements.ts'
import { withSlack } from '../transaction.ts'

type ClientOptions = ParsedOptions<Record<string, PostgresType>> & {
  sslnegotiation?: string | null
}
export type Host = { host: string; port: number } | { path: string }
type Query = PendingQuery<Row[]>

export interface Connection {
  /** @throws ConnectionLost when the connection has been lost, as it may be in a transaction */
  send(...statement: Parameters<Sql['unsafe']>): Query
  usable(): boolean
  isOld(): boolean
  /** Settles as `work` does, or rejects with the reason of `discard`. One call at a time. */
  run<T>(work: (connection: Connection) => PromiseLike<T>): Promise<T>
  /** Milliseconds until the COMMIT that is under way is late, or 0. */
  commitLeft(): number
  /**
   * Aborts the connection: its work rejects with `reason` and is cancelled on the server, unless it
   * is being committed.
   */
  discard(reason: Error): void
  end(): void
  /**
   * Resolves when the server has closed the connection: a backend closes its socket last, and then
   * no longer counts towards max_connections. Resolves two seconds after the end at the latest, but
   * not while a COMMIT is under way: its backend does not notice that the connection was closed.
   */
  gone: Promise<void>
  /** Closes the connection at once. Nothing is cancelled. */
  abandon(): void
}

const openDeadline = 3000
const endDeadline = 2000
/** Milliseconds after which a COMMIT is late, as when its synchronous standby is gone. */
const commitPatience = 3000

/**
 * A client with one connection to one host. A lost connection is not opened again: in a transaction
 * the next statement would run outside of it, and postgres.js (3.4.9) itself would write to the
 * closed socket, which ends the process. Resolves when the server has answered.
 * @throws ServerInRecovery for a standby
 */
export async function connect(
  options: ClientOptions,
  host: Host,
  lifetime: number,
  onLateCommit: (connection: Connection) => void = () => {}
): Promise<Connection> {
  const oldAt = performance.now() + lifetime
  const sockets = new Set<Socket>()
  let usable = true
  let mayDial = true
  const unfinished = new Map<Query, string>()
  let fail: (reason: Error) => void = () => {}
  let closed: () => void = () => {}
  const gone = new Promise<void>((resolve) => {
    closed = resolve
  })

  /** The driver calls this for the connection, and for each request to cancel a statement. */
  const socket = async () => {
    // Otherwise the driver would connect again, endlessly if the server accepts and closes, to send
    // queued statements outside of their transaction.
    if (!mayDial) throw new ConnectionLost('The server closed the connection')
    mayDial = false
    const socket = dial(host)
    sockets.add(socket)
    await reached(socket, 'connect')
    if (!options.ssl) return socket
    const secured = await withTls(socket, options, host)
    sockets.add(secured)
    return secured
  }
  const client = postgres({
    ...options,
    host: ['host' in host ? host.host : host.path], // with several, the driver delays the next
    port: ['port' in host ? host.port : 0],
    target_session_attrs: null, // the driver would retry endlessly; checked below
    ssl: false, // `socket` returns a connection that has it
    socket,
    max: 1,
    onclose() {
      usable = false
      closed()
      client.end({ timeout: 0 }).catch(() => {}) // rejects what the driver has queued
      // Later than the driver, which may have a reason.
      setImmediate(() => fail(new ConnectionLost('The connection to the database was lost')))
    }
  } as object)
  const leave = async (timeout: number, before?: Promise<void>) => {
    usable = false
    const late = setTimeout(destroy, endDeadline).unref()
    void gone.then(() => clearTimeout(late))
    await Promise.race([before, gone])
    client.end({ timeout }).catch(() => {})
  }
  const destroy = () => {
    for (const each of sockets) each.destroy()
    closed()
  }
  /**
   * Cancels the running statement. Resolves when the server has received the request or cannot be
   * reached. The driver's own `cancel()` drops the promise of its request: a failure would end the
   * process.
   */
  const cancel = async () => {
    for (const query of unfinished.keys()) {
      const { active, canceller } = query as unknown as {
        active: boolean
        canceller: (query: Query) => Promise<void>
      }
      if (!active) continue
      mayDial = true // the driver connects at once
      return canceller(query).catch(() => {})
    }
  }
  /** Settles with the COMMIT that is under way, if there is one. */
  const committed = () => {
    const [query] = [...unfinished].find(([, text]) => text === 'commit') ?? []
    return query?.then(
      () => {},
      () => {}
    )
  }
  let commitLateAt = 0
  const expect = (commit: Query) => {
    const patience = withSlack(commitPatience)
    commitLateAt = performance.now() + patience
    const late = setTimeout(() => onLateCommit(connection), patience).unref()
    const stop = () => {
      commitLateAt = 0
      clearTimeout(late)
    }
    commit.then(stop, stop)
  }
  const connection: Connection = {
    gone,
    usable: () => usable,
    isOld: () => performance.now() > oldAt,
    commitLeft: () => Math.max(0, commitLateAt - performance.now()),
    send(...statement) {
      if (!usable) throw new ConnectionLost('The connection was lost within a transaction')
      const query: Query = client.unsafe(...statement)
      const finish = () => {
        unfinished.delete(query)
      }
      unfinished.set(query, statement[0])
      if (statement[0] === 'commit') expect(query)
      query.then(finish, finish)
      if (statements.hasSubscribers) {
        statements.publish({ text: statement[0], result: query } satisfies SentStatement)
      }
      return query
    },
    run: (work) =>
      new Promise((resolve, reject) => {
        fail = reject
        work(connection).then(resolve, reject)
      }),
    discard(reason) {
      fail(reason)
      const end = committed()
      // A cancelled COMMIT no longer waits for the synchronous standby: others would see a change
      // that a failover takes back, and a repeated request would find nothing left to do.
      if (end) {
        usable = false
        void Promise.race([end, gone]).then(() => leave(0))
      }
      // Cancel first: PgBouncer forgets the key for it when the connection ends.
      else void leave(0, cancel())
    },
    abandon: destroy,
    end() {
      void leave(endDeadline / 1000)
    }
  }
  try {
    // A separate statement, because the driver sends the first one when the connection opens,
    // however late that is.
    const first = connection.send('select pg_is_in_recovery() as in_recovery')
    const [row] = await deadline(first, withSlack(openDeadline))
    if (row?.in_recovery) throw new ServerInRecovery()
    return connection
  } catch (error) {
    destroy()
    connection.discard(new ConnectionLost('The database does not answer'))
    throw error
  }
}

const reached = <T = void>(socket: Socket, event: 'connect' | 'data' | 'secureConnect') =>
  new Promise<T>((resolve, reject) => {
    socket
      .once(event, resolve)
      .once('error', reject)
      .once('close', () => reject(new ConnectionLost('The connection was closed')))
  })

/** The length of the message and its code (PostgreSQL, 54.7). */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/**
 * Begins TLS, unless the server has none and `prefer` allows that. The driver (3.4.9) would keep
 * the secured socket to itself: when only the one below is destroyed, the next write to it fails
 * after the driver has removed its listeners, which ends the process.
 * @throws TlsRefused
 */
async function withTls(socket: Socket, options: ClientOptions, host: Host) {
  const { ssl } = options
  const direct = options.sslnegotiation === 'direct'
  if (!direct) {
    socket.write(sslRequest)
    const reply = await reached<Buffer>(socket, 'data')
    if (reply.toString() === 'N') {
      if (ssl === 'prefer') return socket
      throw new TlsRefused()
    }
    // More bytes would be from somebody between, and taken for encrypted ones (CVE-2021-23222).
    if (reply.toString() !== 'S') throw new ConnectionLost('The server does not begin TLS')
  }
  const name = 'host' in host ? host.host : undefined
  const secured = startTls({
    socket,
    ...(name !== undefined && isIP(name) === 0 && { servername: name }),
    ...(direct && { ALPNProtocols: ['postgresql'] }),
    rejectUnauthorized: ssl !== 'require' && ssl !== 'prefer',
    // Node would compare the certificate with `localhost` when the host is an IP address.
    checkServerIdentity: (given: string, certificate: PeerCertificate) =>
      checkServerIdentity(name ?? given, certificate)
  })
  await reached(secured, 'secureConnect')
  return secured
}
