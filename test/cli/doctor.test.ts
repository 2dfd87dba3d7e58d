import { sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { testDatabaseUrl } from '../support/app.ts'
import { portal } from './run.ts'

t.test('a check of doctor that fails does not hide the findings before it', async (t) => {
  const DATABASE_URL = await testDatabaseUrl(t)
  const database = await openDatabase(DATABASE_URL)
  await database.db.execute(sql`alter table outbox rename column state to condition`)
  await database.close()
  const { code, stdout } = await portal(['doctor', '--json'], { env: { DATABASE_URL } })
  t.equal(code, 1)
  const findings = JSON.parse(stdout) as { check: string; result: string; finding: string }[]
  t.match(
    findings.find(({ check }) => check === 'schema'),
    { result: 'ok', finding: 'up to date' }
  )
  t.match(
    findings.filter(({ check }) => check === 'database'),
    [{ result: 'ok' }, { result: 'problem', finding: /^the next check failed with 42703/ }]
  )
})
