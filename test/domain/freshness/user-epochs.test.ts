import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import {
  epochParts,
  epochs,
  flagsScope,
  rolesScope,
  scopeCount,
  userScope,
  userShards
} from '../../../db/schema/epochs.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { bump, bumpAll, bumpUsers } from '../../../src/domain/freshness/epochs.ts'
import { createShardReader } from '../../../src/domain/freshness/user-epochs.ts'
import { aCaller, signedIn, testApp } from '../../support/app.ts'
import { neighbour } from './neighbours.ts'

const app = await testApp(t)
const { db } = app
const { read } = createShardReader(db)
const bumped = (...ids: string[]) => transaction(db, (tx) => bumpUsers(tx, ...ids))

t.test('a change is read again by the users of its part only', async (t) => {
  const { user, call } = await aCaller(app)
  const me = async () => (await call('GET', '/api/auth/me')).statusCode
  const costOf = async (work: () => Promise<unknown>) => {
    await me()
    const before = [app.principalsLoaded(), app.shardTotals.reads]
    await work()
    t.equal(await me(), 200)
    t.equal(await me(), 200)
    return [app.principalsLoaded(), app.shardTotals.reads].map(
      (count, i) => count - (before[i] ?? 0)
    )
  }
  const nextShard = (userScope(user.id) + 1) % userShards
  const elsewhere = user.id.slice(0, -2) + nextShard.toString(16).padStart(2, '0')
  t.same(await costOf(() => bumped(neighbour(user.id))), [0, 1], 'another part of the shard')
  t.same(await costOf(() => bumped(neighbour(user.id, true))), [1, 1], 'the same part')
  t.same(await costOf(() => transaction(db, bumpAll)), [1, 1], 'everything')
  t.same(await costOf(() => transaction(db, (tx) => bump(tx, rolesScope))), [1, 0], 'the roles')
  t.same(await costOf(() => transaction(db, (tx) => bump(tx, flagsScope))), [0, 0], 'the flags')
  t.same(await costOf(() => bumped(elsewhere)), [0, 0], 'another shard')
})

t.test('no result is stale between changes of other users of the shard', async (t) => {
  const { user, call } = await aCaller(app)
  const nameOf = async () => (await call('GET', '/api/auth/me')).json().user.name as string
  for (let round = 0; round < 6; round++) {
    await nameOf()
    const name = `Name ${round}`
    await transaction(db, async (tx) => {
      await tx.update(users).set({ name }).where(eq(users.id, user.id))
      await bumpUsers(tx, user.id)
    })
    if (round % 2 === 0) await bumped(neighbour(user.id))
    t.equal(await nameOf(), name, 'changed by another instance')
    const own = `Own name ${round}`
    const changed = await call('PUT', '/api/user/name', { name: own })
    t.equal(changed.statusCode, 200)
    if (round % 3 === 0) await bumped(neighbour(user.id, true))
    t.equal(await nameOf(), own)
  }
  await transaction(db, async (tx) => {
    await tx
      .update(sessions)
      .set({ revokedAt: sql`now()`, revokeReason: 'revoked' })
      .where(eq(sessions.userId, user.id))
    await bumpUsers(tx, user.id)
  })
  await bumped(neighbour(user.id))
  t.equal((await call('GET', '/api/auth/me')).statusCode, 401)
})

t.test('without its epochs, a shard is neither changed nor used', async (t) => {
  const { user, call } = await aCaller(app)
  const me = async () => (await call('GET', '/api/auth/me')).statusCode
  t.equal(await me(), 200)
  const scope = userScope(user.id)
  const where = eq(epochParts.scope, scope)
  const [parts] = await db.delete(epochParts).where(where).returning()
  if (!parts) throw new Error('a shard has no parts')
  const refused = { code: 'EPOCHS_MISSING' }
  await t.rejects(bumped(user.id), refused)
  t.equal((await call('PUT', '/api/user/name', { name: 'Nobody' })).statusCode, 503)
  await db.update(epochs).set({ value: 1n }).where(eq(epochs.scope, scope))
  t.equal(await me(), 503, 'a kept session')
  t.equal(await me(), 503)
  const cookie = await signedIn(app, user.email)
  const first = await app.inject({ url: '/api/auth/me', headers: { cookie } })
  t.equal(first.statusCode, 503, 'a new session')
  await t.rejects(read([scope, (scope + 1) % 64]), refused)

  await db.insert(epochParts).values(parts)
  t.equal(await me(), 200)
  t.not((await call('GET', '/api/auth/me')).json().user.name, 'Nobody')
  await t.rejects(
    db
      .update(epochParts)
      .set({ numbers: Buffer.alloc(2047) })
      .where(where),
    'parts of another size'
  )
  for (const [missing, what] of [
    [scope, 'the shard'],
    [rolesScope, 'the roles']
  ] as const) {
    const [epoch] = await db.delete(epochs).where(eq(epochs.scope, missing)).returning()
    if (!epoch) throw new Error(`${what} have no epoch`)
    await t.rejects(read([scope]), refused, what)
    if (missing === scope) await t.rejects(bumped(user.id), refused)
    t.equal(await me(), 503)
    await db.insert(epochs).values(epoch)
    t.equal(await me(), 200)
  }
  t.equal((await db.select().from(epochs)).length, scopeCount)
})
