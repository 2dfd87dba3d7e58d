import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { sendRaw } from '../support/raw-requests.ts'

export interface Seen {
  method: string
  url: string
  /** Headers in lowercase and trailers, in their order; `_` and other characters stay. */
  headers: [name: string, value: string][]
  body: string
}

/** A service that keeps what it gets, and returns it. Listens until the test ends. */
export async function startService(t: Test) {
  const requests: Seen[] = []
  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    const { method = '', url = '' } = request
    let body = ''
    request.setEncoding('latin1').on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      const raw = [...request.rawHeaders, ...request.rawTrailers]
      const headers = raw.flatMap((name, i): [string, string][] =>
        i % 2 === 0 ? [[name.toLowerCase(), raw[i + 1] ?? '']] : []
      )
      const seen = { method, url, headers, body }
      requests.push(seen)
      const text = method === 'HEAD' ? '' : JSON.stringify(seen)
      response.writeHead(200, { 'content-length': Buffer.byteLength(text) }).end(text)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, requests }
}

export interface Sent {
  method?: string
  /** Sent as it is. A new path of the service by default. */
  path?: string
  cookie?: string
  /** Sent as they are spelled, in this order. */
  headers?: [name: string, value: string][]
  body?: string
}

/**
 * Sends a request byte by byte as described. Returns the answer, its problem code if it has one,
 * and what the service saw of it.
 */
export async function ask(
  port: number,
  requests: Seen[],
  { method = 'GET', path, cookie, headers = [], body }: Sent = {}
) {
  const before = requests.length
  const target = path ?? `/api/invoices/${randomUUID()}`
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...(cookie === undefined ? [] : [`Cookie: ${cookie}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`])
  ]
  const { answers, text } = await sendRaw(port, `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
  const [answer] = answers
  if (!answer) throw new Error(`no answer to ${method} ${target}: ${text}`)
  const isProblem = answer.headers['content-type']?.startsWith('application/problem+json')
  return {
    status: answer.status,
    headers: answer.headers,
    body: answer.body,
    code:
      isProblem && answer.body !== ''
        ? (JSON.parse(answer.body) as { code: string }).code
        : undefined,
    seen: requests.slice(before).at(-1)
  }
}

/** The values of all headers that a service could take for this one. */
export const valuesOf = (seen: Seen | undefined, name: string) =>
  seen?.headers
    .filter(([each]) => each.replace(/[^a-z0-9]/g, '-') === name)
    .map(([, value]) => value)
