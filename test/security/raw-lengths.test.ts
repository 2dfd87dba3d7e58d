import t from 'tap'
import { aUser, signedIn } from '../support/app.ts'
import { host, json, rawServer } from './raw-server.ts'

const { app, refuse } = await rawServer(t)
const user = await aUser(app.database)
const cookie = await signedIn(app, user.email)
/** Signs the user out if it is ever parsed as a separate request. */
const smuggled = `POST /api/auth/logout HTTP/1.1\r\n${host}Cookie: ${cookie}\r\nContent-Length: 0\r\n\r\n`
const chunked = (size = '0', rest = '') => `${size}\r\n${rest}\r\n`

refuse([
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
  ]
])

t.test('the session that the requests tried to end is still active', async (t) => {
  t.equal((await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 200)
})
