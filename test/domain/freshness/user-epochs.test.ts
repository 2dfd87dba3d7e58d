import { eq, inArray, sql } from 'drizzle-orm'
import t from 'tap'
import { transaction } from '../../../db/transaction.ts'
import {
  epochDeltas,
  epochParts,
  epochs,
  flagsScope,
  rolesScope,
  scopeCount,
  userScope
} from '../../../db/schema/epochs.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { bumpUsers } from '../../../src/domain/freshness/epochs.ts'
import { createShardReader } from '../../../src/domain/freshness/shards.ts'
import { aCaller, signedIn, testApp } from '../../support/app.ts'
import { neighbour, oldBump } from './neighbours.ts'

const app = await testApp(t)
const { db } = app
const { read } = createShardReader(db)

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
  const bumped = (id: string) => () => db.transaction((tx) => bumpUsers(tx, id))
  t.same(await costOf(bumped(neighbour(user.id))), [0, 1], 'another part of the shard')
  t.same(await costOf(bumped(neighbour(user.id, true))), [1, 1], 'the same part')
  t.same(await costOf(() => db.execute(oldBump(userScope(user.id)))), [1, 1], 'the whole shard')
  t.same(await costOf(() => db.execute(oldBump(rolesScope))), [1, 0], 'the roles')
  t.same(await costOf(() => db.execute(oldBump(flagsScope))), [0, 0], 'another scope')
  t.same(await costOf(() => db.execute(oldBump((userScope(user.id) + 1) % 64))), [0, 0])
})

t.test('no result is stale beside a server of the version before', async (t) => {
  const { user, call } = await aCaller(app)
  const nameOf = async () => (await call('GET', '/api/auth/me')).json().user.name as string
  for (let round = 0; round < 12; round++) {
    await nameOf()
    const name = `Name ${round}`
    await transaction(db, async (tx) => {
      await tx.update(users).set({ name }).where(eq(users.id, user.id))
      await tx.execute(oldBump(userScope(user.id)))
    })
    // Between the two, the parts may or may not be read.
    if (round % 2 === 0) await db.transaction((tx) => bumpUsers(tx, neighbour(user.id)))
    t.equal(await nameOf(), name, 'changed by the version before')
    const own = `Own name ${round}`
    const changed = await call('PUT', '/api/user/name', { name: own })
    t.equal(changed.statusCode, 200)
    if (round % 3 === 0) await db.execute(oldBump(userScope(neighbour(user.id))))
    t.equal(await nameOf(), own)
  }
  await transaction(db, async (tx) => {
    await tx
      .update(sessions)
      .set({ revokedAt: sql`now()`, revokeReason: 'revoked' })
      .where(eq(sessions.userId, user.id))
    await tx.execute(oldBump(userScope(user.id)))
  })
  await db.transaction((tx) => bumpUsers(tx, neighbour(user.id)))
  t.equal((await call('GET', '/api/auth/me')).statusCode, 401)
})

t.test('without its epochs, a shard is neither changed nor used', async (t) => {
  const { user, call } = await aCaller(app)
  const me = async () => (await call('GET', '/api/auth/me')).statusCode
  t.equal(await me(), 200)
  const scope = userScope(user.id)
  const where = eq(epochParts.scope, scope)
  const [parts] = await db.delete(epochParts).where(where).returning()
  const [delta] = await db.delete(epochDeltas).where(eq(epochDeltas.scope, scope)).returning()
  if (!parts || !delta) throw new Error('a shard has no parts')
  const refused = { code: 'EPOCHS_MISSING' }
  await t.rejects(
    db.transaction((tx) => bumpUsers(tx, user.id)),
    refused
  )
  t.equal((await call('PUT', '/api/user/name', { name: 'Nobody' })).statusCode, 503)
  await db.execute(oldBump(scope))
  t.equal(await me(), 503, 'a kept session')
  t.equal(await me(), 503)
  const cookie = await signedIn(app, user.email)
  const first = await app.inject({ url: '/api/auth/me', headers: { cookie } })
  t.equal(first.statusCode, 503, 'a new session')
  await t.rejects(read([scope, (scope + 1) % 64]), refused)

  await db.insert(epochParts).values(parts)
  await t.rejects(
    db.transaction((tx) => bumpUsers(tx, user.id)),
    refused
  )
  t.equal(await me(), 503, 'with parts alone')
  await db.insert(epochDeltas).values(delta)
  t.equal(await me(), 200)
  t.not((await call('GET', '/api/auth/me')).json().user.name, 'Nobody')
  await t.rejects(
    db
      .update(epochParts)
      .set({ numbers: Buffer.alloc(2047) })
      .where(where),
    'parts of another size'
  )
  const [epoch] = await db
    .delete(epochs)
    .where(inArray(epochs.scope, [rolesScope]))
    .returning()
  if (!epoch) throw new Error('the roles have no epoch')
  await t.rejects(read([scope]), refused)
  t.equal(await me(), 503)
  await db.insert(epochs).values(epoch)
  t.equal(await me(), 200)
  t.equal((await db.select().from(epochs)).length, scopeCount)
})
