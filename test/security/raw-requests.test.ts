import { STATUS_CODES } from 'node:http'
import t from 'tap'
import { aUser, ownApp, signedIn } from '../support/app.ts'
import { portOf, sendRaw } from '../support/raw-requests.ts'

// Requests that are written byte by byte, because no ordinary client sends them.

const app = await ownApp(t)
await app.listen({ host: '127.0.0.1', port: 0 })
const port = portOf(app)
const user = await aUser(app.database)
const cookie = await signedIn(app, user.email)

const host = 'Host: localhost'
const request = (line: string, headers: string[], body = '') =>
  `${[line, ...headers].join('\r\n')}\r\n\r\n${body}`
const get = (target: string, ...headers: string[]) =>
  request(`GET ${target} HTTP/1.1`, headers.length > 0 ? headers : [host])
const toHost = (name: string) => get('/api/auth/me', `Host: ${name}`)
/** With these headers besides an ordinary one. */
const withHeader = (...headers: string[]) => get('/api/auth/me', host, ...headers)
const posted = (body: string, ...headers: string[]) =>
  request(
    'POST /api/auth/login HTTP/1.1',
    [host, 'Content-Type: application/json', ...headers],
    body
  )
/** Signs the user out if it is ever parsed as a separate request. */
const smuggled = request('POST /api/auth/logout HTTP/1.1', [
  host,
  `Cookie: ${cookie}`,
  'Content-Length: 0'
])
const chunked = 'Transfer-Encoding: chunked'
const end = '0\r\n\r\n'

/** A request, and the status and the code of its only response. */
type Row = [name: string, bytes: string, status?: number, code?: string]

const refusedByThePortal: Row[] = [
  ['a whole URL', get('http://localhost/api/auth/me')],
  ['a whole URL of another host', get('http://evil.example/health')],
  ['an asterisk for a target', request('OPTIONS * HTTP/1.1', [host])],
  ['dot segments', get('/api/user/../auth/me'), 404, 'not-found'],
  ['encoded dot segments', get('/api/user/%2e%2e/auth/me'), 404, 'not-found'],
  ['a backslash', get('/api\\auth\\me'), 404, 'not-found'],
  ['a fragment', get('/api/auth/me#x')],
  ['version 2.0 of HTTP', request('GET /health HTTP/2.0', [host]), 505, 'http-version'],
  ['version 0.9 of HTTP', request('GET /health HTTP/0.9', [host]), 505, 'http-version'],
  ['TRACE', request('TRACE /api/auth/me HTTP/1.1', [host]), 405, 'method-not-allowed'],
  ['a long address', get(`/api/auth/me?${'x'.repeat(2036)}`), 414, 'uri-too-long'],
  ['a very long address', get(`/${'x'.repeat(10_000)}`), 414, 'uri-too-long'],
  ['two Host headers', get('/health', host, 'Host: evil.example')],
  ['one Host header twice', get('/health', host, host)],
  ['no Host header', request('GET /api/auth/me HTTP/1.1', [])],
  ['no Host header in HTTP/1.0', request('GET /api/auth/me HTTP/1.0', [])],
  ['a probe without a Host header in HTTP/1.1', request('GET /health HTTP/1.1', [])],
  ['an empty Host header', toHost(''), 421, 'host-not-allowed'],
  ['another site', toHost('evil.example'), 421, 'host-not-allowed'],
  ['a host that begins like ours', toHost('localhost.evil.example'), 421, 'host-not-allowed'],
  ['a host with a user', toHost('localhost@evil.example'), 421, 'host-not-allowed'],
  ['101 headers', withHeader(...Array<string>(100).fill('X: 1')), 431, 'headers-too-large'],
  ['20 KB of headers', withHeader(`X: ${'x'.repeat(20_000)}`), 431, 'headers-too-large'],
  ['Expect', posted('{}', 'Expect: 200-ok', 'Content-Length: 2'), 417, 'expectation-failed'],
  ['GET with a body', withHeader(`Content-Length: ${smuggled.length}`) + smuggled],
  ['GET with chunks', `${withHeader(chunked)}1\r\nx\r\n${end}`],
  ['gzip, chunked', posted(end, 'Transfer-Encoding: gzip, chunked')]
]

/** The parser of Node refuses these, and the portal has to answer as for all others. */
const refusedByNode: Row[] = [
  ['a relative target', get('health')],
  ['the first words of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['version 3.1 of HTTP', request('GET /health HTTP/3.1', [host])],
  ['another protocol', 'EHLO portal\r\n\r\n'],
  ['the first bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['an unknown method', request('BREW /health HTTP/1.1', [host])],
  ['a lowercase method', request('get /health HTTP/1.1', [host])],
  ['line feeds alone', 'GET /api/auth/me HTTP/1.1\nHost: localhost\n\n'],
  ['a carriage return in a header', withHeader('X: a\rb')],
  ['a folded header', withHeader('X: a', ' b')],
  ['NUL in a header', withHeader('X: a\0b')],
  ['a blank before a colon', withHeader('Content-Length : 4')],
  ['a header without a colon', withHeader('nothing')],
  ['both lengths', posted(end + smuggled, 'Content-Length: 4', chunked)],
  ['two lengths', posted('{}xx', 'Content-Length: 2', 'Content-Length: 4')],
  ...['+2', '-1', '0x2', '2, 2'].map((length): Row => [
    `the length ${length}`,
    posted('{}', `Content-Length: ${length}`)
  ]),
  ['identity', posted(smuggled, 'Transfer-Encoding: identity')],
  ['xchunked', posted(smuggled, 'Transfer-Encoding: xchunked')],
  ['two encodings', posted(end, chunked, 'Transfer-Encoding: identity')],
  ['an invalid chunk size', posted(`zz\r\n${smuggled}`, chunked)],
  ['an endless chunk size', posted(`fffffffffffffffff\r\n${smuggled}`, chunked)],
  ['a header without a name', withHeader(': x')]
]

for (const [who, rows] of [
  ['the portal', refusedByThePortal],
  ['the parser', refusedByNode]
] as const) {
  t.test(`requests that ${who} refuses get one response, and nothing after it runs`, async (t) => {
    for (const [name, bytes, status = 400, code = 'malformed-request'] of rows) {
      // Valid requests ask for the end of the connection, so that that of the response is visible.
      const sent =
        status === 404 || status === 405
          ? bytes.replace(host, `${host}\r\nConnection: close`)
          : bytes
      const { text, answers } = await sendRaw(port, sent)
      const [{ headers = {}, body = '{}' } = {}] = answers
      const found = {
        responses: answers.length,
        line: text.slice(0, text.indexOf('\r\n')),
        headers,
        problem: JSON.parse(body) as object,
        told: headers.server ?? headers['x-powered-by'] ?? /evil|xxxx|HPE_|smuggl|EHLO/.exec(body)
      }
      const wanted = {
        responses: 1,
        line: `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        headers: {
          ...app.securityHeaders,
          'x-request-id': /^[0-9a-f-]{36}$/,
          'content-type': 'application/problem+json; charset=utf-8',
          date: / GMT$/,
          connection: 'close'
        },
        problem: { status, code, instance: `urn:uuid:${headers['x-request-id']}` },
        told: null
      }
      t.match(found, wanted, name)
    }
    const me = await app.inject({ url: '/api/auth/me', headers: { cookie } })
    t.equal(me.statusCode, 200, 'no request has ended the session')
  })
}

t.test('a health probe may omit Host in HTTP/1.0, and name any host', async (t) => {
  for (const probe of [
    request('GET /health/live HTTP/1.0', []),
    get('/health/live', 'Host: 10.0.0.7', 'Connection: close')
  ]) {
    t.equal((await sendRaw(port, probe)).answers[0]?.status, 200)
  }
})
