import { eq } from 'drizzle-orm'
import t from 'tap'
import { epochParts, epochs, rolesScope, userScope } from '../../db/schema/epochs.ts'
import { userRoles } from '../../db/schema/roles.ts'
import { users } from '../../db/schema/users.ts'
import { transaction } from '../../db/transaction.ts'
import { bump, bumpAll } from '../../src/domain/freshness/epochs.ts'
import { aCaller, aRole, testApp } from '../support/app.ts'

t.test('cached data is not used after a restore or a failover to a lagging standby', async (t) => {
  const app = await testApp(t)
  const admin = await aCaller(app, 'admin')
  const { call, user } = await aCaller(app)
  const role = await aRole(app.database, 'activity:read')
  const present = async () =>
    (await call('GET', '/api/auth/me')).json().user as { name: string; roles: string[] }
  const give = () => admin.call('PUT', `/api/admin/users/${user.id}/roles/${role}`)
  const backup = {
    epochs: await app.db.select().from(epochs),
    parts: await app.db.select().from(epochParts),
    roles: await app.db.select().from(userRoles).where(eq(userRoles.userId, user.id))
  }
  const restore = () =>
    app.db.transaction(async (tx) => {
      await tx.delete(userRoles).where(eq(userRoles.userId, user.id))
      await tx.insert(userRoles).values(backup.roles)
      for (const { scope, value } of backup.epochs) {
        await tx.update(epochs).set({ value }).where(eq(epochs.scope, scope))
      }
      for (const { scope, numbers } of backup.parts) {
        await tx.update(epochParts).set({ numbers }).where(eq(epochParts.scope, scope))
      }
    })

  t.equal((await give()).statusCode, 204)
  t.ok((await present()).roles.includes(role), 'kept in memory, with the epoch of the change')
  await restore()
  t.notOk(
    (await present()).roles.includes(role),
    'an epoch from before the change is not taken for the present one'
  )

  await give()
  t.ok((await present()).roles.includes(role))
  await restore()
  // One change before and one after: if epochs were counters, this one would restore the cached
  // number.
  t.equal(
    (await admin.call('PATCH', `/api/admin/users/${user.id}`, { name: 'Grace' })).statusCode,
    200
  )
  const { name, roles } = await present()
  t.equal(name, 'Grace')
  t.notOk(roles.includes(role), 'the epoch of a change is never one that was there before')
})

t.test('cached data is not used after lost rows of the epochs were added again', async (t) => {
  const app = await testApp(t)
  const { call, user } = await aCaller(app)
  const scope = userScope(user.id)
  const nameNow = async () => (await call('GET', '/api/auth/me')).json().user?.name as string
  t.equal(await nameNow(), 'Ada Lovelace')
  for (const [n, table] of [epochParts, epochs].entries()) {
    const name = `Ada ${n}`
    await app.db.delete(table).where(eq(table.scope, scope))
    await app.db.update(users).set({ name }).where(eq(users.id, user.id)) // by hand, no bump
    t.equal(await transaction(app.db, bumpAll), 1)
    t.equal(await nameNow(), name)
  }
})

t.test(
  'a change of roles adds the missing epoch of the roles, and every instance sees it',
  async (t) => {
    const app = await testApp(t)
    const { call } = await aCaller(app)
    const status = async () => (await call('GET', '/api/auth/me')).statusCode
    t.equal(await status(), 200)
    await app.db.delete(epochs).where(eq(epochs.scope, rolesScope))
    t.equal(await status(), 503, 'without it, no session is accepted')
    await app.db.transaction((tx) => bump(tx, rolesScope))
    t.equal(await status(), 200)
  }
)
