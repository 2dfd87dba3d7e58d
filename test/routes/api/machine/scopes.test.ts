import t from 'tap'
import { aCaller, aRole, aUser, testApp } from '../../../support/app.ts'
import { aMachine } from '../../../support/keys.ts'
import { aScopedRole, freshScope } from '../../../support/scopes.ts'

const app = await testApp(t, { MACHINE_ADMIN: 'on' })
const role = await aScopedRole(app.database, 'users:read')
const machine = await aMachine(app, 'users:read', 'users:update')
const urlOf = (scope: string) => `/api/machine/scopes/${scope}`
const roleUrl = (scope: string, { id }: { id: string }, key = role) =>
  `${urlOf(scope)}/members/${id}/roles/${key}`

t.test('a service grants roles in a scope, lists its members and deletes it', async (t) => {
  const scope = freshScope()
  const people = [await aUser(app.database), await aUser(app.database)]
  for (const user of people) {
    t.equal((await machine.call('PUT', roleUrl(scope, user))).statusCode, 204)
  }
  t.same((await machine.call('GET', urlOf(scope))).json(), { key: scope, members: 2 })
  const first = (await machine.call('GET', `${urlOf(scope)}/members?limit=1`)).json()
  const next = `${urlOf(scope)}/members?limit=1&cursor=${first.nextCursor}`
  const second = (await machine.call('GET', next)).json()
  t.equal(second.nextCursor, null)
  t.match(
    [...first.items, ...second.items],
    people
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, email, name }) => ({ user: { id, email, name }, roles: [{ key: role }] }))
  )
  const [one = { id: '' }] = people
  t.equal((await machine.call('DELETE', roleUrl(scope, one))).statusCode, 204)
  t.equal((await machine.call('GET', urlOf(scope))).json().members, 1)
  t.equal((await machine.call('DELETE', urlOf(scope))).statusCode, 204)
  t.match((await machine.call('GET', urlOf(scope))).json(), { code: 'scope-not-found' })
  t.match((await machine.call('DELETE', urlOf(scope))).json(), { code: 'scope-not-found' })
  t.match((await machine.call('PUT', roleUrl(scope, one))).json(), { code: 'scope-ended' })
})

t.test(
  'a service is refused roles that it could not grant, and roles held everywhere',
  async (t) => {
    const [scope, user] = [freshScope(), await aUser(app.database)]
    const strong = await aScopedRole(app.database, 'users:delete')
    t.match((await machine.call('PUT', roleUrl(scope, user, strong))).json(), {
      code: 'exceeds-own-permissions'
    })
    t.match((await machine.call('PUT', roleUrl(scope, user, 'user'))).json(), {
      code: /role-not-scoped|exceeds-own-permissions/
    })
    const plain = await aRole(app.database, 'users:read')
    t.match((await machine.call('PUT', roleUrl(scope, user, plain))).json(), {
      code: 'role-not-scoped'
    })
    t.match((await machine.call('PUT', roleUrl(scope, user, 'nothing'))).json(), {
      code: 'role-not-found'
    })
    t.equal((await machine.call('PUT', roleUrl('ORG:1', user))).statusCode, 400)
    t.equal((await machine.call('PUT', roleUrl('org:1%2f', user))).statusCode, 400)
  }
)

t.test('a role of scopes is granted nowhere else', async (t) => {
  const admin = await aCaller(app, 'admin')
  const { user } = await aCaller(app)
  const { service } = await aMachine(app)
  for (const url of [
    `/api/admin/users/${user.id}/roles/${role}`,
    `/api/admin/services/${service.key}/roles/${role}`
  ]) {
    t.match((await admin.call('PUT', url)).json(), { status: 409, code: 'role-scoped' })
  }
  t.match((await machine.call('PUT', `/api/machine/users/${user.id}/roles/${role}`)).json(), {
    code: /role-scoped|exceeds-own-permissions/
  })
})

t.test('whether a role is granted in scopes is set at its creation only', async (t) => {
  const admin = await aCaller(app, 'admin')
  const key = `crew-${freshScope()
    .slice(4)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')}`
  const made = await admin.call('POST', '/api/admin/roles', { key, name: 'Crew', scoped: true })
  t.equal(made.json().scoped, true)
  const changed = await admin.call('PATCH', `/api/admin/roles/${key}`, { scoped: false })
  t.equal(changed.statusCode, 400)
  t.equal((await admin.call('GET', '/api/admin/roles/user')).json().scoped, false)
})
