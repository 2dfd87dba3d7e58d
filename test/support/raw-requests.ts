import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { until } from './app.ts'

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export const portOf = (app: FastifyInstance) => (app.server.address() as AddressInfo).port

/** Sends these bytes and reads until the server closes, which it must do within `maxWait` ms. */
export async function sendRaw(
  port: number,
  bytes: string | Buffer,
  maxWait = 120_000
): Promise<{ text: string; answers: RawAnswer[] }> {
  const socket = connect(port, '127.0.0.1')
  const text = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = []
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`still open after ${maxWait} ms: ${Buffer.concat(chunks)}`))
    }, maxWait)
    const end = () => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks).toString('latin1'))
    }
    socket
      .on('data', (chunk) => chunks.push(chunk))
      .on('close', end)
      .on('error', () => {}) // a reset counts as a close
    socket.write(bytes)
  })
  return { text, answers: answersIn(text) }
}

/** A connection on which bytes were sent, and the time in ms after which the server closed it. */
export function openSlow(
  port: number,
  bytes: string,
  more?: { bytes: string; every: number }
): { socket: Socket; closed: Promise<number>; received: () => string } {
  const since = Date.now()
  const socket = connect(port, '127.0.0.1')
  let received = ''
  let timer: NodeJS.Timeout | undefined
  socket
    .on('error', () => {})
    .on('data', (chunk) => {
      received += chunk
    })
  if (bytes !== '') socket.write(bytes)
  if (more) {
    timer = setInterval(() => {
      if (socket.writable) socket.write(more.bytes)
    }, more.every)
  }
  return {
    socket,
    received: () => received,
    closed: new Promise((resolve) =>
      socket.on('close', () => {
        clearInterval(timer)
        resolve(Date.now() - since)
      })
    )
  }
}

interface HeldRequest {
  method: string
  url: string
  cookie: string
  body?: object
}

/**
 * Sends the headers of a request, and once they were read, waits: `finish` sends the body, and
 * returns the answer. Another request with the same cookie shows that this one was admitted.
 */
export async function holdBody(
  port: number,
  { method, url, cookie, body = {} }: HeldRequest
): Promise<{ finish: (other?: object) => Promise<RawAnswer> }> {
  const { length } = JSON.stringify(body)
  const headers = [
    `${method} ${url} HTTP/1.1`,
    'Host: localhost',
    `Cookie: ${cookie}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    'Expect: 100-continue',
    'Connection: close'
  ]
  const { socket, received, closed } = openSlow(port, `${headers.join('\r\n')}\r\n\r\n`)
  await until(() => received().startsWith(proceed) || socket.closed)
  return {
    async finish(other = body) {
      socket.write(JSON.stringify(other).padEnd(length))
      await closed
      const [answer] = answersIn(received().replace(proceed, ''))
      if (!answer) throw new Error(`no answer: ${received()}`)
      return answer
    }
  }
}
const proceed = 'HTTP/1.1 100 Continue\r\n\r\n'

function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = text; rest.startsWith('HTTP/1.1 ');) {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((header) => [
        header.slice(0, header.indexOf(':')).toLowerCase(),
        header.slice(header.indexOf(':') + 1).trim()
      ])
    )
    const length = Number(headers['content-length'] ?? 0)
    answers.push({
      status: Number(line.split(' ')[1]),
      headers,
      body: rest.slice(end + 4, end + 4 + length)
    })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
