import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { databaseCode } from '../../../db/errors.ts'
import {
  epochParts,
  epochs,
  partsPerShard,
  rolesScope,
  scopeCount,
  userPart,
  userPartOf,
  userScope,
  userScopeOf,
  userShards
} from '../../../db/schema/epochs.ts'
import { transaction } from '../../../db/transaction.ts'
import { bump, bumpAll, bumpUsers } from '../../../src/domain/freshness/epochs.ts'
import { createShardReader, numberAt } from '../../../src/domain/freshness/user-epochs.ts'
import type { Shard } from '../../../src/domain/freshness/user-epochs.ts'
import { onPglite, testApp, until } from '../../support/app.ts'
import { waitingForLocks } from '../../support/locks.ts'
import { neighbour } from './neighbours.ts'

const { db } = await testApp(t)
const { read } = createShardReader(db)

const shardOf = async (id: string, readShards = read) => {
  const shard = (await readShards([userScope(id)])).shards.get(userScope(id))
  if (!shard) throw new Error('the shard was not read')
  return shard
}

const parts = Array.from({ length: partsPerShard }, (_, part) => part)
const partsBut = (one: number) => parts.filter((part) => part !== one)
/** The parts whose numbers are the same. */
const unchanged = (now: Shard, was: Shard | undefined) =>
  parts.filter((part) => numberAt(now.numbers, part) === numberAt(was?.numbers ?? '', part))

t.test('scope and part of a user are the same in the code and in SQL', async (t) => {
  const ids = Array.from({ length: 50 }, () => randomUUID())
  const listed = sql`(select id::uuid from unnest(string_to_array(${ids.join()}, ',')) as id) as listed`
  const id = sql`id`
  const rows = await db
    .select({ id: sql<string>`id`, scope: userScopeOf(id), part: userPartOf(id) })
    .from(listed)
  t.same(
    rows.map((row) => [row.id, row.scope, row.part]).sort(),
    ids.map((id) => [id, userScope(id), userPart(id)]).sort()
  )
  t.ok(ids.every((id) => userScope(id) < rolesScope && userPart(id) < 256))
})

t.test('a bump of a user changes one number of one shard', async (t) => {
  const id = randomUUID()
  const others = async () => ({
    epochs: await db
      .select()
      .from(epochs)
      .where(sql`scope <> ${userScope(id)}`)
      .orderBy(epochs.scope),
    parts: await db
      .select()
      .from(epochParts)
      .where(sql`scope <> ${userScope(id)}`)
      .orderBy(epochParts.scope)
  })
  const before = await shardOf(id)
  const othersBefore = await others()
  await db.transaction((tx) => bumpUsers(tx, id, neighbour(id, true)))
  const after = await shardOf(id)
  t.not(after.value, before.value)
  t.same(unchanged(after, before), partsBut(userPart(id)))
  t.same(await others(), othersBefore)
})

t.test('a bump of everything changes every epoch and every number', async (t) => {
  const all = async () => ({
    epochs: await db.select().from(epochs).orderBy(epochs.scope),
    shards: (await read(Array.from({ length: userShards }, (_, scope) => scope))).shards
  })
  const before = await all()
  t.equal(await transaction(db, bumpAll), 0)
  const after = await all()
  t.equal(after.epochs.length, scopeCount)
  for (const [scope, { value }] of before.epochs.entries()) {
    if (after.epochs[scope]?.value === value) t.fail(`scope ${scope}`)
  }
  for (const [scope, shard] of after.shards) {
    const same = unchanged(shard, before.shards.get(scope))
    if (same.length > 0) t.fail(`scope ${scope}, parts ${same.join()}`)
  }
})

t.test('a bump of several users changes the epoch of each shard', async (t) => {
  const id = randomUUID()
  const ids = [id, neighbour(id), neighbour(id), ...Array.from({ length: 20 }, () => randomUUID())]
  const scopes = [...new Set(ids.map(userScope))]
  const before = await read(scopes)
  await db.transaction((tx) => bumpUsers(tx, ...ids))
  const after = await read(scopes)
  for (const scope of scopes) {
    t.not(after.shards.get(scope)?.value, before.shards.get(scope)?.value)
  }
  for (const each of ids) {
    t.not(
      numberAt(after.shards.get(userScope(each))?.numbers ?? '', userPart(each)),
      numberAt(before.shards.get(userScope(each))?.numbers ?? '', userPart(each))
    )
  }
})

t.test('none of many bumps of one shard at once is lost', async (t) => {
  const id = randomUUID()
  const ids = Array.from({ length: 16 }, (_, part) =>
    id.slice(0, -4).concat(part.toString(16).padStart(2, '0'), id.slice(-2))
  )
  const before = await shardOf(id)
  await Promise.all(ids.map((each) => transaction(db, (tx) => bumpUsers(tx, each))))
  const after = await shardOf(id)
  t.not(after.value, before.value)
  const changed = ids.filter(
    (_, part) => numberAt(after.numbers, part) !== numberAt(before.numbers, part)
  )
  t.equal(changed.length, ids.length)
})

t.test('bumps of users, of the roles and of everything do not deadlock', async (t) => {
  const ids = Array.from({ length: 12 }, () => randomUUID())
  const scopes = [...new Set(ids.map(userScope))]
  const before = await read(scopes)
  const shuffled = () => ids.toSorted(() => (randomUUID() < '8' ? -1 : 1))
  const deadlocks: unknown[] = []
  await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      transaction(db, async (tx) => {
        try {
          if (i % 3 === 0) await bumpAll(tx)
          else if (i % 3 === 1) await bumpUsers(tx, ...shuffled())
          else await bump(tx, rolesScope)
        } catch (error) {
          if (databaseCode(error) === '40P01') deadlocks.push(error)
          throw error // a serialization failure is tried again
        }
      })
    )
  )
  t.same(deadlocks, [])
  const after = await read(scopes)
  t.not(after.roles, before.roles)
  for (const [scope, shard] of after.shards) t.same(unchanged(shard, before.shards.get(scope)), [])
})

t.test(
  'a bump that waits for a bump of everything does not undo it',
  { skip: onPglite && 'it has one connection' },
  async (t) => {
    const id = randomUUID()
    const before = await shardOf(id)
    let waiting: Promise<unknown> | undefined
    let refreshed = before
    await db.transaction(async (tx) => {
      await bumpAll(tx)
      refreshed = await shardOf(id, createShardReader(tx).read)
      waiting = transaction(db, (tx) => bumpUsers(tx, id))
      await until(async () => (await waitingForLocks(db)) > 0)
    })
    await waiting
    const after = await shardOf(id)
    t.same(unchanged(after, before), [])
    t.not(after.value, refreshed.value)
    t.same(unchanged(after, refreshed), partsBut(userPart(id)))
  }
)
