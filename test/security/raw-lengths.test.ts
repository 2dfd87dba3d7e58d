import t from 'tap'
import { aUser, signedIn, testApp } from '../helpers.ts'
import { portOf, sendRaw } from '../raw.ts'

const app = await testApp(t)
await app.listen({ host: '127.0.0.1', port: 0 })
const port = portOf(app)
const host = 'Host: localhost\r\n'
const user = await aUser(app.database)
const cookie = await signedIn(app, user.email)
const json = 'Content-Type: application/json\r\n'
/** Signs the user out if it is ever parsed as a separate request. */
const smuggled = `POST /api/auth/logout HTTP/1.1\r\n${host}Cookie: ${cookie}\r\nContent-Length: 0\r\n\r\n`
const chunked = (size = '0', rest = '') => `${size}\r\n${rest}\r\n`

const messages: [what: string, message: string, status: number, code?: string][] = [
  ['two Host headers', `GET /health HTTP/1.1\r\n${host}Host: evil.example\r\n\r\n`, 400],
  ['one Host header twice', `GET /health HTTP/1.1\r\n${host}${host}\r\n`, 400],
  ['no Host header', 'GET /api/auth/me HTTP/1.1\r\n\r\n', 400],
  ['no Host header in HTTP/1.0', 'GET /api/auth/me HTTP/1.0\r\n\r\n', 400],
  ['an empty Host header', 'GET /api/auth/me HTTP/1.1\r\nHost:\r\n\r\n', 421, 'host-not-allowed'],
  [
    'a Host header of another site',
    'GET /api/auth/me HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    421,
    'host-not-allowed'
  ],
  [
    'a Host header that only begins like ours',
    'GET /api/auth/me HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n',
    421,
    'host-not-allowed'
  ],
  [
    'a Host header with a user',
    'GET /api/auth/me HTTP/1.1\r\nHost: localhost@evil.example\r\n\r\n',
    421,
    'host-not-allowed'
  ],
  ['a whole URL for a target', `GET http://localhost/api/auth/me HTTP/1.1\r\n${host}\r\n`, 400],
  [
    'a whole URL of another host for a target',
    `GET http://evil.example/health HTTP/1.1\r\n${host}\r\n`,
    400
  ],
  ['an asterisk for a target', `OPTIONS * HTTP/1.1\r\n${host}\r\n`, 400],
  ['a relative target', `GET health HTTP/1.1\r\n${host}\r\n`, 400],
  [
    'dot segments in the path',
    `GET /api/user/../auth/me HTTP/1.1\r\n${host}\r\n`,
    404,
    'not-found'
  ],
  [
    'encoded dot segments in the path',
    `GET /api/user/%2e%2e/auth/me HTTP/1.1\r\n${host}\r\n`,
    404,
    'not-found'
  ],
  ['a backslash in the path', `GET /api\\auth\\me HTTP/1.1\r\n${host}\r\n`, 404, 'not-found'],
  ['a fragment in the path', `GET /api/auth/me#x HTTP/1.1\r\n${host}\r\n`, 400],
  ['the first words of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['version 3.1 of HTTP', `GET /health HTTP/3.1\r\n${host}\r\n`, 400],
  ['words that are no HTTP', 'EHLO portal\r\n\r\n', 400],
  ['the first bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['an unknown method', `BREW /health HTTP/1.1\r\n${host}\r\n`, 400],
  ['a lowercase method', `get /health HTTP/1.1\r\n${host}\r\n`, 400],
  ['TRACE', `TRACE /api/auth/me HTTP/1.1\r\n${host}\r\n`, 405, 'method-not-allowed'],
  [
    'GET with a body',
    `GET /api/auth/me HTTP/1.1\r\n${host}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
    400
  ],
  [
    'GET with a chunked body',
    `GET /api/auth/me HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n${chunked('1', 'x')}${chunked()}`,
    400
  ],
  [
    'both lengths',
    `POST /api/auth/login HTTP/1.1\r\n${host}${json}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    400
  ],
  [
    'two lengths that differ',
    `POST /api/auth/login HTTP/1.1\r\n${host}${json}Content-Length: 2\r\nContent-Length: 4\r\n\r\n{}xx`,
    400
  ],
  [
    'a length with a sign',
    `POST /api/auth/login HTTP/1.1\r\n${host}${json}Content-Length: +2\r\n\r\n{}`,
    400
  ],
  [
    'a negative length',
    `POST /api/auth/login HTTP/1.1\r\n${host}${json}Content-Length: -1\r\n\r\n`,
    400
  ],
  [
    'a length in hexadecimal',
    `POST /api/auth/login HTTP/1.1\r\n${host}${json}Content-Length: 0x2\r\n\r\n{}`,
    400
  ],
  [
    'a list of lengths',
    `POST /api/auth/login HTTP/1.1\r\n${host}${json}Content-Length: 2, 2\r\n\r\n{}`,
    400
  ],
  [
    'Transfer-Encoding identity',
    `POST /api/auth/login HTTP/1.1\r\n${host}${json}Transfer-Encoding: identity\r\n\r\n${smuggled}`,
    400
  ],
  [
    'Transfer-Encoding gzip, chunked',
    `POST /api/auth/login HTTP/1.1\r\n${host}${json}Transfer-Encoding: gzip, chunked\r\n\r\n${chunked()}`,
    400
  ],
  [
    'Transfer-Encoding xchunked',
    `POST /api/auth/login HTTP/1.1\r\n${host}${json}Transfer-Encoding: xchunked\r\n\r\n${smuggled}`,
    400
  ],
  [
    'Transfer-Encoding twice',
    `POST /api/auth/login HTTP/1.1\r\n${host}${json}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n${chunked()}`,
    400
  ],
  [
    'an invalid chunk size',
    `POST /api/auth/login HTTP/1.1\r\n${host}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n${smuggled}`,
    400
  ],
  [
    'a chunk size beyond all numbers',
    `POST /api/auth/login HTTP/1.1\r\n${host}${json}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n${smuggled}`,
    400
  ],
  ['line feeds alone', 'GET /api/auth/me HTTP/1.1\nHost: localhost\n\n', 400],
  [
    'a carriage return alone inside of a header',
    `GET /api/auth/me HTTP/1.1\r\n${host}X: a\rb\r\n\r\n`,
    400
  ],
  ['a folded header', `GET /api/auth/me HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`, 400],
  ['NUL in a header', `GET /api/auth/me HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`, 400],
  [
    'a blank before the colon of a header',
    `GET /api/auth/me HTTP/1.1\r\n${host}Content-Length : 4\r\n\r\n`,
    400
  ],
  ['a header without a name', `GET /api/auth/me HTTP/1.1\r\n${host}: x\r\n\r\n`, 400],
  ['a header without a colon', `GET /api/auth/me HTTP/1.1\r\n${host}nothing\r\n\r\n`, 400],
  [
    'a hundred and one headers',
    `GET /api/auth/me HTTP/1.1\r\n${host}${'X: 1\r\n'.repeat(100)}\r\n`,
    431,
    'headers-too-large'
  ],
  [
    'twenty kilobytes of headers',
    `GET /api/auth/me HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers-too-large'
  ],
  [
    'an address of 2049 characters',
    `GET /api/auth/me?${'x'.repeat(2036)} HTTP/1.1\r\n${host}\r\n`,
    414,
    'uri-too-long'
  ],
  [
    'an address of ten kilobytes',
    `GET /${'x'.repeat(10_000)} HTTP/1.1\r\n${host}\r\n`,
    414,
    'uri-too-long'
  ],
  [
    'an unsupported expectation',
    `POST /api/auth/login HTTP/1.1\r\n${host}Expect: 200-ok\r\n${json}Content-Length: 2\r\n\r\n{}`,
    417,
    'expectation-failed'
  ]
]

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
        connection: 'close'
      })
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

t.test('CONNECT does not open a tunnel', async (t) => {
  const { text } = await sendRaw(port, `CONNECT localhost:5432 HTTP/1.1\r\n${host}\r\n`)
  t.notMatch(text, /^HTTP\/1.1 2/)
})

t.test('an upgrade to another protocol is ignored', async (t) => {
  for (const protocol of ['websocket', 'h2c']) {
    const { answers } = await sendRaw(
      port,
      `GET /health/live HTTP/1.1\r\n${host}Connection: Upgrade, close\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n`
    )
    t.same(
      answers.map(({ status }) => status),
      [200]
    )
  }
})

t.test('a health probe may omit Host or name any host, but not two', async (t) => {
  t.equal((await sendRaw(port, 'GET /health/live HTTP/1.0\r\n\r\n')).answers[0]?.status, 200)
  t.equal(
    (
      await sendRaw(
        port,
        'GET /health/live HTTP/1.1\r\nHost: 10.0.0.7\r\nConnection: close\r\n\r\n'
      )
    ).answers[0]?.status,
    200
  )
})

t.test('pipelined valid requests on one connection all get a response', async (t) => {
  const one = `GET /health/live HTTP/1.1\r\n${host}\r\n`
  const { answers } = await sendRaw(
    port,
    `${one}${one}${one.replace(host, `${host}Connection: close\r\n`)}`
  )
  t.same(
    answers.map(({ status }) => status),
    [200, 200, 200]
  )
})

t.test('the session that the requests tried to end is still active', async (t) => {
  t.equal((await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 200)
})
