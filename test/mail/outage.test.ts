import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { outbox } from '../../db/schema/outbox.ts'
import { enqueueMail } from '../../src/domain/outbox/enqueue.ts'
import { aUser, freshEmail, ownApp, until } from '../support/app.ts'
import { deliverAtOnce } from '../support/mails.ts'
import { freePort } from '../support/postgres.ts'
import { startMailServer } from './server.ts'

t.test('after an outage of the mail server all mail goes out at once', async (t) => {
  const port = await freePort()
  const app = await ownApp(t, {
    EMAIL_VERIFICATION: 'required',
    MAIL_URL: `smtp://portal:secret@127.0.0.1:${port}`,
    MAIL_FROM: 'portal@example.com',
    ACCOUNT_URL: 'http://localhost/account'
  })
  const { mail } = app.context
  if (!mail) throw new Error('no mail can be written')
  const untried = sql`state = 'pending' and attempts = 0 and lease is null`
  const emails = Array.from({ length: 8 }, () => freshEmail())
  for (const email of emails) await aUser(app.database, email)
  for (const to of emails.slice(0, 5)) {
    const content = { kind: 'password-changed', at: new Date().toISOString() } as const
    await app.db.transaction((tx) => enqueueMail(tx, mail, { to, reader: {}, content }, {}))
  }
  for (const email of emails.slice(5)) {
    await app.inject({ method: 'POST', url: '/api/auth/recovery', payload: { email } })
  }
  // With the application's own, two workers.
  deliverAtOnce(t, app)
  await until(async () => (await app.db.$count(outbox, eq(outbox.lastError, 'connect'))) > 0)
  // While one mail at a time shows whether the server is back, it has a lease and counts.
  await until(async () => (await app.db.$count(outbox, untried)) === emails.length)

  const server = await startMailServer(t, { port })
  // The pause after the failed try.
  await app.db
    .update(outbox)
    .set({ nextAt: sql`now()` })
    .where(sql`attempts = 0 and last_error is not null and lease is null`)
  const mails = await server.received(emails.length)
  t.same(mails.flatMap(({ to }) => to).toSorted(), emails.toSorted(), 'each once')
  await until(async () => (await app.db.$count(outbox, eq(outbox.state, 'sent'))) === 8)
  const attempts = new Set((await app.db.select().from(outbox)).map((row) => row.attempts))
  t.same(attempts, new Set([1]), 'the outage did not count')
})
