import { eq } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { outbox } from '../../db/schema/outbox.ts'
import type { Config } from '../../src/config/config.ts'
import { setPassword } from '../../src/domain/administration/operator-links.ts'
import { aUser, freshEmail, operator, ownApp, password, until } from '../support/app.ts'
import { confirmed, deliverAtOnce } from '../support/mails.ts'
import { startMailServer } from './server.ts'

// One limit for all mail that strangers cause, whatever their addresses and those that they name.

async function aPortal(t: Test, THROTTLE_MAIL_TOTAL: Config['THROTTLE_MAIL_TOTAL']) {
  const server = await startMailServer(t)
  const app = await ownApp(t, {
    EMAIL_VERIFICATION: 'required',
    MAIL_URL: server.url,
    MAIL_FROM: 'portal@example.com',
    ACCOUNT_URL: 'http://localhost/account',
    THROTTLE_MAIL_TOTAL
  })
  deliverAtOnce(t, app)
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
  return {
    app,
    server,
    register: (email = freshEmail()) =>
      post('/api/auth/register', { email, password, name: 'Ada' }),
    recover: (email: string) => post('/api/auth/recovery', { email })
  }
}

t.test(
  'over the limit of mail that strangers cause it waits, and other mail does not',
  async (t) => {
    const { app, server, register, recover } = await aPortal(t, { burst: 2, seconds: 6000 })
    const user = await confirmed(app.database, await aUser(app.database))
    for (let i = 0; i < 4; i++) await recover(freshEmail()) // no mail, no charge
    await until(async () => (await app.db.$count(outbox, eq(outbox.state, 'pending'))) === 0)
    for (let i = 0; i < 4; i++) t.equal((await register()).statusCode, 202)
    await recover(user.email)
    await server.received(2)
    await until(async () => (await app.db.$count(outbox, eq(outbox.lastError, 'limited'))) > 0)
    await setPassword(app.context, operator, {
      userId: user.id,
      password: 'another horse battery'
    })
    const mails = await server.received(3)
    t.match(mails[2], { to: [user.email], mail: { subject: /password .* was changed/ } })
    // The limit is asked again from time to time, and a mail has a lease meanwhile.
    const waiting = await until(async () => {
      const rows = await app.db.select().from(outbox).where(eq(outbox.state, 'pending'))
      return rows.every(({ lease }) => lease === null) ? rows : undefined
    })
    t.equal(waiting.length, 3)
    for (const { attempts, nextAt } of waiting) {
      t.equal(attempts, 0, 'not tried')
      t.ok(nextAt.getTime() <= Date.now() + 1000, 'and due')
    }
    t.equal(server.mails.length, 3)
  }
)

t.test('mail that waits for the limit goes out as the limit allows', async (t) => {
  const { app, server, register } = await aPortal(t, { burst: 1, seconds: 0.2 })
  const emails = Array.from({ length: 4 }, () => freshEmail())
  for (const email of emails) await register(email)
  const mails = await server.received(4)
  t.same(mails.flatMap(({ to }) => to).toSorted(), emails.toSorted(), 'each once')
  await until(async () => (await app.db.$count(outbox, eq(outbox.state, 'sent'))) === 4)
  const rows = await app.db.select().from(outbox)
  t.ok(rows.every(({ attempts }) => attempts === 1))
})
