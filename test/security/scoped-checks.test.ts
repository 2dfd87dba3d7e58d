import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { roles } from '../../db/schema/roles.ts'
import { endedScopes, scopedRoles, scopeLimits } from '../../db/schema/scopes.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { grantPermission, revokePermission } from '../../src/domain/access/memberships.ts'
import { deleteRole } from '../../src/domain/access/role-deletion.ts'
import { findRole } from '../../src/domain/access/roles.ts'
import { updateUser } from '../../src/domain/administration/users.ts'
import { deleteScope } from '../../src/domain/scopes/deletion.ts'
import { revokeInScope } from '../../src/domain/scopes/members.ts'
import { aCaller, aRole, operator, testApp } from '../support/app.ts'
import { keyCaller } from '../support/keys.ts'
import { userPermissions } from '../support/permissions.ts'
import { aScopedRole, freshScope, granted, readersOf } from '../support/scopes.ts'
import { aUserWithApp, beginTotp, codeOf } from '../support/second-factors.ts'

const app = await testApp(t, { ASSERTION_AUDIENCES: ['invoices'] })
const { db, database } = app
const reads = await aScopedRole(database, 'users:read')

const { aMember, statusIn } = readersOf(app, reads)
const claimsOf = (assertion: unknown) =>
  JSON.parse(Buffer.from(String(assertion).split('.')[1] ?? '', 'base64url').toString())

t.test('a role counts in its scope, and nowhere else', async (t) => {
  const { scope, check, call, statusIn } = await aMember()
  t.equal(await statusIn(scope), 204)
  t.equal(await statusIn(freshScope()), 403)
  t.equal((await check('?permission=users:read')).statusCode, 403)
  t.match((await check('')).headers, {
    'portal-roles': 'user',
    'portal-permissions': userPermissions.join(' '),
    'portal-scope': undefined
  })
  t.same((await call('GET', '/api/auth/me')).json().user.roles, ['user'])
  t.equal((await call('GET', '/api/auth/me')).json().scope, undefined)
  t.equal((await call('GET', '/api/admin/users')).statusCode, 403)
})

t.test('a check with a scope says what the caller may do there', async (t) => {
  const { scope, check } = await aMember()
  const found = await check(`?scope=${scope}&audience=invoices`)
  const permissions = [...userPermissions, 'users:read'].sort()
  const held = [reads, 'user'].sort()
  t.match(found.headers, {
    'portal-scope': scope,
    'portal-roles': held.join(' '),
    'portal-permissions': permissions.join(' ')
  })
  const claims = claimsOf(found.headers['portal-assertion'])
  t.match(claims, { portal_scope: scope, roles: held, permissions })
  t.equal(claims.scope, undefined)
  const without = claimsOf((await check('?audience=invoices')).headers['portal-assertion'])
  t.notOk('portal_scope' in without)
  t.same(without.roles, ['user'])
})

t.test('a check with a scope but no permission needs a role there', async (t) => {
  const { scope, check } = await aMember()
  t.equal((await check(`?scope=${scope}`)).statusCode, 204)
  t.match((await check(`?scope=${freshScope()}`)).json(), { code: 'permission-denied' })
  const admin = await aMember('admin')
  t.equal((await admin.check(`?scope=${freshScope()}`)).statusCode, 403)
  t.equal(await admin.statusIn(freshScope()), 204, 'a permission everywhere counts in each scope')
})

t.test('two scopes of one user do not see each other, even at the same time', async (t) => {
  const { scope, call, user, check } = await aMember()
  const [second, writes] = [freshScope(), await aScopedRole(database, 'users:update')]
  await granted(database, user, second, writes)
  const asked = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const there = i % 2 === 0 ? scope : second
      return (await check(`?scope=${there}`)).headers['portal-roles']
    })
  )
  asked.forEach((found, i) => {
    t.equal(found, [i % 2 === 0 ? reads : writes, 'user'].sort().join(' '))
  })
  const rightsIn = async (there: string) =>
    (await call('GET', `/api/auth/me?scope=${there}`)).json().scope
  t.same(await rightsIn(scope), {
    ...{ key: scope, roles: [reads], suspendedRoles: [], permissions: ['users:read'] }
  })
  t.same((await rightsIn(second)).permissions, ['users:update'])
  const none = freshScope()
  t.same(await rightsIn(none), { key: none, roles: [], suspendedRoles: [], permissions: [] })
})

t.test('the headers of a check are as long with 1,000 scopes as with one', async (t) => {
  const { user, scope, check, call, statusIn } = await aMember()
  const lengths = async () => {
    const found = [
      await check('?audience=invoices'),
      await check(`?scope=${scope}&audience=invoices`)
    ]
    return found.map(({ headers }) =>
      Object.entries(headers).map(([name, value]) => [name, String(value).length])
    )
  }
  const before = await lengths()
  const { id: roleId } = await findRole(db, reads)
  const others = Array.from({ length: scopeLimits.ofUser - 2 }, freshScope)
  const rows = others.map((each) => ({ userId: user.id, scope: each, roleId }))
  await db.insert(scopedRoles).values(rows)
  const last = freshScope()
  await granted(database, user, last, reads)
  t.equal(await statusIn(last), 204)
  t.same(await lengths(), before)
  const { items } = (await call('GET', '/api/user/scopes')).json<{ items: object[] }>()
  t.equal(items.length, scopeLimits.ofUser)
})

t.test('every change of rights in a scope counts with the next check', async (t) => {
  const lost: Record<string, (member: Awaited<ReturnType<typeof aMember>>) => Promise<unknown>> = {
    revoked: ({ scope, user }) =>
      revokeInScope(db, operator, { scope, userId: user.id, role: reads }),
    'scope deleted': ({ scope }) => deleteScope(db, operator, scope)
  }
  for (const [name, lose] of Object.entries(lost)) {
    const member = await aMember()
    t.equal(await member.statusIn(member.scope), 204)
    await lose(member)
    t.equal(await member.statusIn(member.scope), 403, name)
  }
  const { user, scope, statusIn } = await aMember()
  const role = await aScopedRole(database)
  const other = freshScope()
  t.equal(await statusIn(other), 403)
  await granted(database, user, other, role)
  t.equal(await statusIn(other), 403)
  const third = freshScope()
  t.equal(await statusIn(third), 403)
  await granted(database, user, third, reads)
  t.equal(await statusIn(third), 204, 'granted')
  const grant = { role, permission: 'users:read' }
  await grantPermission(db, operator, grant)
  t.equal(await statusIn(other), 204)
  await revokePermission(db, operator, grant)
  t.equal(await statusIn(other), 403)
  await grantPermission(db, operator, grant)
  t.equal(await statusIn(other), 204)
  await deleteRole(db, operator, { key: role })
  t.equal(await statusIn(other), 403)
  t.equal(await statusIn(scope), 204)
})

t.test('a deactivated user has no rights in a scope, and those that are left later', async (t) => {
  const { user, scope, statusIn } = await aMember()
  const other = freshScope()
  await granted(database, user, other, reads)
  await updateUser(app.context, operator, { id: user.id, changes: { status: 'deactivated' } })
  t.equal(await statusIn(scope), 401)
  await revokeInScope(db, operator, { scope, userId: user.id, role: reads })
  await updateUser(app.context, operator, { id: user.id, changes: { status: 'active' } })
  await db.update(sessions).set({ revokedAt: null }).where(eq(sessions.userId, user.id))
  t.equal(await statusIn(scope), 403, 'a role that was revoked meanwhile')
  t.equal(await statusIn(other), 204)
})

t.test('a role that requires a second factor counts in a scope with one only', async (t) => {
  const { user, cookie, call } = await aUserWithApp(app)
  const [scope, role] = [freshScope(), await aScopedRole(database, 'users:read')]
  await db.update(roles).set({ requiresSecondFactor: true }).where(eq(roles.key, role))
  await granted(database, user, scope, role)
  t.equal(await statusIn(cookie)(scope), 204)
  const single = await aCaller(app)
  await granted(database, single.user, scope, role)
  t.equal(await statusIn(single.cookie)(scope), 403)
  t.match((await single.call('GET', `/api/auth/me?scope=${scope}`)).json().scope, {
    roles: [],
    suspendedRoles: [role],
    permissions: []
  })
  const code = await codeOf(db, (await beginTotp(single.call)).secret)
  const enrolled = await single.call('POST', '/api/user/totp/confirm', { code })
  t.match(enrolled.json(), { code: 'enrolment-token-required' }, 'a thief knows the password')
  t.match((await call('GET', `/api/auth/me?scope=${scope}`)).json().scope, { roles: [role] })
})

t.test('an API key has the rights of its user in a scope, within its own list', async (t) => {
  const { call, user, scope } = await aMember(await aRole(database, 'keys:create'))
  const keyOf = async (permissions?: string[]) =>
    keyCaller(
      app,
      (await call('POST', '/api/user/keys', { name: 'A key', permissions })).json().secret
    )
  const [whole, limited] = [await keyOf(), await keyOf(['profile:read'])]
  const query = `&permission=users:read&scope=${scope}`
  const found = await whole.check(query)
  t.match(found, { statusCode: 204, headers: { 'portal-scope': scope } })
  t.ok(String(found.headers['portal-roles']).includes(reads))
  t.equal((await limited.check(query)).statusCode, 403)
  t.match(await limited.check(`&scope=${scope}`), {
    statusCode: 204,
    headers: { 'portal-permissions': 'profile:read', 'portal-roles': '' }
  })
  t.equal((await whole.check(`&permission=users:read&scope=${freshScope()}`)).statusCode, 403)
  t.equal((await whole.check('&permission=users:read')).statusCode, 403)
  await revokeInScope(db, operator, { scope, userId: user.id, role: reads })
  t.equal((await whole.check(query)).statusCode, 403)
})

t.test('a malformed scope is rejected, and decoded once', async (t) => {
  const { check, call, scope } = await aMember()
  const id = scope.slice('org:'.length)
  for (const wrong of [
    `ORG:${id}`,
    `org:${id}.`,
    `org:${id}%2f`,
    `org:${id}%252f`,
    `org%253A${id}`,
    `org:${id}%20`,
    `%20org:${id}`,
    `org:${id}%00`,
    `org:${id}%0A`,
    `org:${id},org:2`,
    `org:`,
    '',
    `${'o'.repeat(21)}:1`,
    `org:${'1'.repeat(61)}`,
    `${scope}&scope=${scope}`,
    `${scope}&scope=org:2`
  ]) {
    const found = await check(`?permission=users:read&scope=${wrong}`)
    t.equal(found.statusCode, 400, wrong)
    t.match(found.json(), { code: 'invalid-request', errors: [{ pointer: '/query/scope' }] })
    t.equal((await call('GET', `/api/auth/me?scope=${wrong}`)).statusCode, 400, wrong)
  }
  t.equal((await check(`?permission=users:read&scope=org%3A${id}`)).statusCode, 204)
  t.equal((await check(`?permission=users:read&scope=org:${id.toLowerCase()}x`)).statusCode, 403)
})

t.test('a deleted user is in no scope, and a scope that nobody is in is gone', async (t) => {
  const { user, scope } = await aMember()
  await db.delete(users).where(eq(users.id, user.id))
  t.equal(await db.$count(scopedRoles, eq(scopedRoles.scope, scope)), 0)
  t.equal(await db.$count(endedScopes, sql`${endedScopes.scope} = ${scope}`), 0)
})
