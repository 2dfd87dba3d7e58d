import t from 'tap'
import { eq } from 'drizzle-orm'
import { users } from '../../src/base/users.ts'
import { aCaller, aClock, aUser, caughtMail, testApp, twoCallers } from '../../src/base/testing.ts'
import type { Life } from '../../src/base/testing.ts'
import { appFolder, greeter } from '../support/app-folder.ts'

// The kit of an app, used as its tests do.

const folder = appFolder(t, greeter)
const app = await testApp(t, { app: folder })

t.test('a caller is signed in, and reaches the routes of the app', async (t) => {
  const { user, call } = await aCaller(app, { name: 'Grace Hopper' })
  const greeting = await call('GET', '/api/greeting')
  t.equal(greeting.statusCode, 200)
  t.same(greeting.json(), { text: 'Hello Grace Hopper' })
  t.equal((await app.inject('/api/greeting')).statusCode, 401)
  const [found] = await app.db.select().from(users).where(eq(users.id, user.id))
  t.equal(found?.email, user.email)
})

t.test('a caller has exactly the permissions that the test asks for', async (t) => {
  const reader = await aCaller(app, { permissions: ['flags:read'] })
  t.equal((await reader.call('GET', '/api/admin/flags')).statusCode, 200)
  t.equal((await reader.call('GET', '/api/admin/users')).statusCode, 403)
  const [one, other] = await twoCallers(app, { permissions: ['flags:read'] })
  for (const { call } of [one, other]) {
    t.equal((await call('GET', '/api/admin/flags')).statusCode, 200)
  }
  t.not(one.user.id, other.user.id)
  t.equal((await (await aCaller(app)).call('GET', '/api/admin/flags')).statusCode, 403)
})

t.test('the mail to an address is caught, with its text', async (t) => {
  const [{ email }, other] = [await aUser(app), await aUser(app)]
  for (const each of [email, other.email]) {
    const payload = { email: each }
    const asked = await app.inject({ method: 'POST', url: '/api/auth/recovery', payload })
    t.equal(asked.statusCode, 202)
    t.equal((await caughtMail(app, each)).to, each)
  }
  const mail = await caughtMail(app, email)
  t.equal(mail.to, email)
  t.match(mail.text, /https?:\/\//)
  t.equal((await caughtMail(app, email, mail.kind)).subject, mail.subject)
})

t.test('each call has a database of its own, which ends with its life', async (t) => {
  const ends: (() => unknown)[] = []
  const life: Life = { after: (end) => ends.push(end) }
  const other = await testApp(life, { app: folder, env: { REGISTRATION: 'closed' } })
  const { email } = await aUser(other)
  t.equal(other.context.registration, 'closed')
  t.same(await app.db.select().from(users).where(eq(users.email, email)), [])
  for (const end of ends) await end()
  await t.rejects(other.db.select().from(users), 'it is closed')
})

t.test('a clock moves the time of the process and of its database', async (t) => {
  const { call } = await aCaller(app)
  const before = new Date()
  t.equal((await call('GET', '/api/greeting')).statusCode, 200)
  await t.test('to after the end of a session', async (t) => {
    const clock = aClock(t)
    clock.advance(8 * 86_400)
    t.ok(clock.now().getTime() - before.getTime() >= 8 * 86_400_000)
    t.ok(Date.now() - before.getTime() >= 8 * 86_400_000)
    t.ok(before instanceof Date)
    t.equal(new Date(0).toISOString(), '1970-01-01T00:00:00.000Z')
    t.equal((await call('GET', '/api/greeting')).statusCode, 401)
  })
  t.ok(Date.now() - before.getTime() < 86_400_000, 'and back at the end')
  t.equal((await call('GET', '/api/greeting')).statusCode, 200)
})
