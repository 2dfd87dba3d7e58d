import { randomUUID } from 'node:crypto'
import { inArray } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../../db/schema/activity.ts'
import { feedCursor, readFeed } from '../../../src/domain/activity/feed.ts'
import { recordFailure } from '../../../src/domain/activity/record.ts'
import { anonymous, ownApp } from '../../support/app.ts'
import { aMachine } from '../../support/keys.ts'

const app = await ownApp(t, { MACHINE_ADMIN: 'on' })
const { db } = app

/** Inserts records that are as many seconds old, and returns their ids. */
async function aged(...seconds: number[]) {
  const rows = seconds.map((each) => ({
    ...{ id: randomUUID(), action: 'auth.logout', outcome: 'success' as const },
    ...{ actorType: 'anonymous' as const, source: 'api' as const },
    at: new Date(Date.now() - each * 1000)
  }))
  await db.insert(activity).values(rows)
  return rows.map(({ id }) => id)
}
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id)

t.test('records come oldest first, each once, and those of one time by their ids', async (t) => {
  const at = new Date(Date.now() - 5000_000)
  const ids = Array.from({ length: 5 }, () => randomUUID()).sort()
  const row = { action: 'auth.logout', outcome: 'success', actorType: 'anonymous' } as const
  await db
    .insert(activity)
    .values(ids.toReversed().map((id) => ({ ...row, id, at, source: 'api' as const })))
  const [later] = await aged(4999)
  const found: string[] = []
  let after: string | null = new Date(at.getTime() - 1).toISOString()
  for (let page = 0; page < 4; page++) {
    const { items, next } = await readFeed(db, { after: after ?? '', limit: 2 })
    t.ok(items.length <= 2)
    found.push(...idsOf(items))
    after = next
  }
  t.same(found.slice(0, 6), [...ids, later])
  t.same(idsOf((await readFeed(db, { after: at.toISOString(), limit: 5 })).items), ids)
})

t.test('the newest 15 seconds are left out, and the cursor stays', async (t) => {
  const [old] = await aged(16)
  await recordFailure(db, anonymous, 'auth.login', { reason: 'wrong-password' })
  await aged(14)
  const { items, next } = await readFeed(db, { after: new Date(Date.now() - 20_000).toISOString() })
  t.same(idsOf(items), [old])
  t.equal(next, items[0] && feedCursor(items[0]))
  const empty = await readFeed(db, { after: next ?? '' })
  t.same(empty, { items: [], next })
})

t.test('a service with activity:read reads the feed over HTTP', async (t) => {
  const machine = await aMachine(app, 'activity:read')
  const all = await aged(3000, 2999, 2998)
  const after = new Date(Date.now() - 3001_000).toISOString()
  const read = async (query: string) =>
    (await machine.call('GET', `/api/machine/activity?${query}`)).json()
  const first = await read(`after=${after}&limit=2`)
  t.same(idsOf(first.items), all.slice(0, 2))
  t.match(first.items[0], { action: 'auth.logout', actorType: 'anonymous', details: {} })
  t.same(idsOf((await read(`after=${first.next}&limit=1`)).items), all.slice(2))
  t.ok((await read('limit=1')).items.length === 1, 'without a cursor it begins with the oldest')
  t.equal((await read('limit=501')).code, 'invalid-request')
  const [id] = all
  for (const cursor of ['2026-13-01T00:00:00.000Z', `${after}_${'-'.repeat(36)}`]) {
    t.equal((await read(`after=${cursor}`)).code, 'invalid-cursor', cursor)
  }
  t.equal((await read(`after=${id}`)).code, 'invalid-request')
  await db.delete(activity).where(inArray(activity.id, all))
  t.same(idsOf((await read(`after=${first.next}&limit=1`)).items).length, 1, 'without its record')
})
