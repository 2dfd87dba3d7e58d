import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { confirmationMails } from '../../db/schema/outbox.ts'
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

t.test('doctor warns when few of the mails to new addresses are confirmed', async (t) => {
  const DATABASE_URL = await testDatabaseUrl(t)
  const database = await openDatabase(DATABASE_URL)
  t.teardown(() => database.close())
  const SECRET_KEYS = `k1:${randomBytes(32).toString('base64url')}`
  const env = { DATABASE_URL, SECRET_KEYS, PUBLIC_ORIGIN: 'https://portal.example.com' }
  const found = async () => {
    const { stdout } = await portal(['doctor', '--json'], { env })
    const findings = JSON.parse(stdout) as { check: string }[]
    return findings.find(({ check }) => check === 'registrations')
  }
  t.equal(await found(), undefined, 'nothing is said before the first mail')
  const mails = Array.from({ length: 71 }, () => ({ id: randomUUID() }))
  await database.db.insert(confirmationMails).values(mails)
  t.match(await found(), {
    result: 'warning',
    finding: /^71 mails in the last hour .* last 71, 0 were confirmed; a challenge takes 262144/,
    todo: /somebody-registers-strangers/
  })
  await database.db.update(confirmationMails).set({ confirmedAt: sql`now()` })
  t.match(await found(), { result: 'ok', finding: /71 were confirmed; callers need no challenge/ })
})
