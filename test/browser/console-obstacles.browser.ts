import { readFile } from 'node:fs/promises'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { throttle } from '../../db/schema/throttle.ts'
import { setFailures } from '../security/attempts.ts'
import { aCaller, aRole, freshEmail, password, until } from '../support/app.ts'
import { mailsOf } from '../support/mails.ts'
import { checkAccessibility } from './axe.ts'
import { press, says, shows, startConsole } from './console-pages.ts'

const { app, anAdministrator, visitAs } = await startConsole(t)
const { db, database } = app
const mails = mailsOf(app)
const { user: admin, call } = await anAdministrator()

t.test('a user is invited with a role, and the page says so until they accept', async (t) => {
  const email = freshEmail()
  const role = await aRole(database, 'users:read')
  const page = await visitAs(admin, '/console/users')
  await press(page, 'Invite')
  await page.fill('dialog [name=email]', email)
  await page.fill('dialog [name=name]', 'Tim New')
  await page.selectOption('dialog [name=role]', role)
  await checkAccessibility(t, page, 'invite')
  await press(page, 'Invite', 'dialog')
  await shows(page, 'Tim New', 'h1')
  await says(page, `Sent ${email} an invitation. It works for 72 hours.`)
  t.same(await mails.kindsTo(email), ['invitation'])
  const obstacles = '.obstacles'
  await shows(page, /Invited, not yet accepted.+The link works until/s, obstacles)
  await checkAccessibility(t, page, 'invited')
  await press(page, 'Send again', obstacles)
  await until(async () => (await mails.kindsTo(email)).length === 2)
  const id = await page.evaluate(() => location.pathname.split('/').at(-1))
  t.same(
    (await call('GET', `/api/admin/users/${id}`)).json().roles.toSorted(),
    [role, 'user'].toSorted()
  )

  const token = await mails.token(email, 'invitation')
  const payload = { token, newPassword: password }
  await app.inject({ method: 'POST', url: '/api/auth/recovery/confirm', payload })
  await page.reload()
  await shows(page, 'Send reset link')
  t.equal(await page.locator(obstacles).count(), 0)
})

t.test('the page says why a user cannot get in, and ends it', async (t) => {
  const { user } = await aCaller(app)
  const bucket = app.context.buckets.account(user.email)
  await setFailures(db, bucket, 120)
  await db
    .update(throttle)
    .set({ tat: sql`now() + interval '1 hour'` })
    .where(eq(throttle.bucket, bucket.key))
  const page = await visitAs(admin, `/console/users/${user.id}`)
  await shows(page, /Blocked until .+After 120 wrong attempts/s, '.obstacles')
  await press(page, 'Reset limits', '.obstacles')
  await says(page, 'Ada Lovelace can try to sign in again.')
  await page.locator('.obstacles').waitFor({ state: 'detached' })
  await press(page, 'Deactivate')
  await press(page, 'Deactivate Ada Lovelace', 'dialog')
  await shows(page, /Deactivated\s+by .+/, '.obstacles')
  await checkAccessibility(t, page, 'deactivated')
  await press(page, 'Activate', '.obstacles')
  await says(page, 'Ada Lovelace can sign in again.')
  t.match((await call('GET', `/api/admin/users/${user.id}`)).json(), { status: 'active' })
})

t.test('the data of a user are exported into a file', async (t) => {
  const { user } = await aCaller(app)
  const page = await visitAs(admin, `/console/users/${user.id}`)
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Export')])
  const text = await readFile(await download.path(), 'utf8')
  t.match(JSON.parse(text), { account: { email: user.email }, sessions: [{ userId: user.id }] })
  await says(page, `The data of ${user.email} are in the file ${user.id}.json.`)
})
