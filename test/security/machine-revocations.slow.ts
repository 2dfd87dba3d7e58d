// Takes about 60 s
// Not on PGlite: two instances share a database.
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { aCaller, aRole, operator, ownApp, testDatabaseUrl } from '../support/app.ts'
import { aMachine } from '../support/keys.ts'
import { userPermissions } from '../support/permissions.ts'

const rounds = 1000

t.test(`after each of ${rounds} removals by key on one instance, the other says no`, async (t) => {
  const url = await testDatabaseUrl(t)
  const THROTTLE_WRITES = { burst: 900_000, seconds: 0.001 }
  const changes = { MACHINE_ADMIN: 'on', THROTTLE_WRITES } as const
  const one = await ownApp(t, changes, await openDatabase(url, { poolMax: 5 }))
  const two = await ownApp(t, {}, await openDatabase(url, { poolMax: 5 }))
  const machine = await aMachine(one, ...userPermissions, 'users:update', 'flags:read')
  const role = await aRole(one.database, 'flags:read')
  const { user, cookie } = await aCaller(two)
  const membership = { userId: user.id, role }
  const path = `/api/machine/users/${user.id}/roles/${role}`
  const check = async () => {
    const response = await two.inject({
      url: '/api/auth/check?permission=flags:read',
      headers: { cookie, 'x-original-method': 'GET' }
    })
    return response.statusCode
  }
  const found: Record<string, number> = {}
  for (let round = 0; round < rounds; round++) {
    await grantRole(one.db, operator, membership)
    const before = await check()
    const removed = (await machine.call('DELETE', path)).statusCode
    const outcome = `${before} ${removed} ${await check()}`
    found[outcome] = (found[outcome] ?? 0) + 1
  }
  const { '204 204 403': right = 0, ...others } = found
  // A check that is late on a busy machine is 503, and so neither a yes nor a no.
  const late = Object.keys(others).filter((outcome) => !/503/.test(outcome))
  t.same(late, [])
  t.ok(right > rounds / 2, `${right} of ${rounds}`)
})
