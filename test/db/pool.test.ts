import { setImmediate } from 'node:timers/promises'
import { asc, sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { isDatabaseAway } from '../../db/errors.ts'
import { epochs } from '../../db/schema/epochs.ts'
import { onPglite, testDatabaseUrl, until } from '../helpers.ts'
import { stoppableWay } from '../way.ts'

t.test('connections that were cut without a word are replaced, and what waits is bounded', { skip: onPglite && 'it is in the process' }, async (t) => {
  const way = await stoppableWay(t, await testDatabaseUrl(t))
  const database = await openDatabase(way.url, { poolMax: 2 })
  t.teardown(() => database.close())
  const one = () => database.db.execute(sql`select 1`)
  await Promise.all([one(), one(), one()])

  way.stop()
  const all = Array.from({ length: 1200 }, () => one().then(() => 'answered', (error: unknown) => isDatabaseAway(error) ? 'away' : String(error)))
  await setImmediate()
  t.equal(database.load(), 1000)
  let settled = 0
  for (const each of all) each.then(() => { settled++ })
  await setImmediate()
  t.equal(settled, 200, 'those over the limit are refused at once')
  t.same(new Set(await Promise.all(all)), new Set(['away']))
  t.equal(database.load(), 0)

  // The way that was stopped stays so: only connections made after this one can get through.
  way.forget()
  await until(async () => await one().then(() => true, () => false))
  t.same(await database.db.select({ value: epochs.scope }).from(epochs).orderBy(asc(epochs.scope)).limit(1), [{ value: 0 }])
  t.match(await database.db.execute(sql`select timestamptz '2026-01-01 00:00:00Z' as at`), [{ at: String }], 'a new client leaves times to Drizzle, as the first did')
})
