// Takes about 60 s
// Not on PGlite: it has one connection.
import { randomUUID } from 'node:crypto'
import { asc, eq, sql } from 'drizzle-orm'
import postgres from 'postgres'
import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { activity } from '../../../db/schema/activity.ts'
import { transaction } from '../../../db/transaction.ts'
import { readFeed } from '../../../src/domain/activity/feed.ts'
import { recordAll } from '../../../src/domain/activity/record.ts'
import { anonymous, testDatabaseUrl, until } from '../../support/app.ts'

t.test('while two instances write, the feed has every record once and in order', async (t) => {
  const url = await testDatabaseUrl(t)
  const instances = [await openDatabase(url), await openDatabase(url)]
  const reader = await openDatabase(url, { poolMax: 2 })
  t.teardown(() => Promise.all([...instances, reader].map((each) => each.close())))
  // A COMMIT that waits for a standby takes as long as it likes.
  const late = postgres(url, { max: 1 })
  t.teardown(() => late.end())

  const start = performance.now()
  const isWriting = () => performance.now() - start < 20_000
  let written = 0
  const write = async ({ db }: (typeof instances)[0]) => {
    while (isWriting()) {
      await transaction(db, async (tx) => {
        const entries = Array.from({ length: 5 }, () => ({}))
        await recordAll(tx, anonymous, 'auth.logout', entries)
        await tx.execute(sql`select pg_sleep(random() * 0.03)`)
      })
      written += 5
    }
  }
  const lateId = randomUUID()
  const writeLate = late.begin(async (tx) => {
    await tx`insert into activity (id, action, outcome, actor_type, source)
      values (${lateId}, 'auth.logout', 'success', 'anonymous', 'job')`
    await until(async () => {
      const [row] = await tx`select clock_timestamp() - now() > interval '17 s' as over`
      return row?.over as boolean
    })
  })

  const found: { id: string; at: Date }[] = []
  let after: string | undefined
  const read = async () => {
    const { items, next } = await readFeed(reader.db, { after })
    found.push(...items)
    after = next ?? undefined
  }
  const writing = Promise.all([
    writeLate,
    ...instances.flatMap((each) => Array.from({ length: 6 }, () => write(each)))
  ])
  await until(async () => {
    await read()
    return !isWriting()
  })
  await writing
  await until(async () => {
    await read()
    return found.length >= written + 1
  })
  const stored = await reader.db
    .select({ id: activity.id })
    .from(activity)
    .orderBy(asc(activity.at), asc(activity.id))
  const rate = Math.round(written / 20)
  t.comment(`${written} records, ${rate} a second`)
  t.ok(written > 2000)
  t.same(
    found.map(({ id }) => id),
    stored.map(({ id }) => id)
  )
  t.equal(await reader.db.$count(activity, eq(activity.id, lateId)), 1)
})
