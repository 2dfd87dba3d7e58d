import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../db/schema/sessions.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { deleteRole } from '../../src/domain/access/role-deletion.ts'
import { createRole, findRole, updateRole } from '../../src/domain/access/roles.ts'
import { deleteScope } from '../../src/domain/scopes/deletion.ts'
import { listScopesOf } from '../../src/domain/scopes/list.ts'
import { manageRevoke, revokeInScope } from '../../src/domain/scopes/members.ts'
import { actorOf } from '../support/actors.ts'
import { aRole, aUser, operator, testDatabase } from '../support/app.ts'
import { aScopedRole, freshScope, granted } from '../support/scopes.ts'

const database = await testDatabase(t)
const { db } = database
const admitting = await aRole(database, 'users:update', 'roles:update', 'roles:delete')

/** An operator with a role in a scope that requires a second factor, signed in without one. */
async function anOperator() {
  const [user, scope, role] = [await aUser(database), freshScope(), `guarded-${randomUUID()}`]
  await createRole(db, operator, { key: role, name: 'A', requiresSecondFactor: true, scoped: true })
  await grantRole(db, operator, { userId: user.id, role: admitting })
  await granted(database, user, scope, role)
  const held = [{ scope, roles: [role] }]
  return { user, scope, role, held, actor: await actorOf(database, user) }
}

type Operator = Awaited<ReturnType<typeof anOperator>>

const ways: Record<string, (person: Operator) => Promise<unknown>> = {
  'revoking the own role': ({ actor, scope, role, user }) =>
    revokeInScope(db, actor, { scope, userId: user.id, role }),
  'leaving the scope': ({ actor, scope, role, user }) =>
    manageRevoke(db, actor, { scope, userId: user.id, role }),
  'deleting the scope': ({ actor, scope }) => deleteScope(db, actor, scope),
  'ending the requirement': ({ actor, role: key }) =>
    updateRole(db, actor, { key, changes: { requiresSecondFactor: false } }),
  'deleting the role': ({ actor, role: key }) => deleteRole(db, actor, { key })
}

for (const [way, lift] of Object.entries(ways)) {
  t.test(`${way} frees nobody from a second factor with the password alone`, async (t) => {
    const person = await anOperator()
    await t.rejects(lift(person), { code: 'exceeds-own-permissions' })
    t.same(await listScopesOf(db, person.user.id), person.held)
    await db.update(sessions).set({ assurance: 2 }).where(eq(sessions.userId, person.user.id))
    await lift(person)
  })

  t.test(`${way} takes a recent authentication`, async (t) => {
    const person = await anOperator()
    await db
      .update(sessions)
      .set({ assurance: 2, createdAt: new Date(Date.now() - 3_600_000) })
      .where(eq(sessions.userId, person.user.id))
    await t.rejects(lift(person), { code: 'reauthentication-required' })
    t.same(await listScopesOf(db, person.user.id), person.held)
  })
}

t.test(
  'an operator who lacks the rights of a member in a scope cannot end a requirement',
  async (t) => {
    const [member, person, key] = [await aUser(database), await aUser(database), randomUUID()]
    await createRole(db, operator, { key, name: 'A', requiresSecondFactor: true })
    await grantRole(db, operator, { userId: member.id, role: key })
    const [scope, role] = [freshScope(), await aScopedRole(database, 'users:delete')]
    await granted(database, member, scope, role)
    await grantRole(db, operator, { userId: person.id, role: admitting })
    const actor = await actorOf(database, person)
    const lift = () => updateRole(db, actor, { key, changes: { requiresSecondFactor: false } })
    await t.rejects(lift(), { code: 'exceeds-own-permissions' })
    t.match(await findRole(db, key), { requiresSecondFactor: true })
    await revokeInScope(db, operator, { scope, userId: member.id, role })
    t.match(await lift(), { requiresSecondFactor: false })
  }
)
