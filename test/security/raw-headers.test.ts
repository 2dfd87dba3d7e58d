import t from 'tap'
import { sendRaw } from '../support/raw-requests.ts'
import { host, json, rawServer } from './raw-server.ts'

const { port, refuse } = await rawServer(t)

refuse([
  ['two Host headers', `GET /health HTTP/1.1\r\n${host}Host: evil.example\r\n\r\n`, 400],
  ['one Host header twice', `GET /health HTTP/1.1\r\n${host}${host}\r\n`, 400],
  ['no Host header', 'GET /api/auth/me HTTP/1.1\r\n\r\n', 400],
  ['no Host header in HTTP/1.0', 'GET /api/auth/me HTTP/1.0\r\n\r\n', 400],
  ['a probe without a Host header in HTTP/1.1', 'GET /health HTTP/1.1\r\n\r\n', 400],
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
    'an unsupported expectation',
    `POST /api/auth/login HTTP/1.1\r\n${host}Expect: 200-ok\r\n${json}Content-Length: 2\r\n\r\n{}`,
    417,
    'expectation-failed'
  ]
])

// The parser of Node 20.19 ignores such a header.
if (!process.versions.llhttp?.startsWith('8.')) {
  refuse([['a header without a name', `GET /api/auth/me HTTP/1.1\r\n${host}: x\r\n\r\n`, 400]])
}

t.test('a health probe may omit Host in HTTP/1.0, and name any host', async (t) => {
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
