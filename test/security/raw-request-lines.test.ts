import t from 'tap'
import { host, rawServer } from './raw-server.ts'

const { refuse } = await rawServer(t)

refuse([
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
  ['version 2.0 of HTTP', `GET /health HTTP/2.0\r\n${host}\r\n`, 505, 'http-version'],
  ['version 0.9 of HTTP', `GET /health HTTP/0.9\r\n${host}\r\n`, 505, 'http-version'],
  ['version 3.1 of HTTP', `GET /health HTTP/3.1\r\n${host}\r\n`, 400],
  ['words that are no HTTP', 'EHLO portal\r\n\r\n', 400],
  ['the first bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['an unknown method', `BREW /health HTTP/1.1\r\n${host}\r\n`, 400],
  ['a lowercase method', `get /health HTTP/1.1\r\n${host}\r\n`, 400],
  ['TRACE', `TRACE /api/auth/me HTTP/1.1\r\n${host}\r\n`, 405, 'method-not-allowed'],
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
  ]
])
