import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from './figures.ts'

export interface Load {
  port: number
  /** Asked one after the other, by all connections together, from the first again at the end. */
  requests: Buffer[]
  connections: number
  seconds: number
  /** Milliseconds from one request of a connection to its next; without it the next comes with the answer. */
  every?: number
}

export interface Measured {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  worst: number
  /** Answers by status. */
  statuses: Record<number, number>
  /** Of a core, by what asks: near 1 it is the limit, and not what is measured. */
  asking: number
}

/** A whole request as it is sent. */
export function requestOf({
  method = 'GET',
  path,
  cookie,
  host = 'localhost'
}: {
  method?: string
  path: string
  cookie?: string
  host?: string
}) {
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${cookie ? `Cookie: ${cookie}\r\n` : ''}${method === 'GET' ? '' : 'Content-Length: 0\r\n'}\r\n`
  )
}

/**
 * Connections that each ask again as soon as they are answered. Bytes on sockets and nothing more, because a client library
 * takes as much of a core as the server it measures, and would be the limit.
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
            // Answers to one request are of one length, until they are not.
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

/** Throws when there was any other answer: what is refused is refused quickly, and would be praised for it. */
export function assertAll(status: number, name: string, { statuses }: Measured) {
  if (Object.keys(statuses).join() !== String(status)) {
    throw new Error(`${name} answered ${JSON.stringify(statuses)}`)
  }
}

/** Of a whole answer, head and body; 0 when its head is not there yet. */
function lengthOf(bytes: Buffer) {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return 0
  if (bytes[9] === 50 && bytes[10] === 48 && bytes[11] === 52) return head + 4 // 204 has no body
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1]
  if (length !== undefined) return head + 4 + Number(length)
  return bytes.includes('\r\n0\r\n\r\n', head) ? bytes.length : 0 // in chunks
}
