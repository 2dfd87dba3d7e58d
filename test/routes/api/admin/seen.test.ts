import t from 'tap'
import { grantRole } from '../../../../src/domain/access/memberships.ts'
import { createRole } from '../../../../src/domain/access/roles.ts'
import { updateUser } from '../../../../src/domain/administration/users.ts'
import { aCaller, aUser, operator, signedIn, testApp } from '../../../support/app.ts'
import { aUserWithApp } from '../../../support/second-factors.ts'

const app = await testApp(t)
await createRole(app.db, operator, {
  key: 'auditor',
  name: 'Auditor',
  requiresSecondFactor: true,
  permissions: ['activity:read', 'profile:read']
})
const { call } = await aCaller(app, 'admin')
const seen = async (id: string, query = '') =>
  (await call('GET', `/api/admin/users/${id}/seen${query}`)).json()
const meOf = async (cookie: string) =>
  (await app.inject({ url: '/api/auth/me', headers: { cookie } })).json().user
const why = (key: string, { permissions }: { permissions: { key: string }[] }) =>
  permissions.find((each) => each.key === key)

t.test('what is shown is what me answers, with one factor and with two', async (t) => {
  const user = await aUser(app.database)
  const cookie = await signedIn(app, user.email)
  await grantRole(app.db, operator, { userId: user.id, role: 'auditor' })
  const one = await seen(user.id)
  t.same(one.user, await meOf(cookie))
  t.match(one, { assurance: 1, user: { roles: ['user'], suspendedRoles: ['auditor'] } })
  t.same(why('activity:read', one), {
    key: 'activity:read',
    grantedBy: [],
    withheldBy: ['auditor']
  })
  t.same(why('profile:read', one), {
    key: 'profile:read',
    grantedBy: ['user'],
    withheldBy: ['auditor']
  })
  t.equal(why('users:read', one), undefined)
  const two = await seen(user.id, '?assurance=2')
  t.match(two, { assurance: 2, user: { roles: ['auditor', 'user'], suspendedRoles: [] } })
  t.same(why('activity:read', two), {
    key: 'activity:read',
    grantedBy: ['auditor'],
    withheldBy: []
  })
})

t.test('without a choice it is the session of a sign-in with the password', async (t) => {
  const { user, cookie } = await aUserWithApp(app)
  await grantRole(app.db, operator, { userId: user.id, role: 'auditor' })
  const answer = await seen(user.id)
  t.equal(answer.assurance, 2)
  t.same(answer.user, await meOf(cookie))
  t.match(await seen(user.id, '?assurance=1'), { user: { suspendedRoles: ['auditor'] } })
})

t.test('a deactivated user gets nothing', async (t) => {
  const user = await aUser(app.database)
  await updateUser(app.context, operator, { id: user.id, changes: { status: 'deactivated' } })
  const answer = await seen(user.id)
  t.equal(answer.user, null)
  t.same(why('profile:read', answer), { key: 'profile:read', grantedBy: ['user'], withheldBy: [] })
})

t.test('it needs users:read, and a user that exists', async (t) => {
  const { call: other, user } = await aCaller(app)
  t.match((await other('GET', `/api/admin/users/${user.id}/seen`)).json(), {
    code: 'permission-denied'
  })
  t.match(await seen('0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'), { code: 'user-not-found' })
  t.match(await seen(user.id, '?assurance=3'), { code: 'invalid-request' })
})
