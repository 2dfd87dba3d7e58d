import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Page } from '../../src/domain/keyset.ts'
import { listSessions } from '../../src/domain/sessions/sessions.ts'
import { listUsers } from '../../src/domain/users/list.ts'
import { aUser, testDatabase } from '../support/app.ts'
import { rules } from '../support/test-config.ts'

/** The items of all pages of a list, and the number of empty pages. */
async function walk<T>(
  list: (after: unknown[] | undefined) => Promise<Page<T>>,
  each: () => Promise<unknown> = async () => {}
) {
  const items: T[] = []
  let [pages, empty] = [0, 0]
  for (let after: unknown[] | undefined; ;) {
    const page = await list(after)
    items.push(...page.items)
    pages += 1
    empty += Number(page.items.length === 0)
    if (!page.next) return { items, pages, empty }
    after = page.next
    await each()
  }
}

t.test(
  'with sparse matches pages are short, and all pages together hold every match once',
  async (t) => {
    const { db, ...database } = await testDatabase(t)
    const { id } = await aUser({ db, ...database })
    const session = (from: number, to: number, seen: string) =>
      db.execute(sql`
    insert into sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at)
    select gen_random_uuid(), sha256(n::text::bytea), ${id}::uuid, now() - interval '6 days' + n * interval '1 second', now() - ${seen}::interval, now() + interval '1 day'
    from generate_series(${from}::int, ${to}::int) as n`)
    await session(1, 11_000, '25 hours')
    await session(11_001, 11_100, '1 hour')
    const oldestFirst = await walk((after) =>
      listSessions(
        { db, sessionRules: rules },
        { state: 'active', sort: 'createdAt', limit: 30, after }
      )
    )
    t.equal(oldestFirst.items.length, 100)
    t.equal(new Set(oldestFirst.items.map((item) => item.id)).size, 100)
    t.same(
      oldestFirst.items.map((item) => item.createdAt.getTime()),
      oldestFirst.items.map((item) => item.createdAt.getTime()).toSorted((a, b) => a - b)
    )
    t.equal(oldestFirst.empty, 2, 'two scans of five thousand rows found nothing')

    let number = 30_000
    const newestFirst = await walk(
      (after) =>
        listSessions(
          { db, sessionRules: rules },
          { state: 'expired', sort: '-createdAt', limit: 200, after }
        ),
      () => session(++number, number, '25 hours')
    )
    t.equal(newestFirst.items.length, 11_000, 'while others are being added')
    t.equal(new Set(newestFirst.items.map((item) => item.id)).size, 11_000)
  }
)

t.test(
  'frequent matches are found along the sort index, rare ones are sorted, and each is listed once',
  async (t) => {
    const { db } = await testDatabase(t)
    await db.execute(sql`
    insert into users (id, email, email_normalized, name)
    select gen_random_uuid(), 'user' || n || '@example.com', 'user' || n || '@example.com', case when n > 6000 then 'Zed ' || n else 'Bulk ' || n end
    from generate_series(1, 6050) as n`)
    await db.execute(sql`analyze users`)
    for (const [q, count] of [
      ['bulk', 6000],
      ['zed', 50],
      ['user605', 2]
    ] as const) {
      for (const sort of ['name', '-name', 'email', 'createdAt'] as const) {
        const { items } = await walk((after) => listUsers(db, { q, sort, limit: 200, after }))
        t.equal(items.length, count, `${q} by ${sort}`)
        t.equal(new Set(items.map((item) => item.id)).size, count)
      }
    }
  }
)
