import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { aCaller, aRole, aUser, password, testApp } from '../support/app.ts'
import {
  anAppFor,
  cookieSet,
  letProofsAge,
  sessionsOf,
  signedInWithCode
} from '../support/second-factors.ts'

// A thief with the session or the password of an operator uses the admin API on their account.

const app = await testApp(t)
const anOperator = async () =>
  aCaller(
    app,
    await aRole(app.database, 'users:update', 'users:delete'),
    'admin' // not the last one, whose account cannot be deleted
  )
await anOperator()
type Call = Awaited<ReturnType<typeof anOperator>>['call']

const takeovers: [string, (call: Call, id: string) => ReturnType<Call>][] = [
  [
    'set the password of',
    (call, id) =>
      call('PUT', `/api/admin/users/${id}/password`, { password: 'a better horse battery' })
  ],
  [
    'change the address of',
    (call, id) => call('PATCH', `/api/admin/users/${id}`, { email: `${id}@example.com` })
  ],
  ['deactivate', (call, id) => call('PATCH', `/api/admin/users/${id}`, { status: 'deactivated' })],
  [
    'remove the second factors of',
    (call, id) => call('DELETE', `/api/admin/users/${id}/second-factors`)
  ],
  [
    'remove the authenticator app of',
    (call, id) => call('DELETE', `/api/admin/users/${id}/factors/totp`)
  ],
  ['delete', (call, id) => call('DELETE', `/api/admin/users/${id}`)]
]

for (const [what, takeOver] of takeovers) {
  t.test(`to ${what} their own account, operators must authenticate again`, async (t) => {
    const { user, call } = await anOperator()
    await letProofsAge(app, user)
    const refused = await takeOver(call, user.id)
    t.equal(refused.statusCode, 403)
    t.match(refused.json(), { code: 'reauthentication-required', methods: ['password'] })
    const other = await aUser(app.database)
    t.ok((await takeOver(call, other.id)).statusCode < 300, 'other accounts do not need it')

    const fresh = await anOperator()
    t.ok((await takeOver(fresh.call, fresh.user.id)).statusCode < 300)
  })
}

t.test('the password alone does not remove the second factors of an operator', async (t) => {
  const { user, call } = await anOperator()
  const strict = await aRole(app.database)
  await call('PATCH', `/api/admin/roles/${strict}`, { requiresSecondFactor: true })
  await call('PUT', `/api/admin/users/${user.id}/roles/${strict}`)
  await anAppFor(app, user, { secondFactor: false })
  const refused = await call('DELETE', `/api/admin/users/${user.id}/second-factors`)
  t.equal(refused.statusCode, 403)
  t.match(refused.json(), { code: 'reauthentication-required', methods: ['totp'] })
  t.equal((await call('DELETE', `/api/admin/users/${user.id}/roles/${strict}`)).statusCode, 403)
  t.equal((await call('DELETE', `/api/admin/roles/${strict}`)).statusCode, 403)
  const own = { email: `${user.id}@example.com`, currentPassword: password }
  t.equal((await call('PUT', '/api/user/email', own)).statusCode, 403)
})

const lifts: [string, (call: Call, id: string, role: string) => ReturnType<Call>][] = [
  ['revoking the role', (call, id, role) => call('DELETE', `/api/admin/users/${id}/roles/${role}`)],
  [
    'changing the role',
    (call, _id, role) => call('PATCH', `/api/admin/roles/${role}`, { requiresSecondFactor: false })
  ],
  ['deleting the role', (call, _id, role) => call('DELETE', `/api/admin/roles/${role}`)]
]

for (const [name, lift] of lifts) {
  t.test(`an old session with two factors does not end a requirement by ${name}`, async (t) => {
    const { user } = await anOperator()
    const device = await anAppFor(app, user)
    const call = sessionsOf(app).callerWith(await signedInWithCode(app, user.email, device))
    await app.db.update(users).set({ secondFactor: false }).where(eq(users.id, user.id))
    const strict = await aRole(app.database)
    await call('PUT', `/api/admin/users/${user.id}/roles/${strict}`)
    await call('PATCH', `/api/admin/roles/${strict}`, { requiresSecondFactor: true })
    await letProofsAge(app, user)
    const refused = await lift(call, user.id, strict)
    t.equal(refused.statusCode, 403)
    t.match(refused.json(), { code: 'reauthentication-required', methods: ['totp'] })
    const own = { email: `${user.id}@example.com`, currentPassword: password }
    t.match((await call('PUT', '/api/user/email', own)).json(), { code: refused.json().code })

    const code = await device.code()
    const proved = await call('POST', '/api/auth/reauthenticate', { code })
    const recent = sessionsOf(app).callerWith(cookieSet(proved, 'session') ?? '')
    t.ok((await lift(recent, user.id, strict)).statusCode < 300)
  })
}

t.test('a requirement is lifted only by those who could change its members', async (t) => {
  const { user, call } = await anOperator()
  const strict = await aRole(app.database)
  await call('PUT', `/api/admin/users/${user.id}/roles/${strict}`)
  await call('PATCH', `/api/admin/roles/${strict}`, { requiresSecondFactor: true })
  const stranger = await aCaller(app, await aRole(app.database, 'roles:update', 'roles:delete'))
  const exceeds = { status: 403, code: 'exceeds-own-permissions' }
  const lifted = { requiresSecondFactor: false }
  t.match((await stranger.call('PATCH', `/api/admin/roles/${strict}`, lifted)).json(), exceeds)
  t.match((await stranger.call('DELETE', `/api/admin/roles/${strict}`)).json(), exceeds)
  const { call: other } = await anOperator()
  t.equal((await other('PATCH', `/api/admin/roles/${strict}`, lifted)).statusCode, 200)
  t.equal((await stranger.call('DELETE', `/api/admin/roles/${strict}`)).statusCode, 204)
})
