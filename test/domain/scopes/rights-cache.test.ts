import { sql } from 'drizzle-orm'
import t from 'tap'
import { userEpochs } from '../../../db/epochs.ts'
import { statements } from '../../../db/statements.ts'
import type { SentStatement } from '../../../db/statements.ts'
import { bumpUsers } from '../../../src/domain/freshness/epochs.ts'
import { userTags } from '../../../src/domain/freshness/user-epochs.ts'
import type { RightsKept } from '../../../src/domain/keys/rights.ts'
import { createScopedRights } from '../../../src/domain/scopes/rights-cache.ts'
import { aUser, onPglite, testDatabase } from '../../support/app.ts'
import { aScopedRole, freshScope, granted } from '../../support/scopes.ts'

const database = await testDatabase(t)
const { db } = database
const read = createScopedRights(db)
const role = await aScopedRole(database, 'users:read')
const rights = { roles: [role], suspendedRoles: [], permissions: ['users:read'] }

/** A user with the role in a scope, as a principal of this moment. */
async function aMember() {
  const [{ id: userId }, scope] = [await aUser(database), freshScope()]
  await granted(database, { id: userId }, scope, role)
  const [epochs] = await db.select(userEpochs(sql`${userId}::uuid`)).from(sql`(select 1) as one`)
  if (!epochs) throw new Error('no epochs')
  const kept: RightsKept = { tags: userTags(userId, epochs), scopes: undefined }
  return { scope, userId, holder: { userId, assurance: 1 as const, kept } }
}

t.test('rights are kept with a principal of the same state', async (t) => {
  const { scope, holder } = await aMember()
  t.same(await read(holder, scope), rights)
  t.same([...(holder.kept.scopes ?? [])], [[scope, rights]])
})

t.test('rights of a later state than the principal are used once and not kept', async (t) => {
  const { scope, userId, holder } = await aMember()
  await db.transaction(async (tx) => bumpUsers(tx, userId))
  t.same(await read(holder, scope), rights)
  t.equal(holder.kept.scopes, undefined)
})

t.test('a principal keeps the 50 scopes that were used last', async (t) => {
  const { scope, holder } = await aMember()
  const others = Array.from({ length: 60 }, freshScope)
  await read(holder, scope)
  for (const other of others) {
    await read(holder, other)
    await read(holder, scope)
  }
  t.same([...(holder.kept.scopes?.keys() ?? [])], [...others.slice(-49), scope])
})

t.test('questions that wait share a statement', { skip: onPglite }, async (t) => {
  const members = await Promise.all(Array.from({ length: 40 }, aMember))
  let sent = 0
  const count = (statement: unknown) => {
    if ((statement as SentStatement).text.includes('scoped_roles')) sent++
  }
  statements.subscribe(count)
  t.teardown(() => statements.unsubscribe(count))
  const found = await Promise.all(
    members.flatMap(({ scope, holder }) => [read(holder, scope), read(holder, freshScope())])
  )
  t.equal(sent, 1)
  found.forEach((each, i) => {
    t.same(each, i % 2 === 0 ? rights : { roles: [], suspendedRoles: [], permissions: [] })
  })
})
