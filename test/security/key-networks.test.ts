import t from 'tap'
import { activityOf, aRole, aCaller, testApp, until } from '../support/app.ts'
import { aService, aServiceKey } from '../support/keys.ts'

const app = await testApp(t, { TRUST_PROXY: ['10.0.0.0/8'] })
const service = await aService(app.database)

/** The status of a request that this proxy, or client, sends for this address. */
async function statusFrom(secret: string, remoteAddress: string, forwarded?: string) {
  const response = await app.inject({
    url: '/api/machine/me',
    remoteAddress,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(forwarded !== undefined && { 'x-forwarded-for': forwarded })
    }
  })
  return response.statusCode === 403 ? response.json().code : response.statusCode
}

t.test('a key limited to networks works from there only, with IPv4 and IPv6', async (t) => {
  const networks = ['192.0.2.0/24', '2001:db8:7::/48', '203.0.113.9']
  const { secret } = await aServiceKey(app.database, service, { networks })
  for (const [address, expected] of [
    ['192.0.2.1', 200],
    ['192.0.2.255', 200],
    ['192.0.3.0', 'key-network'],
    ['::ffff:192.0.2.1', 200],
    ['203.0.113.9', 200],
    ['203.0.113.8', 'key-network'],
    ['2001:db8:7::1', 200],
    ['2001:db8:7:ffff::1', 200],
    ['2001:db8:8::1', 'key-network'],
    ['::1', 'key-network']
  ] as const) {
    t.equal(await statusFrom(secret, address), expected, address)
  }
})

t.test('behind a proxy the address of the client counts, not that of the proxy', async (t) => {
  const { secret } = await aServiceKey(app.database, service, { networks: ['192.0.2.0/24'] })
  t.equal(await statusFrom(secret, '10.0.0.1', '192.0.2.7'), 200)
  t.equal(await statusFrom(secret, '10.0.0.1', '198.51.100.1'), 'key-network')
  t.equal(await statusFrom(secret, '10.0.0.1', '192.0.2.7, 198.51.100.1'), 'key-network')
  t.equal(await statusFrom(secret, '198.51.100.1', '192.0.2.7'), 'key-network', 'no such proxy')
  t.equal(await statusFrom(secret, '10.0.0.1', 'nonsense'), 'key-network')
  const ofProxy = await aServiceKey(app.database, service, { networks: ['10.0.0.0/8'] })
  t.equal(await statusFrom(ofProxy.secret, '10.0.0.1', '198.51.100.1'), 'key-network')
  t.equal(await statusFrom(ofProxy.secret, '10.0.0.1', 'nonsense'), 'key-network')
})

t.test('a use from another network is recorded with its key', async (t) => {
  const { user, call } = await aCaller(app, await aRole(app.database, 'keys:create'))
  const created = await call('POST', '/api/user/keys', {
    name: 'A key',
    networks: ['192.0.2.0/24']
  })
  t.same(created.json().networks, ['192.0.2.0/24'])
  const { id, secret } = created.json()
  t.equal(await statusFrom(secret, '198.51.100.1'), 'key-network')
  const [denied] = await until(async () => {
    const records = await activityOf(app.database, user.id)
    const found = records.filter(({ action }) => action === 'access.denied')
    return found.length > 0 ? found : undefined
  })
  t.match(denied, { reason: 'key-network', ip: '198.51.100.1', details: { key: id } })
})
