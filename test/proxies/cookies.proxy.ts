import t from 'tap'
import { ask, startService, valuesOf } from './asking.ts'
import type { Seen } from './asking.ts'
import { aWorld, theProxies } from './world.ts'

// The cookies of the portal let their bearer act as the user. Only the portal may get them.
const world = await aWorld(t)
const ada = await world.signedInUser()
const app = await startService(t)
const session = ada.cookie.slice(ada.cookie.indexOf('=') + 1)
const device = '__Host-portal_device=secret'
const login = '__Host-portal_login=secret'
const ours = /__Host-portal_|secret/

const paths = [
  '/',
  '/index.html',
  '/assets/app.js',
  '/api/other',
  '/api/invoicesx',
  '/api/authx',
  '/ofrepx',
  '/_portal/invoices',
  '/API/auth/session',
  '/%61pi/auth/session'
]
const headers: [name: string, value: string][][] = [
  [['Cookie', `${ada.cookie}; ${device}; ${login}`]],
  [['Cookie', `theme=dark; ${ada.cookie}; lang=de`]],
  [['Cookie', `theme=dark;${ada.cookie};\t${device};lang=de`]],
  [['cookie', `${device}; theme=dark; ${login}; ${ada.cookie}`]],
  [
    ['Cookie', 'theme=dark'],
    ['Cookie', ada.cookie]
  ]
]
const leaks = (requests: Seen[]) =>
  requests.filter((seen) =>
    seen.headers.some(([, value]) => ours.test(value) || value.includes(session))
  )

for (const { name, port } of await theProxies(t, { ...world, app: app.port })) {
  t.test(`${name}: no session cookie reaches a server but the portal`, async (t) => {
    const before = { app: app.requests.length, service: world.service.requests.length }
    for (const sent of headers) {
      for (const path of paths) await ask(port, app.requests, { path, headers: sent })
    }
    for (const cookie of [ada.cookie, `theme=dark; ${ada.cookie}; ${device}; ${login}`]) {
      for (const method of ['GET', 'POST', 'HEAD']) {
        const answer = await ask(port, world.service.requests, { method, cookie })
        t.equal(answer.status, 200)
        t.same(valuesOf(answer.seen, 'cookie'), [], 'a service gets no cookies at all')
      }
    }
    t.same(leaks(app.requests), [])
    t.same(leaks(world.service.requests), [])
    t.equal(world.service.requests.length - before.service, 6)
    // nginx and Caddy serve the files of the app themselves.
    const passed = app.requests.length - before.app
    if (name === 'HAProxy') t.ok(passed >= headers.length * 8, `${passed} requests`)
    else t.equal(passed, 0)
  })
}

t.test('HAProxy: the app keeps its own cookies', async (t) => {
  const [, haproxy] = await theProxies(t, { ...world, app: app.port })
  if (!haproxy) throw new Error('HAProxy is missing')
  for (const [cookie, kept] of [
    ['theme=dark', /^theme=dark$/],
    [`${ada.cookie}; theme=dark`, /^theme=dark$/],
    [`theme=dark; ${ada.cookie}; lang=de; ${device}`, /^theme=dark; ?lang=de;?$/]
  ] as const) {
    const { seen } = await ask(haproxy.port, app.requests, { path: '/', cookie })
    t.match(valuesOf(seen, 'cookie'), [kept], cookie.replaceAll(session, '…'))
  }
  const { seen } = await ask(haproxy.port, app.requests, { path: '/', cookie: ada.cookie })
  t.same(valuesOf(seen, 'cookie'), [])
})
