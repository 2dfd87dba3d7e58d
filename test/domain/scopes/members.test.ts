import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { endedScopes, invitations, scopedRoles, scopeLimits } from '../../../db/schema/scopes.ts'
import { apiKeys } from '../../../db/schema/services.ts'
import { users } from '../../../db/schema/users.ts'
import { deleteRole } from '../../../src/domain/access/role-deletion.ts'
import { findRole } from '../../../src/domain/access/roles.ts'
import { createRole } from '../../../src/domain/access/roles.ts'
import { deleteScope } from '../../../src/domain/scopes/deletion.ts'
import { findScope, listMembers, listScopesOf } from '../../../src/domain/scopes/list.ts'
import {
  grantInScope,
  manageGrant,
  manageRevoke,
  revokeInScope
} from '../../../src/domain/scopes/members.ts'
import { actorOf } from '../../support/actors.ts'
import { activityOf, aRole, aUser, onPglite, operator, testDatabase } from '../../support/app.ts'
import { fillKeys } from '../../support/keys.ts'
import { aScopedRole, freshScope, granted } from '../../support/scopes.ts'

const database = await testDatabase(t)
const { db } = database
const manager = await aScopedRole(database, 'members:manage', 'profile:read')
const reader = await aScopedRole(database, 'profile:read')
const other = await aScopedRole(database, 'users:read')

/** A scope with this number of managers, and their actors. */
async function aScope(managers = 1) {
  const scope = freshScope()
  const people = await Promise.all(
    Array.from({ length: managers }, async () => {
      const user = await aUser(database)
      await granted(database, user, scope, manager)
      return { user, actor: await actorOf(database, user) }
    })
  )
  const [first] = people
  if (!first) throw new Error('no manager')
  return { scope, people, ...first }
}
const rolesIn = async (scope: string, userId: string) =>
  (await listScopesOf(db, userId)).find((each) => each.scope === scope)?.roles ?? []

t.test('an operator grants a role in a scope and revokes it, with a record of each', async (t) => {
  const [user, scope] = [await aUser(database), freshScope()]
  const membership = { scope, userId: user.id, role: reader }
  for (let i = 0; i < 2; i++) await grantInScope(db, operator, membership)
  t.same(await rolesIn(scope, user.id), [reader])
  t.same(await findScope(db, scope), { key: scope, members: 1 })
  for (let i = 0; i < 2; i++) await revokeInScope(db, operator, membership)
  t.same(await rolesIn(scope, user.id), [])
  const records = await activityOf(database, user.id)
  const details = { scope, role: reader }
  t.match(records.slice(0, 2), [
    { action: 'scope.role-revoke', details },
    { action: 'scope.role-grant', details }
  ])
  t.equal(records.filter(({ action }) => action.startsWith('scope.')).length, 2)
  await t.rejects(findScope(db, scope), { code: 'scope-not-found' })
})

t.test('only a role of scopes is granted in a scope', async (t) => {
  const [{ id: userId }, scope] = [await aUser(database), freshScope()]
  const role = await aRole(database, 'profile:read')
  const membership = { scope, userId, role }
  await t.rejects(grantInScope(db, operator, membership), { code: 'role-not-scoped' })
  await t.rejects(grantInScope(db, operator, { ...membership, role: 'admin' }), {
    code: 'role-not-scoped'
  })
  await t.rejects(grantInScope(db, operator, { ...membership, role: 'nothing' }), {
    code: 'role-not-found'
  })
})

t.test('a manager grants members the roles whose permissions they hold in the scope', async (t) => {
  const { scope, actor } = await aScope()
  const { id: userId } = await aUser(database)
  await granted(database, { id: userId }, scope, reader)
  await manageGrant(db, actor, { scope, userId, role: manager })
  t.same(await rolesIn(scope, userId), [manager, reader].sort())
  await t.rejects(manageGrant(db, actor, { scope, userId, role: other }), {
    code: 'exceeds-own-permissions'
  })
  await manageRevoke(db, actor, { scope, userId, role: reader })
  t.same(await rolesIn(scope, userId), [manager])
})

t.test('a manager adds nobody who was not invited', async (t) => {
  const { scope, actor } = await aScope()
  const { id: userId } = await aUser(database)
  await t.rejects(manageGrant(db, actor, { scope, userId, role: reader }), {
    code: 'user-not-found'
  })
})

t.test('a manager has no rights in another scope', async (t) => {
  const { actor } = await aScope()
  const { scope, user } = await aScope()
  const membership = { scope, userId: user.id, role: reader }
  await t.rejects(manageGrant(db, actor, membership), { code: 'scope-not-found' })
  await t.rejects(manageRevoke(db, actor, membership), { code: 'scope-not-found' })
  await t.rejects(manageGrant(db, actor, { ...membership, scope: freshScope() }), {
    code: 'scope-not-found'
  })
})

t.test('a member leaves, and manages nobody', async (t) => {
  const { scope, user: boss } = await aScope()
  const user = await aUser(database)
  await granted(database, user, scope, reader)
  const actor = await actorOf(database, user)
  await t.rejects(manageRevoke(db, actor, { scope, userId: boss.id, role: manager }), {
    code: 'permission-denied'
  })
  await manageRevoke(db, actor, { scope, userId: user.id, role: reader })
  t.same(await rolesIn(scope, user.id), [])
  await t.rejects(manageRevoke(db, actor, { scope, userId: user.id, role: reader }), {
    code: 'scope-not-found'
  })
})

t.test(
  'the last manager neither leaves nor loses the role, but an operator revokes it',
  async (t) => {
    const { scope, user, actor } = await aScope()
    const membership = { scope, userId: user.id, role: manager }
    const deactivated = await aUser(database)
    await granted(database, deactivated, scope, manager)
    await db.update(users).set({ status: 'deactivated' }).where(eq(users.id, deactivated.id))
    await t.rejects(manageRevoke(db, actor, membership), { code: 'last-manager' })
    t.same(await rolesIn(scope, user.id), [manager])
    await revokeInScope(db, operator, membership)
    t.same(await rolesIn(scope, user.id), [])
  }
)

t.test('of eight managers who leave at once, exactly one stays', async (t) => {
  for (let round = 0; round < 5; round++) {
    const { scope, people } = await aScope(8)
    const left = await Promise.allSettled(
      people.map(({ user, actor }) =>
        manageRevoke(db, actor, { scope, userId: user.id, role: manager })
      )
    )
    t.equal(left.filter(({ status }) => status === 'fulfilled').length, 7)
    t.match(
      left.find(({ status }) => status === 'rejected'),
      { reason: { code: 'last-manager' } }
    )
    t.match(await findScope(db, scope), { members: 1 })
  }
})

t.test('a deleted scope is not used again for 90 days', async (t) => {
  const { scope, user } = await aScope()
  const membership = { scope, userId: user.id, role: manager }
  await deleteScope(db, operator, scope)
  t.same(await rolesIn(scope, user.id), [])
  t.match(await activityOf(database, scope), [{ action: 'scope.delete', details: { members: 1 } }])
  await t.rejects(grantInScope(db, operator, membership), { code: 'scope-ended' })
  await t.rejects(deleteScope(db, operator, scope), { code: 'scope-not-found' })
  const age = (days: number) =>
    db
      .update(endedScopes)
      // The column rounds up to a millisecond, in which the next transaction may begin.
      .set({ endedAt: sql`now() - make_interval(days => ${days}, secs => 0.001)` })
      .where(eq(endedScopes.scope, scope))
  await age(89)
  await t.rejects(grantInScope(db, operator, membership), { code: 'scope-ended' })
  await age(90)
  await grantInScope(db, operator, membership)
  t.same(await rolesIn(scope, user.id), [manager])
})

t.test('nobody gets a role in a scope that is deleted at the same time', async (t) => {
  const { scope } = await aScope()
  const people = await Promise.all(Array.from({ length: 8 }, () => aUser(database)))
  await Promise.allSettled([
    ...people.slice(0, 4).map((user) => granted(database, user, scope, reader)),
    deleteScope(db, operator, scope),
    ...people.slice(4).map((user) => granted(database, user, scope, reader))
  ])
  t.equal(await db.$count(scopedRoles, eq(scopedRoles.scope, scope)), 0)
})

t.test('a large scope is deleted in steps, with its invitations', { skip: onPglite }, async (t) => {
  const { scope, user } = await aScope()
  const { id: roleId } = await findRole(db, reader)
  await db.execute(sql`
    with made as (insert into users (id, email, email_normalized, name)
      select gen_random_uuid(), ${scope} || n || '@example.com', lower(${scope}) || n || '@example.com', 'A'
      from generate_series(1, 5500) n returning id)
    insert into scoped_roles (user_id, scope, role_id) select id, ${scope}, ${roleId} from made`)
  await db.insert(invitations).values({
    ...{ id: user.id, scope, roleId, email: 'a@example.com', emailNormalized: 'a@example.com' },
    ...{ invitedBy: user.id, tokenHash: Buffer.alloc(32, user.id), expiresAt: new Date() }
  })
  t.match(await findScope(db, scope), { members: 5501 })
  await deleteScope(db, operator, scope)
  t.equal(await db.$count(scopedRoles, eq(scopedRoles.scope, scope)), 0)
  t.equal(await db.$count(invitations, eq(invitations.scope, scope)), 0)
  const members = (await activityOf(database, scope)).map(({ details }) => details.members)
  t.same(members, [501, 5000])
})

t.test('a deleted role is lost in every scope, in steps', { skip: onPglite }, async (t) => {
  const [scope, role, user] = [freshScope(), await aScopedRole(database), await aUser(database)]
  const { id: roleId } = await findRole(db, role)
  await granted(database, user, scope, role)
  await db.execute(sql`
    with made as (insert into users (id, email, email_normalized, name)
      select gen_random_uuid(), ${role} || n || '@example.com', ${role} || n || '@example.com', 'A'
      from generate_series(1, 5500) n returning id)
    insert into scoped_roles (user_id, scope, role_id) select id, ${scope}, ${roleId} from made`)
  await deleteRole(db, operator, { key: role })
  t.same(await rolesIn(scope, user.id), [])
  const actions = (await activityOf(database, roleId)).map(({ action }) => action)
  t.same(actions.slice(0, 2), ['role.delete', 'role.members-remove'])
})

t.test('a user has roles in at most 1,000 scopes, and any number of roles in one', async (t) => {
  const { id: userId } = await aUser(database)
  const { id: roleId } = await findRole(db, reader)
  const scopes = Array.from({ length: scopeLimits.ofUser }, freshScope)
  await db.insert(scopedRoles).values(scopes.map((scope) => ({ scope, userId, roleId })))
  await t.rejects(grantInScope(db, operator, { scope: freshScope(), userId, role: reader }), {
    code: 'too-many-members'
  })
  await grantInScope(db, operator, { scope: scopes[0] ?? '', userId, role: other })
  t.equal((await listScopesOf(db, userId)).length, scopeLimits.ofUser)
})

t.test('the members of a scope are listed by pages, each once and with all roles', async (t) => {
  const { scope, people } = await aScope(5)
  await granted(database, people[2]?.user ?? { id: '' }, scope, reader)
  const ids = people.map(({ user }) => user.id).sort()
  for (const sort of ['id', '-id'] as const) {
    const seen = []
    let after: unknown[] | undefined
    do {
      const { items, next } = await listMembers(db, scope, { limit: 2, sort, after })
      seen.push(...items)
      after = next
    } while (after)
    t.same(
      seen.map(({ user }) => user.id),
      sort === 'id' ? ids : ids.toReversed()
    )
    const roles = seen.find(({ user }) => user.id === people[2]?.user.id)?.roles
    t.same(
      roles?.map(({ key }) => key),
      [manager, reader].sort()
    )
    t.ok(roles?.every(({ grantedAt }) => Math.abs(Date.now() - grantedAt.getTime()) < 600_000))
  }
})

t.test('an actor grants and revokes no role with a permission that they lack', async (t) => {
  const key = await aRole(database, 'users:update')
  const user = await aUser(database)
  await db.execute(sql`insert into user_roles (user_id, role_id)
    select ${user.id}, id from roles where key = ${key}`)
  const actor = await actorOf(database, user)
  const { scope, user: boss } = await aScope()
  const membership = { scope, userId: boss.id, role: manager }
  const refusal = { code: 'exceeds-own-permissions' }
  await t.rejects(grantInScope(db, actor, membership), refusal)
  await t.rejects(revokeInScope(db, actor, membership), refusal)
  await t.rejects(deleteScope(db, actor, scope), refusal)
  await createRole(db, operator, { key: `${key}-in`, name: 'In', scoped: true })
  await grantInScope(db, actor, { ...membership, role: `${key}-in` })
  t.same(await rolesIn(scope, boss.id), [`${key}-in`, manager].sort())
})

t.test('a member leaves a scope with a session, not with a key', async (t) => {
  const [{ scope }, user] = [await aScope(), await aUser(database)]
  const { id } = user
  await granted(database, user, scope, reader)
  await fillKeys(database, { userId: id }, 1)
  const [key] = await db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.userId, id))
  const actor = { type: 'user', source: 'api', id, keyId: key?.id } as const
  const membership = { scope, userId: id, role: reader }
  await t.rejects(manageRevoke(db, actor, membership), { code: 'permission-denied' })
  t.same(await rolesIn(scope, id), [reader])
  await manageRevoke(db, await actorOf(database, user), membership)
  t.same(await rolesIn(scope, id), [])
})
