import t from 'tap'
import { sendRaw } from '../support/raw-requests.ts'
import { ask, valuesOf } from './asking.ts'
import type { Sent } from './asking.ts'
import { appPage } from './proxies.ts'
import { aWorld, theProxies } from './world.ts'

// nginx, HAProxy and Caddy as deploy/ configures them, in front of two instances and a service.
const world = await aWorld(t)
const { requests } = world.service
const ada = await world.signedInUser()
const bob = await world.signedInUser()

for (const { name, port } of await theProxies(t, world)) {
  const send = (sent: Sent) => ask(port, requests, sent)
  const asAda = (sent: Sent = {}) => send({ cookie: ada.cookie, ...sent })

  t.test(`${name}: the app, the portal and the service share one host`, async (t) => {
    t.match(await send({ path: '/' }), { status: 200, body: appPage })
    t.match(await send({ path: '/api/auth/session' }), { status: 200, body: /"user":null/ })
    t.match(await send({ path: '/.well-known/jwks.json' }), { status: 200, body: /"ES256"/ })
    for (const path of [
      '/.well-known/change-password',
      '/.well-known/passkey-endpoints',
      '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
    ]) {
      t.match(await send({ path }), { status: 404, code: 'not-found' }, 'not the page of the app')
    }
    const answer = await asAda({ path: '/api/invoices/7?page=2' })
    t.match(answer, { status: 200, seen: { method: 'GET', url: '/api/invoices/7?page=2' } })
    t.same(valuesOf(answer.seen, 'portal-user'), [ada.id])
    t.same(valuesOf(answer.seen, 'portal-assurance'), ['1'])
    t.match(valuesOf(answer.seen, 'portal-roles'), [/^role-[0-9a-f]+ user$/])
    t.match(valuesOf(answer.seen, 'portal-permissions'), [/^invoices:read /])
    t.same(valuesOf(answer.seen, 'cookie'), [], 'the service gets no session')
  })

  t.test(`${name}: a body reaches the service, and never the portal`, async (t) => {
    const answer = await asAda({ method: 'POST', body: '{"total":12}' })
    t.match(answer, { status: 200, seen: { method: 'POST', body: '{"total":12}' } })
  })

  t.test(`${name}: refusals are problem documents of the portal`, async (t) => {
    const nobody = await send({})
    t.match(nobody, { status: 401, code: 'unauthenticated', seen: undefined })
    t.equal(nobody.headers['cache-control'], 'no-store')
    const stranger = await world.signedInUser([])
    const refused = await send({ cookie: stranger.cookie })
    t.match(refused, { status: 403, code: 'permission-denied', seen: undefined })
    t.match(JSON.parse(refused.body), { instance: /^urn:uuid:/ }, 'the one that the log names')
  })

  t.test(`${name}: a page of another site changes nothing at the service`, async (t) => {
    const foreign: Sent['headers'] = [['Origin', 'https://evil.example']]
    const fetched: Sent['headers'] = [['Sec-Fetch-Site', 'cross-site']]
    for (const headers of [foreign, fetched, [...foreign, ...fetched]]) {
      for (const method of ['POST', 'PUT', 'DELETE', 'PURGE']) {
        const answer = await asAda({ method, headers })
        t.match(answer, { status: 403, code: 'cross-site', seen: undefined }, method)
      }
    }
    t.match(await asAda({ headers: foreign }), { status: 200 }, 'browsers protect reading')
    const own: Sent['headers'] = [
      ['Origin', 'http://localhost:3000'],
      ['Sec-Fetch-Site', 'same-origin']
    ]
    t.match(await asAda({ method: 'POST', headers: own }), { status: 200 })
  })

  t.test(`${name}: a page of another site opens no WebSocket`, async (t) => {
    const handshakeFrom = (origin: string) =>
      asAda({
        headers: [
          ['Connection', 'Upgrade'],
          ['Upgrade', 'websocket'],
          ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
          ['Sec-WebSocket-Version', '13'],
          ['Origin', origin]
        ]
      })
    const foreign = await handshakeFrom('https://evil.example')
    if (name === 'nginx') t.same(valuesOf(foreign.seen, 'upgrade'), [], 'a plain GET')
    else t.match(foreign, { status: 403, code: 'cross-site', seen: undefined })
    t.match(await handshakeFrom('http://localhost:3000'), { status: 200 })
  })

  t.test(`${name}: a client cannot name another method`, async (t) => {
    for (const header of ['X-Original-Method', 'X-Forwarded-Method', 'X_Original_Method']) {
      for (const value of ['GET', 'get', 'GET, GET', '']) {
        const headers: Sent['headers'] = [
          [header, value],
          [header, value],
          ['Sec-Fetch-Site', 'cross-site']
        ]
        const answer = await asAda({ method: 'POST', headers })
        t.match(answer, { status: 403, seen: undefined }, `${header}: ${value}`)
        t.match(await asAda({ headers: headers.slice(0, 2) }), { status: 200 }, 'it is ignored')
      }
    }
    for (const method of ['get', 'M-SEARCH', 'post']) {
      const answer = await asAda({ method, headers: [['Sec-Fetch-Site', 'cross-site']] })
      t.ok(answer.status >= 400 && answer.status < 500, `${method}: ${answer.status}`)
      t.equal(answer.seen, undefined)
    }
  })

  t.test(`${name}: two session cookies do not sign in`, async (t) => {
    const name = ada.cookie.split('=')[0]
    for (const cookie of [`${ada.cookie}; ${bob.cookie}`, `${ada.cookie}; ${name}=x`]) {
      t.match(await send({ cookie }), { status: 401, seen: undefined })
    }
    const twice = await asAda({ headers: [['Cookie', bob.cookie]] })
    t.match(twice, { status: 401, seen: undefined }, 'in two headers')
    t.match(await asAda({ headers: [['Cookie', 'theme=dark']] }), { status: 200 })
  })

  t.test(`${name}: HEAD and OPTIONS are checked like GET`, async (t) => {
    for (const method of ['HEAD', 'OPTIONS']) {
      t.match(await asAda({ method }), { status: 200, seen: { method } })
      t.match(await send({ method }), { status: 401, seen: undefined })
    }
  })

  t.test(`${name}: another host is refused, and raises no alarm`, async (t) => {
    const targets = ['/api/invoices/7', 'http://evil.example/api/invoices/7', '/api/auth/session']
    for (const target of targets) {
      const before = requests.length
      const headers = `Host: evil.example\r\nCookie: ${ada.cookie}\r\nConnection: close\r\n`
      const { answers } = await sendRaw(port, `GET ${target} HTTP/1.1\r\n${headers}\r\n`)
      t.match(answers, [{ status: 421, body: /"code":"host-not-allowed"/ }], target)
      t.equal(requests.length, before)
    }
  })

  t.test(`${name}: every request of a connection is checked by its own cookie`, async (t) => {
    const before = requests.length
    const request = (path: string, cookie?: string, close = '') =>
      `GET /api/invoices/${path} HTTP/1.1\r\nHost: localhost\r\n${cookie ? `Cookie: ${cookie}\r\n` : ''}${close}\r\n`
    const { answers } = await sendRaw(
      port,
      request('a', ada.cookie) +
        request('b', bob.cookie) +
        request('c') +
        request('d', ada.cookie, 'Connection: close\r\n')
    )
    t.same(
      answers.map(({ status }) => status),
      [200, 200, 401, 200]
    )
    t.same(
      requests.slice(before).map((seen) => [seen.url, valuesOf(seen, 'portal-user')]),
      [
        ['/api/invoices/a', [ada.id]],
        ['/api/invoices/b', [bob.id]],
        ['/api/invoices/d', [ada.id]]
      ]
    )
  })

  t.test(`${name}: no spelling of a path passes the check by`, async (t) => {
    const ambiguous = [
      '/api/invoices//7',
      '/api//invoices/7',
      '//api/invoices/7',
      '/api/./invoices/7',
      '/api/invoices/../invoices/7',
      '/api/invoices/..',
      '/api/invoices/..;/7',
      '/api/invoices/7;jsessionid=1',
      '/api/invoices/%2e%2e/7',
      '/api/invoices/%2E%2E%2F7',
      '/api/invoices%2f7',
      '/api/invoices/%252e%252e/7',
      '/api/invoices/..%5c7',
      '/api/invoices/..\\7',
      '/api/invoices/%00',
      '/api/invoices/7%23',
      '/assets/../api/invoices/7',
      '/assets/%2e%2e/api/invoices/7',
      '/API/INVOICES/7',
      '/%61pi/invoices/7',
      '/api/%69nvoices/7',
      '/_portal/invoices',
      '/api/auth/../invoices/7',
      '/api/auth/..%2finvoices/7'
    ]
    for (const path of ambiguous) {
      t.match(await send({ path }), { seen: undefined }, `${path} without a session`)
      const answer = await asAda({ path })
      const passed = answer.seen && {
        url: answer.seen.url,
        user: valuesOf(answer.seen, 'portal-user')
      }
      // Where it does reach the service, in the spelling of the client, it was checked.
      if (passed) {
        t.match(passed, { url: /^\/(%61|a)pi\/(%69|i)nvoices\/7$/i, user: [ada.id] }, path)
      }
    }
    t.match(await asAda({ path: '/api/invoices/a%20b?path=//..;%2e' }), { status: 200 })
    const absolute = `GET http://localhost/api/invoices/7 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    t.match((await sendRaw(port, absolute)).answers, [{ status: name === 'Caddy' ? 400 : 401 }])
  })
}
