import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from './figures.ts'
import { usage } from './processes.ts'
import type { Served } from './processes.ts'

export interface Load {
  port: number
  /** Sent in turn by all connections together, starting over after the last. */
  requests: Buffer[]
  connections: number
  seconds: number
  /**
   * Milliseconds between the requests of a connection; by default each follows the last response.
   */
  every?: number
}

export interface Measured {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  worst: number
  /** Number of responses by status. */
  statuses: Record<number, number>
  /** Share of a core used by the load generator. Near 1 it is the bottleneck. */
  asking: number
}

/** A complete request as bytes. */
export function requestOf({
  method = 'GET',
  path,
  cookie,
  host = 'localhost',
  headers = {},
  body,
  form
}: {
  method?: string
  path: string
  cookie?: string
  host?: string
  /** Others. */
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: object
  /** The body of a form. */
  form?: string
}) {
  const content = form ?? (body ? JSON.stringify(body) : '')
  const length = `Content-Length: ${Buffer.byteLength(content)}\r\n`
  const kind = form ? 'x-www-form-urlencoded' : 'json'
  const type = content ? `Content-Type: application/${kind}\r\n` : ''
  const others = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${cookie ? `Cookie: ${cookie}\r\n` : ''}` +
      `${others.join('')}${method === 'GET' ? '' : length}${type}\r\n${content}`
  )
}

/**
 * Opens connections that each send the next request after a response. Uses plain sockets, because a
 * client library takes as much of a core as the measured server and would be the bottleneck.
 */
export async function drive({
  port,
  requests,
  connections,
  seconds,
  every
}: Load): Promise<Measured> {
  const latencies: number[] = []
  const statuses: Record<number, number> = {}
  const start = process.cpuUsage()
  const end = performance.now() + seconds * 1000
  let next = 0
  await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(port, '127.0.0.1')
          let asked = 0
          let rest = Buffer.alloc(0)
          let size = 0
          const ask = () => {
            asked = performance.now()
            if (asked > end) return socket.end()
            const request = requests[next++ % requests.length]
            if (request) socket.write(request)
          }
          socket.setNoDelay(true)
          socket
            .on('connect', ask)
            .on('error', reject)
            .on('close', () => resolve())
          socket.on('data', (chunk) => {
            // Responses usually have the same length as before.
            rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
            if (rest.length !== size) {
              size = lengthOf(rest)
              if (size === 0 || rest.length < size) return
            }
            const status = (rest[9] ?? 0) * 100 + (rest[10] ?? 0) * 10 + (rest[11] ?? 0) - 48 * 111
            statuses[status] = (statuses[status] ?? 0) + 1
            const took = performance.now() - asked
            latencies.push(took)
            rest = Buffer.alloc(0)
            if (every === undefined) ask()
            else sleep(Math.max(0, every - took)).then(ask, reject)
          })
        })
    )
  )
  const { user, system } = process.cpuUsage(start)
  return {
    perSecond: latencies.length / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    worst: quantile(latencies, 1),
    statuses,
    asking: (user + system) / 1e6 / seconds
  }
}

/** The whole response to a request of `requestOf`, as text. */
export function responseTo(port: number, request: string) {
  const socket = connect(port, '127.0.0.1')
  socket.write(request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  return text(socket)
}

export const connections = 50

export interface ServerLoad extends Measured {
  /** Microseconds of processor time of the server for each request. */
  cpu: number
  /** MB. */
  memory: number
}

/** Loads a server with 50 connections. All responses must be 200. */
export async function driveServer(
  served: Served,
  requests: Buffer[],
  seconds: number
): Promise<ServerLoad> {
  const before = usage(served)
  const measured = await drive({ port: served.port, requests, connections, seconds })
  const after = usage(served)
  assertAll(200, served.name, measured)
  const cpu = ((after.cpuSeconds - before.cpuSeconds) / (measured.perSecond * seconds)) * 1e6
  return { ...measured, cpu, memory: after.memory }
}

/** Throws when there was any other status: rejections are fast and would improve the figures. */
export function assertAll(status: number, name: string, { statuses }: Measured) {
  if (Object.keys(statuses).join() !== String(status)) {
    throw new Error(`${name} answered ${JSON.stringify(statuses)}`)
  }
}

export function assertSame(what: string, found: unknown, expected: unknown) {
  if (found !== expected) {
    throw new Error(`${what}: ${String(found)} instead of ${String(expected)}`)
  }
}

/** Length of a response with head and body; 0 when the head is incomplete. */
function lengthOf(bytes: Buffer) {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return 0
  if (bytes[9] === 50 && bytes[10] === 48 && bytes[11] === 52) return head + 4 // 204 has no body
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1]
  if (length !== undefined) return head + 4 + Number(length)
  return bytes.includes('\r\n0\r\n\r\n', head) ? bytes.length : 0 // chunked
}
