import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import t from 'tap'
import { roles } from '../../db/schema/roles.ts'
import { scopedRoles } from '../../db/schema/scopes.ts'
import { statements } from '../../db/statements.ts'
import type { SentStatement } from '../../db/statements.ts'
import { aCaller, aRole, onPglite, testApp } from '../support/app.ts'
import { aScopedRole, freshScope, granted, readersOf } from '../support/scopes.ts'

// How rights in scopes are read and kept.

const app = await testApp(t)
const { db, database } = app
const reads = await aScopedRole(database, 'users:read')
const { aMember, checkAs } = readersOf(app, reads)

t.test('rights in a scope are those everywhere and those of the roles held there', async (t) => {
  const keys = ['users:read', 'roles:read', 'flags:read']
  const subset = fc.subarray(keys)
  await fc.assert(
    fc.asyncProperty(subset, subset, subset, async (everywhere, first, second) => {
      const { user, cookie } = await aCaller(app, await aRole(database, ...everywhere))
      const scopes = [freshScope(), freshScope()]
      for (const [i, held] of [first, second].entries()) {
        for (const key of held) {
          await granted(database, user, scopes[i] ?? '', await aScopedRole(database, key))
        }
      }
      for (const [i, scope] of [...scopes, undefined].entries()) {
        const here = new Set([...everywhere, ...([first, second][i] ?? [])])
        for (const key of keys) {
          const query = `?permission=${key}${scope ? `&scope=${scope}` : ''}`
          t.equal((await checkAs(cookie)(query)).statusCode, here.has(key) ? 204 : 403)
        }
      }
    }),
    { numRuns: 5 }
  )
})

t.test('more scopes than are kept are all right, and right again', async (t) => {
  const { user, statusIn } = await aMember()
  const scopes = Array.from({ length: 120 }, freshScope)
  const [{ id: roleId } = { id: '' }] = await db.select().from(roles).where(eq(roles.key, reads))
  const member = scopes.slice(0, 60).map((scope) => ({ scope, userId: user.id, roleId }))
  await db.insert(scopedRoles).values(member)
  // This grant bumps the user, which the rows above did not.
  await granted(database, user, freshScope(), reads)
  for (let round = 0; round < 2; round++) {
    const found = await Promise.all(scopes.map(statusIn))
    t.same(
      found,
      scopes.map((_, i) => (i < 60 ? 204 : 403))
    )
  }
})

t.test('a check without a scope reads no roles in scopes', { skip: onPglite }, async (t) => {
  const { scope, check, user, statusIn } = await aMember()
  const sent: string[] = []
  const watch = (statement: unknown) => {
    sent.push((statement as SentStatement).text)
  }
  statements.subscribe(watch)
  t.teardown(() => statements.unsubscribe(watch))
  const readsOf = async (ask: () => Promise<unknown>) => {
    sent.length = 0
    await ask()
    return sent.filter((text) => text.includes('scoped_roles')).length
  }
  const changed = async () => granted(database, user, freshScope(), reads)
  await changed()
  t.equal(await readsOf(() => check('')), 0)
  t.ok(
    sent.some((text) => text.includes('user_roles')),
    'the principal was read'
  )
  t.equal(await readsOf(() => statusIn(scope)), 1)
  t.equal(await readsOf(() => statusIn(scope)), 0, 'it is kept')
  for (const foreign of [(await aMember()).scope, freshScope()]) {
    t.equal(await readsOf(() => statusIn(foreign)), 1)
    t.equal(await readsOf(() => statusIn(foreign)), 0)
  }
  await changed()
  t.equal(await readsOf(() => statusIn(scope)), 1)
})
