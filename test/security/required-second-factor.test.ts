import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { sessions } from '../../db/schema/sessions.ts'
import {
  grantPermission,
  grantRole,
  revokePermission,
  revokeRole
} from '../../src/domain/access/memberships.ts'
import { createRole, updateRole } from '../../src/domain/access/roles.ts'
import { resetSecondFactor } from '../../src/domain/administration/factor-removal.ts'
import { setPassword } from '../../src/domain/administration/operator-links.ts'
import { createFlag } from '../../src/domain/flags/flags.ts'
import {
  aCaller,
  activityOf,
  aRole,
  aUser,
  callerOf,
  onPglite,
  operator,
  ownApp,
  password,
  testDatabaseUrl
} from '../support/app.ts'
import { anAppFor, aRequiringRole, signedInWithCode } from '../support/second-factors.ts'
import { testConfig } from '../support/test-config.ts'

// Roles that count only in sessions in which a second factor was proved.

const url = await testDatabaseUrl(t)
const changes = { SECRET_KEYS: testConfig().SECRET_KEYS }
const app = await ownApp(t, changes, await openDatabase(url, { poolMax: 5 }))
// PGlite allows one process only, so there it is the same instance.
const other = onPglite ? app : await ownApp(t, changes, await openDatabase(url, { poolMax: 5 }))
const { database, db } = app

const newPassword = 'a better horse battery'
const get = async (cookie: string, path: string, on: FastifyInstance = app) =>
  on.inject({ url: path, headers: { cookie } })
const patch = (cookie: string, role: string, requiresSecondFactor: boolean) =>
  app.inject({
    method: 'PATCH',
    url: `/api/admin/roles/${role}`,
    headers: { cookie },
    payload: { requiresSecondFactor }
  })

/** A user with a second factor and these roles, in a session with one factor and one with two. */
async function twoSessions(...roles: string[]) {
  const { user, cookie } = await aCaller(app, ...roles)
  const phone = await anAppFor(app, user)
  return { user, one: cookie, two: await signedInWithCode(app, user.email, phone) }
}
/** The user of a session as the actor of a change. */
async function actorIn(cookie: string) {
  const { user, session } = (await get(cookie, '/api/auth/me')).json()
  const { tokenHash } = app.sessionTokens.verify(cookie.split('=')[1] ?? '') ?? {}
  return { type: 'user', source: 'api', id: user.id, sessionId: session.id, tokenHash } as const
}

t.test(
  'a requirement takes effect with the next request, on every instance, and so does its end',
  async (t) => {
    const role = await aRole(database, 'users:read')
    const admin = await aCaller(app, 'admin')
    const { one, two } = await twoSessions(role)
    const seen = async (cookie: string) => {
      const { user } = (await get(cookie, '/api/auth/me', other)).json()
      return [
        user.roles.includes(role),
        user.suspendedRoles.includes(role),
        user.permissions.includes('users:read'),
        (await get(cookie, '/api/admin/users?limit=1', other)).statusCode
      ]
    }
    const counts = [true, false, true, 200]
    for (let round = 0; round < 2; round++) {
      t.same([await seen(one), await seen(two)], [counts, counts])
      const set = await patch(admin.cookie, role, true)
      t.match(set.json(), { requiresSecondFactor: true }, set.body)
      t.same(
        [await seen(one), await seen(two)],
        [[false, true, false, 403], counts],
        'a session with one factor'
      )
      t.equal((await patch(admin.cookie, role, false)).statusCode, 200)
    }
    const { id } = (await admin.call('GET', `/api/admin/roles/${role}`)).json()
    t.match((await activityOf(database, id))[0], {
      action: 'role.update',
      details: { key: role, fields: ['requiresSecondFactor'] }
    })
  }
)

t.test('a role can be created with the requirement', async (t) => {
  const admin = await aCaller(app, 'admin')
  const role = { key: 'born-strict', name: 'Strict', requiresSecondFactor: true }
  t.match((await admin.call('POST', '/api/admin/roles', role)).json(), role)
  const { cookie } = await aCaller(app, 'born-strict')
  t.match((await get(cookie, '/api/auth/me')).json(), { user: { suspendedRoles: ['born-strict'] } })
})

t.test('the role admin can require a second factor', async (t) => {
  const { one, two } = await twoSessions('admin')
  t.equal((await patch(one, 'admin', true)).statusCode, 200)
  t.match((await get(one, '/api/auth/me')).json(), {
    user: { roles: ['user'], suspendedRoles: ['admin'] }
  })
  t.equal((await get(one, '/api/admin/users')).statusCode, 403)
  t.match((await patch(one, 'admin', false)).json(), { code: 'permission-denied' })
  t.equal((await get(two, '/api/admin/users')).statusCode, 200)
  t.equal((await patch(two, 'admin', false)).statusCode, 200)
  t.equal((await get(one, '/api/admin/users')).statusCode, 200)
})

t.test(
  'an actor who lacks a permission of a role neither sets nor lifts its requirement',
  async (t) => {
    const { cookie } = await aCaller(app, await aRole(database, 'roles:update'))
    for (const [role, required] of [
      [await aRole(database, 'users:read'), false],
      [await aRequiringRole(app, 'users:read'), true]
    ] as const) {
      t.match((await patch(cookie, role, !required)).json(), { code: 'exceeds-own-permissions' })
      t.match((await patch(cookie, role, required)).json(), { requiresSecondFactor: required })
    }
  }
)

t.test('nobody lifts the requirement of a role that is suspended for them', async (t) => {
  for (const permissions of [['users:read'], []]) {
    const role = await aRequiringRole(app, ...permissions)
    // A second role with everything that it takes, which requires no second factor.
    const { one, two } = await twoSessions(
      role,
      await aRole(database, 'roles:update', 'users:read')
    )
    t.match((await patch(one, role, false)).json(), { code: 'exceeds-own-permissions' })
    t.match((await get(one, '/api/auth/me')).json(), { user: { suspendedRoles: [role] } })
    t.equal((await patch(two, role, false)).statusCode, 200)
    t.match((await get(one, '/api/auth/me')).json(), { user: { suspendedRoles: [] } })
  }
})

t.test('a suspended role gives no right to a change that is admitted already', async (t) => {
  const role = await aRequiringRole(app, 'roles:create', 'users:update', 'flags:create')
  const { one, two } = await twoSessions(role)
  const target = await aUser(database)
  const [weak, strong] = [await actorIn(one), await actorIn(two)]
  const attempts: ((actor: typeof weak) => Promise<unknown>)[] = [
    (actor) => createRole(db, actor, { key: 'made', name: 'x', permissions: ['flags:create'] }),
    (actor) => setPassword(app.context, actor, { userId: target.id, password: newPassword }),
    (actor) => resetSecondFactor(app.context, actor, { userId: target.id })
  ]
  for (const attempt of attempts) {
    await t.rejects(attempt(weak), { code: 'permission-denied' })
    await attempt(strong)
  }
})

t.test('an actor acts with the permissions that count, on all permissions of others', async (t) => {
  const strict = await aRequiringRole(app, 'flags:create')
  const plain = await aRole(database, 'users:update', 'roles:update')
  const { one, two } = await twoSessions(strict, plain)
  const [weak, strong] = [await actorIn(one), await actorIn(two)]
  const empty = await aRole(database)
  // Their role does not count in any session of theirs, and still protects them.
  const holder = await aUser(database)
  await grantRole(db, operator, { userId: holder.id, role: strict })
  const stranger = await aUser(database)

  const attempts: ((actor: typeof weak) => Promise<unknown>)[] = [
    (actor) => grantPermission(db, actor, { role: empty, permission: 'flags:create' }),
    (actor) => revokePermission(db, actor, { role: empty, permission: 'flags:create' }),
    (actor) => grantRole(db, actor, { userId: stranger.id, role: strict }),
    (actor) => revokeRole(db, actor, { userId: stranger.id, role: strict }),
    (actor) => setPassword(app.context, actor, { userId: holder.id, password: newPassword }),
    (actor) => resetSecondFactor(app.context, actor, { userId: holder.id })
  ]
  for (const [n, attempt] of attempts.entries()) {
    await t.rejects(attempt(weak), { code: 'exceeds-own-permissions' }, `attempt ${n}`)
    await attempt(strong)
  }
  await t.rejects(
    resetSecondFactor(app.context, weak, { userId: weak.id }),
    { code: 'exceeds-own-permissions' },
    'not even on themselves'
  )
})

t.test('flags are targeted at the roles that count in the session', async (t) => {
  const role = await aRequiringRole(app)
  const { one, two } = await twoSessions(role)
  await createFlag(db, operator, {
    key: 'for-strict',
    type: 'boolean',
    variants: { on: true, off: false },
    defaultVariant: 'off',
    offVariant: 'off',
    public: true,
    rules: [{ when: { rolesAny: [role] }, serve: { variant: 'on' } }]
  })
  const valueIn = async (cookie: string) =>
    (
      await app.inject({
        method: 'POST',
        url: '/ofrep/v1/evaluate/flags/for-strict',
        headers: { cookie },
        payload: { context: { roles: [role] } }
      })
    ).json().value
  t.same([await valueIn(one), await valueIn(two)], [false, true])
})

t.test('an administrator without a second factor is still the last one', async (t) => {
  const alone = await ownApp(t)
  const { user, call } = await callerOf(alone, await aUser(alone.database), 'admin')
  await updateRole(alone.db, operator, { key: 'admin', changes: { requiresSecondFactor: true } })
  t.match((await call('GET', '/api/auth/me')).json(), { user: { suspendedRoles: ['admin'] } })
  await t.rejects(revokeRole(alone.db, operator, { userId: user.id, role: 'admin' }), {
    code: 'last-admin'
  })
  const deletion = await call('POST', '/api/user/deletion', { currentPassword: password })
  t.match(deletion.json(), { code: 'last-admin' })
})

t.test('lists of sessions say how many factors were proved', async (t) => {
  const { user, one, two } = await twoSessions()
  const proved = async (path: string) =>
    (await get((await aCaller(app, 'admin')).cookie, path))
      .json()
      .items.map((each: { assurance: number }) => each.assurance)
  t.same(await proved(`/api/admin/sessions?userId=${user.id}`), [2, 1])
  const own = (await get(two, '/api/user/sessions')).json().items
  t.same(
    own.map((each: { assurance: number; current: boolean }) => [each.assurance, each.current]),
    [
      [2, true],
      [1, false]
    ]
  )
  await db.update(sessions).set({ assurance: 2 }).where(eq(sessions.userId, user.id))
  t.same(await proved(`/api/admin/sessions?userId=${user.id}`), [2, 2])
  t.equal((await get(one, '/api/auth/me')).statusCode, 200)
})
