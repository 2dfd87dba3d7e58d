import t from 'tap'
import { aCaller, testApp } from '../../../support/app.ts'
import { aScopedRole, freshScope } from '../../../support/scopes.ts'

const app = await testApp(t)
const { call } = await aCaller(app, 'admin')

t.test('an administrator grants, lists and revokes the roles of a user in scopes', async (t) => {
  const { user } = await aCaller(app)
  const role = await aScopedRole(app)
  const scope = freshScope()
  const membership = `/api/admin/scopes/${scope}/members/${user.id}/roles/${role}`
  t.equal((await call('PUT', membership)).statusCode, 204)
  const own = `/api/admin/users/${user.id}/scopes`
  t.same((await call('GET', own)).json(), { items: [{ scope, roles: [role] }] })
  const { items } = (await call('GET', `/api/admin/scopes/${scope}/members`)).json()
  t.match(items, [{ user: { id: user.id }, roles: [{ key: role }] }])
  t.equal((await call('DELETE', membership)).statusCode, 204)
  t.same((await call('GET', own)).json(), { items: [] })
})

t.test('the scopes of a user are for callers who may see users', async (t) => {
  const { user, call: ask } = await aCaller(app)
  t.equal((await ask('GET', `/api/admin/users/${user.id}/scopes`)).statusCode, 403)
  const unknown = await call('GET', `/api/admin/users/${crypto.randomUUID()}/scopes`)
  t.equal(unknown.json().code, 'user-not-found')
})
