import { and, eq } from 'drizzle-orm'
import t from 'tap'
import { roles, userRoles } from '../../db/schema/roles.ts'
import { users } from '../../db/schema/users.ts'
import { grantRole, revokeRole } from '../../src/domain/access/memberships.ts'
import type { Actor } from '../../src/domain/actor.ts'
import { updateUser } from '../../src/domain/administration/users.ts'
import { actorOf } from '../support/actors.ts'
import { aCaller, aUser, onPglite, operator, ownApp, testDatabase } from '../support/app.ts'

t.test('no operation removes the last administrator', async (t) => {
  const app = await ownApp(t)
  const { call, user } = await aCaller(app, 'admin')
  const second = await aUser(app.database)
  await grantRole(app.db, operator, { userId: second.id, role: 'admin' })
  await updateUser(app.context, operator, { id: second.id, changes: { status: 'deactivated' } })
  for (const [method, url, payload] of [
    ['DELETE', `/api/admin/users/${user.id}/roles/admin`, undefined],
    ['PATCH', `/api/admin/users/${user.id}`, { status: 'deactivated' }],
    ['DELETE', `/api/admin/users/${user.id}`, undefined]
  ] as const) {
    const response = await call(method, url, payload)
    t.equal(response.statusCode, 409, 'a deactivated administrator does not count')
    t.match(response.json(), { code: 'last-admin' })
  }
  t.equal(
    (await call('DELETE', `/api/admin/users/${second.id}`)).statusCode,
    204,
    'one who does not count may go'
  )
})

t.test('when two administrators remove each other at once, one always remains', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const rounds = onPglite ? 20 : 100
  const [a, b] = [await aUser(database), await aUser(database)]
  const ways = [
    (actor: Actor, id: string) => revokeRole(db, actor, { userId: id, role: 'admin' }),
    (actor: Actor, id: string) =>
      updateUser({ db, mail: undefined }, actor, { id, changes: { status: 'deactivated' } })
  ]
  for (let round = 0; round < rounds; round++) {
    for (const { id } of [a, b]) {
      await updateUser({ db, mail: undefined }, operator, { id, changes: { status: 'active' } })
      await grantRole(db, operator, { userId: id, role: 'admin' })
    }
    const [asA, asB] = [await actorOf(database, a), await actorOf(database, b)]
    const [first, second] = [ways[round % 2], ways[(round >> 1) % 2]]
    const outcomes = await Promise.allSettled([first?.(asA, b.id), second?.(asB, a.id)])
    const left = await db
      .select({ id: users.id })
      .from(users)
      .innerJoin(userRoles, eq(userRoles.userId, users.id))
      .innerJoin(roles, eq(roles.id, userRoles.roleId))
      .where(and(eq(roles.key, 'admin'), eq(users.status, 'active')))
    if (
      left.length !== 1 ||
      outcomes.filter((outcome) => outcome.status === 'rejected').length !== 1
    ) {
      t.fail(`round ${round} left ${left.length}: ${JSON.stringify(outcomes)}`)
      return
    }
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')
    t.match(
      refused?.reason.code,
      /^(last-admin|permission-denied|unauthenticated|exceeds-own-permissions)$/
    )
  }
})
