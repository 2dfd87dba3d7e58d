// Not on PGlite: its statements have no limit.

import { sql } from 'drizzle-orm'
import t from 'tap'
import { onPglite, testDatabase } from '../support/app.ts'
import { withoutSlack } from '../support/slack.ts'

const skip = onPglite && 'its statements have no limit'
const slowly = sql`select pg_sleep(1.2)`

t.test('a slow statement fails no test that is not about limits of time', { skip }, async (t) => {
  const { checkDb } = await testDatabase(t)
  await t.resolves(checkDb.execute(slowly))
})

t.test('a session check waits for the database for at most a second', { skip }, async (t) => {
  withoutSlack(t)
  const { checkDb } = await testDatabase(t)
  await t.rejects(checkDb.execute(slowly), { cause: { code: 'DATABASE_TIMEOUT' } })
})
