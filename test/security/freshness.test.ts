import t from 'tap'
import { aCaller, aRole, aUser, signedIn, testApp } from '../support/app.ts'

const app = await testApp(t)
const admin = await aCaller(app, 'admin')

t.test(
  'a permission revoked from a role is missing with the next request of a member, and back when granted',
  async (t) => {
    const key = await aRole(app.database, 'activity:read')
    const { call } = await aCaller(app, key)
    const status = async () => (await call('GET', '/api/admin/activity')).statusCode
    t.equal(await status(), 200)
    for (let round = 0; round < 5; round++) {
      t.equal(
        (await admin.call('DELETE', `/api/admin/roles/${key}/permissions/activity:read`))
          .statusCode,
        204
      )
      t.equal(await status(), 403)
      t.notOk((await call('GET', '/api/auth/me')).json().user.permissions.includes('activity:read'))
      t.equal(
        (await admin.call('PUT', `/api/admin/roles/${key}/permissions/activity:read`)).statusCode,
        204
      )
      t.equal(await status(), 200)
    }
  }
)

t.test('a revoked role and a deleted role take effect with the next request', async (t) => {
  const [first, second] = [
    await aRole(app.database, 'users:read'),
    await aRole(app.database, 'roles:read')
  ]
  const { call, user } = await aCaller(app, first, second)
  t.same(
    [
      (await call('GET', '/api/admin/users')).statusCode,
      (await call('GET', '/api/admin/roles')).statusCode
    ],
    [200, 200]
  )
  await admin.call('DELETE', `/api/admin/users/${user.id}/roles/${first}`)
  t.equal((await call('GET', '/api/admin/users')).statusCode, 403)
  await admin.call('DELETE', `/api/admin/roles/${second}`)
  t.equal((await call('GET', '/api/admin/roles')).statusCode, 403)
  t.same((await call('GET', '/api/auth/me')).json().user.roles, ['user'])
})

t.test('a deleted permission takes effect with the next request', async (t) => {
  await admin.call('POST', '/api/admin/permissions', { key: 'bills:read' })
  const { call } = await aCaller(app, await aRole(app.database, 'bills:read'))
  t.ok((await call('GET', '/api/auth/me')).json().user.permissions.includes('bills:read'))
  await admin.call('DELETE', '/api/admin/permissions/bills:read')
  t.notOk((await call('GET', '/api/auth/me')).json().user.permissions.includes('bills:read'))
})

t.test(
  'deactivation, deletion, a new password and a revocation sign out with the next request',
  async (t) => {
    for (const end of [
      (id: string) => admin.call('PATCH', `/api/admin/users/${id}`, { status: 'deactivated' }),
      (id: string) => admin.call('DELETE', `/api/admin/users/${id}`),
      (id: string) =>
        admin.call('PUT', `/api/admin/users/${id}/password`, {
          password: 'a better horse battery'
        }),
      (id: string) => admin.call('DELETE', `/api/admin/sessions?userId=${id}`),
      async (id: string) =>
        admin.call(
          'DELETE',
          `/api/admin/sessions/${(await admin.call('GET', `/api/admin/sessions?userId=${id}`)).json().items[0].id}`
        )
    ]) {
      const { call, user } = await aCaller(app)
      t.equal((await call('GET', '/api/auth/me')).statusCode, 200)
      t.match((await end(user.id)).statusCode, /^20[04]$/)
      t.equal((await call('GET', '/api/auth/me')).statusCode, 401)
    }
  }
)

t.test('a polling client sees the new state from the acknowledgement on', async (t) => {
  const user = await aUser(app.database)
  const cookie = await signedIn(app, user.email)
  let acknowledged = false
  const late: number[] = []
  const asking = (async () => {
    for (let status = 200; status === 200;) {
      const after = acknowledged
      status = (await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode
      if (after) late.push(status)
    }
  })()
  await admin.call('DELETE', `/api/admin/sessions?userId=${user.id}`)
  acknowledged = true
  await asking
  t.notOk(late.includes(200), 'no good answer after it')
})
