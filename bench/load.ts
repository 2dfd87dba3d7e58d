import { connect } from 'node:net'

export interface Load { port: number, path: string, cookie?: string, host?: string, connections: number, seconds: number }
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

/**
 * Connections that each ask again as soon as they are answered. Bytes on sockets and nothing more, because a client library
 * takes as much of a core as the server it measures, and would be the limit.
 */
export async function drive ({ port, path, cookie, host = 'localhost', connections, seconds }: Load): Promise<Measured> {
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${cookie ? `Cookie: ${cookie}\r\n` : ''}\r\n`)
  const latencies: number[] = []
  const statuses: Record<number, number> = {}
  const start = process.cpuUsage()
  const end = performance.now() + seconds * 1000
  await Promise.all(Array.from({ length: connections }, () => new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let asked = 0
    let rest = Buffer.alloc(0)
    let size = 0
    const ask = () => {
      asked = performance.now()
      if (asked > end) return socket.end()
      socket.write(request)
    }
    socket.setNoDelay(true)
    socket.on('connect', ask).on('error', reject).on('close', () => resolve())
    socket.on('data', (chunk) => {
      // Answers to one request are of one length, until they are not.
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      if (rest.length !== size) {
        size = lengthOf(rest)
        if (size === 0 || rest.length < size) return
      }
      const status = (rest[9] ?? 0) * 100 + (rest[10] ?? 0) * 10 + (rest[11] ?? 0) - 48 * 111
      statuses[status] = (statuses[status] ?? 0) + 1
      latencies.push(performance.now() - asked)
      rest = Buffer.alloc(0)
      ask()
    })
  })))
  const { user, system } = process.cpuUsage(start)
  latencies.sort((a, b) => a - b)
  const quantile = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? NaN
  return { perSecond: latencies.length / seconds, p50: quantile(0.5), p99: quantile(0.99), worst: quantile(1), statuses, asking: (user + system) / 1e6 / seconds }
}

/** Of a whole answer, head and body; 0 when its head is not there yet. */
function lengthOf (bytes: Buffer) {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return 0
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1]
  if (length !== undefined) return head + 4 + Number(length)
  return bytes.includes('\r\n0\r\n\r\n', head) ? bytes.length : 0 // in chunks
}
