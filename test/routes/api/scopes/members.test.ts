import t from 'tap'
import { listScopesOf } from '../../../../src/domain/scopes/list.ts'
import { freshEmail, newCaller, ownApp, testApp, testDatabase } from '../../../support/app.ts'
import { aScopedRole, freshScope, granted } from '../../../support/scopes.ts'

const app = await testApp(t)
const manager = await aScopedRole(app.database, 'members:manage', 'profile:read')
const reader = await aScopedRole(app.database, 'profile:read')
const aPerson = () => newCaller(app, { roles: [], confirmed: true })

/** A scope with a manager and a member. */
async function aScope() {
  const [scope, boss, member] = [freshScope(), await aPerson(), await aPerson()]
  await granted(app.database, boss.user, scope, manager)
  await granted(app.database, member.user, scope, reader)
  const roleOf = ({ user }: { user: { id: string } }, role: string) =>
    `/api/scopes/${scope}/members/${user.id}/roles/${role}`
  return { scope, boss, member, url: `/api/scopes/${scope}`, roleOf }
}

t.test('managers list the members of their scope page by page', async (t) => {
  const { boss, member, url } = await aScope()
  const people: object[] = []
  let next: string | undefined = `${url}/members?limit=1`
  while (next !== undefined) {
    const page = await boss.call('GET', next)
    t.equal(page.statusCode, 200)
    const { items, nextCursor } = page.json<{ items: object[]; nextCursor: string | null }>()
    people.push(...items)
    next = nextCursor === null ? undefined : `${url}/members?limit=1&cursor=${nextCursor}`
  }
  t.match(people, [
    { user: { id: boss.user.id, email: boss.user.email }, roles: [{ key: manager }] },
    { user: { id: member.user.id }, roles: [{ key: reader }] }
  ])
})

t.test('managers list the open invitations of their scope', async (t) => {
  const { boss, url } = await aScope()
  const email = freshEmail()
  await boss.call('POST', `${url}/invitations`, { email, role: reader })
  const listed = await boss.call('GET', `${url}/invitations`)
  t.match(listed.json(), { items: [{ email, role: reader, invitedBy: boss.user.id }] })
  t.notMatch(listed.body, 'token')
})

t.test('members who are not managers see neither members nor invitations', async (t) => {
  const { member, url } = await aScope()
  for (const part of ['members', 'invitations']) {
    const refused = await member.call('GET', `${url}/${part}`)
    t.equal(refused.statusCode, 403, part)
    t.match(refused.json(), { code: 'permission-denied' })
  }
})

t.test('a foreign scope looks like one that nobody has', async (t) => {
  const { boss, url, scope } = await aScope()
  const stranger = await aPerson()
  const id = boss.user.id
  const requests = [
    ['GET', '/members'],
    ['GET', '/invitations'],
    ['POST', '/invitations', { email: freshEmail(), role: reader }],
    ['DELETE', `/invitations/${id}`],
    ['PUT', `/members/${id}/roles/${reader}`],
    ['DELETE', `/members/${id}/roles/${reader}`],
    ['DELETE', `/members/${stranger.user.id}/roles/${reader}`]
  ] as const
  for (const [method, path, payload] of requests) {
    const bodies = []
    for (const of of [url, `/api/scopes/${freshScope()}`]) {
      const refused = await stranger.call(method, of + path, payload)
      t.equal(refused.statusCode, 404, `${method} ${path}`)
      const { instance, ...body } = refused.json<{ instance: string; code: string }>()
      t.equal(body.code, 'scope-not-found')
      bodies.push(body)
    }
    t.same(bodies[0], bodies[1])
  }
  t.same(await listScopesOf(app.db, id), [{ scope, roles: [manager] }])
})

t.test('a malformed scope is refused with its form', async (t) => {
  const { call } = await aPerson()
  for (const scope of ['ORG:1', 'org:1%2f', 'org:1.', 'org:%201', 'org']) {
    for (const path of ['members', 'invitations']) {
      const refused = await call('GET', `/api/scopes/${scope}/${path}`)
      t.equal(refused.statusCode, 400, scope)
      t.match(refused.json(), { errors: [{ pointer: '/path/scope', code: 'malformed' }] })
    }
  }
})

t.test('a manager grants and revokes roles of members, and invites others', async (t) => {
  const { scope, boss, member, roleOf } = await aScope()
  t.equal((await boss.call('PUT', roleOf(member, manager))).statusCode, 204)
  const both = [manager, reader].sort()
  t.same(await listScopesOf(app.db, member.user.id), [{ scope, roles: both }])
  t.equal((await boss.call('DELETE', roleOf(member, manager))).statusCode, 204)
  t.same(await listScopesOf(app.db, member.user.id), [{ scope, roles: [reader] }])
  const stranger = await aPerson()
  const refused = await boss.call('PUT', roleOf(stranger, reader))
  t.match(refused.json(), { status: 404, code: 'user-not-found' })
})

t.test('a member leaves, and the last manager stays', async (t) => {
  const { boss, member, roleOf } = await aScope()
  t.match((await member.call('DELETE', roleOf(boss, manager))).json(), {
    code: 'permission-denied'
  })
  t.equal((await member.call('DELETE', roleOf(member, reader))).statusCode, 204)
  t.same(await listScopesOf(app.db, member.user.id), [])
  const refused = await boss.call('DELETE', roleOf(boss, manager))
  t.equal(refused.statusCode, 409)
  t.match(refused.json(), { code: 'last-manager' })
})

t.test('of eight managers who leave with requests at once, one stays', async (t) => {
  const { scope, boss, roleOf, url } = await aScope()
  const others = await Promise.all(Array.from({ length: 7 }, aPerson))
  for (const { user } of others) await granted(app.database, user, scope, manager)
  const all = [boss, ...others]
  const left = await Promise.all(all.map((each) => each.call('DELETE', roleOf(each, manager))))
  t.same(left.map(({ statusCode }) => statusCode).sort(), [...Array<number>(7).fill(204), 409])
  const last = left.findIndex(({ statusCode }) => statusCode === 409)
  t.match(left[last]?.json(), { code: 'last-manager' })
  t.equal((await all[last]?.call('GET', `${url}/members`))?.statusCode, 200, 'and still manages')
})

t.test('a role that was revoked is refused with the next request', async (t) => {
  const { boss, member, url, roleOf } = await aScope()
  await boss.call('PUT', roleOf(member, manager))
  t.equal((await member.call('GET', `${url}/members`)).statusCode, 200)
  await boss.call('DELETE', roleOf(member, manager))
  t.equal((await member.call('GET', `${url}/members`)).statusCode, 403)
})

t.test('users list the scopes in which they have roles', async (t) => {
  const { scope, member } = await aScope()
  const listed = await member.call('GET', '/api/user/scopes')
  t.same(listed.json(), { items: [{ scope, roles: [reader] }] })
  t.same((await (await aPerson()).call('GET', '/api/user/scopes')).json(), { items: [] })
})

t.test('users open scopes of the kinds of SCOPES_SELF, with a name of their own', async (t) => {
  const database = await testDatabase(t)
  const role = await aScopedRole(database, 'members:manage')
  const own = await ownApp(t, { SCOPES_SELF: `project:${role},team:no-such-role` }, database)
  const person = await newCaller(own, { roles: [] })
  const open = (kind: string) => person.call('POST', '/api/scopes', { kind })
  const opened = await open('project')
  t.equal(opened.statusCode, 201)
  const { scope } = opened.json<{ scope: string }>()
  t.same(opened.json(), { scope, role })
  t.match(scope, /^project:[0-9a-f-]{36}$/)
  t.same(await listScopesOf(own.db, person.user.id), [{ scope, roles: [role] }])
  t.equal((await person.call('GET', `/api/scopes/${scope}/members`)).statusCode, 200)
  t.match((await open('org')).json(), { errors: [{ pointer: '/kind', code: 'not-allowed' }] })
  t.match((await open('team')).json(), { code: 'role-not-found' })
})

t.test('without SCOPES_SELF nobody opens a scope, and the document does not say how', async (t) => {
  const { call } = await aPerson()
  const refused = await call('POST', '/api/scopes', { kind: 'project' })
  t.equal(refused.statusCode, 404)
  const document = app.swagger() as { paths: Record<string, object> }
  t.notOk(document.paths['/api/scopes'])
  t.ok(document.paths['/api/scopes/{scope}/members'])
})
