import t from 'tap'
import { aService, aServiceKey } from '../support/keys.ts'
import { ask, valuesOf } from './asking.ts'
import type { Sent } from './asking.ts'
import { aWorld, theProxies } from './world.ts'

// API keys through the proxies of deploy/, with `accept=key` in the query of the check and without.
const world = await aWorld(t)
const { requests } = world.service
const ada = await world.signedInUser()
const service = await aService(world.database, world.reader)
const key = await aServiceKey(world.database, service)
const other = await aServiceKey(world.database, await aService(world.database))
const bearer = (secret: string, scheme = 'Bearer'): [string, string] => [
  'Authorization',
  `${scheme} ${secret}`
]
const spellings = ['Bearer', 'bearer', 'BEARER', 'Bearer ', ' Bearer', 'Bearer\t']

for (const { name, port } of await theProxies(t, world, 'permission=invoices:read&accept=key')) {
  const send = (sent: Sent) => ask(port, requests, sent)

  t.test(`${name}: a key lets its service in, and the called service never sees it`, async (t) => {
    const { status, seen } = await send({ headers: [bearer(key.secret)] })
    t.equal(status, 200)
    t.same(valuesOf(seen, 'portal-service'), [service.key])
    t.same(valuesOf(seen, 'portal-key'), [key.id])
    t.same(valuesOf(seen, 'portal-permissions'), ['invoices:read'])
    t.same(valuesOf(seen, 'portal-assurance'), ['1'])
    for (const absent of ['portal-user', 'portal-session', 'authorization']) {
      t.same(valuesOf(seen, absent), [], absent)
    }
    const posted = await send({ method: 'POST', headers: [bearer(key.secret)], body: '{}' })
    t.equal(posted.status, 200)
    t.notOk(JSON.stringify(requests).includes(key.secret))
  })

  t.test(`${name}: a Portal-Service that a client sends never arrives`, async (t) => {
    const forged: [string, string][] = [
      'Portal-Service',
      'portal-service',
      'PORTAL_SERVICE',
      'portal.service',
      'Portal-Key',
      'Portal-User'
    ].map((each) => [each, 'forged'])
    for (const [sent, expected] of [
      [{ headers: [...forged, bearer(key.secret)] }, service.key],
      [{ headers: forged, cookie: ada.cookie }, undefined]
    ] as [Sent, string | undefined][]) {
      const { status, seen } = await send(sent)
      t.equal(status, 200)
      t.same(valuesOf(seen, 'portal-service'), expected ? [expected] : [])
      t.notOk(JSON.stringify(seen).includes('forged'))
    }
    t.equal((await send({ headers: forged })).status, 401)
  })

  t.test(`${name}: no key, an unknown one, and one without the permission`, async (t) => {
    t.equal((await send({})).status, 401)
    t.equal((await send({ headers: [bearer(`${key.secret}x`)] })).status, 401)
    const refused = await send({ headers: [bearer(other.secret)] })
    t.match(refused, { status: 403, code: 'permission-denied' })
    const both = await send({ cookie: ada.cookie, headers: [bearer(key.secret)] })
    t.match(both, { status: 400, code: 'two-credentials' })
    t.equal(both.seen, undefined)
  })

  t.test(`${name}: an app's own token goes to the service, and not to the portal`, async (t) => {
    const token = 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln'
    const { status, seen } = await send({
      cookie: ada.cookie,
      headers: [['Authorization', token]]
    })
    t.equal(status, 200)
    t.same(valuesOf(seen, 'portal-user'), [ada.id])
    t.same(valuesOf(seen, 'authorization'), [token])
  })
}

for (const { name, port } of await theProxies(t, world)) {
  const send = (sent: Sent) => ask(port, requests, sent)

  t.test(`${name}: without accept=key a key lets nobody in, and nobody sees it`, async (t) => {
    const before = requests.length
    for (const scheme of spellings) {
      const { status, seen } = await send({ headers: [bearer(key.secret, scheme)] })
      t.equal(status, 401, scheme)
      t.equal(seen, undefined)
    }
    t.equal(requests.length, before)
  })

  t.test(`${name}: a key beside a session is withheld from the service`, async (t) => {
    for (const scheme of spellings) {
      const { status, seen } = await send({
        cookie: ada.cookie,
        headers: [bearer(key.secret, scheme)]
      })
      t.equal(status, 200, scheme)
      t.same(valuesOf(seen, 'authorization'), [], scheme)
    }
    for (const headers of [
      [bearer(key.secret), ['Authorization', 'Basic YTpi']],
      [['Authorization', 'Basic YTpi'], bearer(key.secret)]
    ] as [string, string][][]) {
      const { seen } = await send({ cookie: ada.cookie, headers })
      t.notOk(JSON.stringify(seen ?? '').includes(key.secret), 'of two headers as well')
    }
  })
}
