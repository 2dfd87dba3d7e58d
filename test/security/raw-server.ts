import { STATUS_CODES } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { ownApp } from '../support/app.ts'
import { portOf, sendRaw } from '../support/raw-requests.ts'

export const host = 'Host: localhost\r\n'
export const json = 'Content-Type: application/json\r\n'

/** A request, the status of its only response, and the code of the problem. */
type Refused = [what: string, message: string, status: number, code?: string]

/** A server that listens, for requests that are sent byte by byte. */
export async function rawServer(t: Test) {
  const app = await ownApp(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const port = portOf(app)
  return { app, port, refuse: (messages: Refused[]) => refuseOn(t, { app, port }, messages) }
}

/** Adds a test for each of the messages, which the server must refuse. */
function refuseOn(
  t: Test,
  { app, port }: { app: FastifyInstance; port: number },
  messages: Refused[]
) {
  for (const [what, message, status, code = 'malformed-request'] of messages) {
    t.test(
      `${what}: ${status} with all headers of a response, and nothing after it is executed`,
      async (t) => {
        // Connection: close on valid requests, so that the end of the response is visible.
        const { text, answers } = await sendRaw(
          port,
          status === 404 || status === 405
            ? message.replace(host, `${host}Connection: close\r\n`)
            : message
        )
        t.equal(answers.length, 1, text.slice(0, 500))
        const [answer] = answers
        t.equal(answer?.status, status)
        t.match(answer?.headers, {
          ...app.securityHeaders,
          'x-request-id': /^[0-9a-f-]{36}$/,
          'content-type': 'application/problem+json; charset=utf-8',
          date: / GMT$/,
          connection: 'close'
        })
        t.equal(text.slice(0, text.indexOf('\r\n')), `HTTP/1.1 ${status} ${STATUS_CODES[status]}`)
        t.notOk(answer?.headers.server ?? answer?.headers['x-powered-by'])
        t.match(JSON.parse(answer?.body ?? ''), {
          status,
          code,
          instance: `urn:uuid:${answer?.headers['x-request-id']}`
        })
        t.notMatch(answer?.body, /evil|xxxx|HPE_|smuggl|EHLO/)
      }
    )
  }
}
