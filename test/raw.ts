import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export const portOf = (app: FastifyInstance) => (app.server.address() as AddressInfo).port

/** Sends these bytes and reads until the server closes, which it must do within `patience` ms. */
export async function sendRaw(
  port: number,
  bytes: string | Buffer,
  patience = 120_000
): Promise<{ text: string; answers: RawAnswer[] }> {
  const socket = connect(port, '127.0.0.1')
  const text = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = []
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`still open after ${patience} ms: ${Buffer.concat(chunks)}`))
    }, patience)
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
