import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { outbox } from '../../db/schema/outbox.ts'
import { inviteUser } from '../../src/domain/administration/users.ts'
import { cookieOf, freshEmail, operator, ownApp, password, until } from '../support/app.ts'
import { deliverAtOnce, tokenIn } from '../support/mails.ts'
import { startMailServer } from './server.ts'

// Every mail of every flow, from the request over an SMTP server with STARTTLS to the link in it.

const newPassword = 'a better horse battery'
const newPerson = (email: string) => ({ email, password, name: 'Zoë Müller' })

async function aPortal(t: Test, EMAIL_VERIFICATION: 'optional' | 'required' = 'required') {
  const server = await startMailServer(t)
  const app = await ownApp(t, {
    EMAIL_VERIFICATION,
    MAIL_URL: server.url,
    MAIL_FROM: 'Kontor <portal@example.com>',
    PRODUCT_NAME: 'Kontor',
    ACCOUNT_URL: 'http://localhost:3000/account'
  })
  const send = async (
    method: 'PATCH' | 'POST' | 'PUT',
    url: string,
    payload: object = {},
    headers: Record<string, string> = {}
  ) => app.inject({ method, url, headers, payload })
  let count = 0
  return {
    app,
    server,
    send,
    /** The next mail that arrives, and the token of its link. */
    async next(to: string, subject: RegExp, page?: string) {
      const { mail, ...received } = (await server.received(++count))[count - 1] ?? never()
      t.equal(server.mails.length, count, 'one mail at a time')
      t.match({ ...received, mail }, { to: [to], secure: true, user: 'portal', mail: { subject } })
      const text = mail.text ?? ''
      const html = mail.html?.replaceAll('&amp;', '&') ?? ''
      t.notMatch(html, /<img|<script|src=|http-equiv/i, 'nothing is loaded from elsewhere')
      if (page === undefined) return ''
      const token = tokenIn(text)
      const link = `http://localhost:3000/account/${page}?token=${token}`
      t.ok(text.includes(`\n${link}\n`), 'the link is on a line of its own')
      t.equal(html.split(link).length, 2, 'and once in the HTML')
      return token
    },
    states: () => app.db.select({ state: outbox.state, payload: outbox.payload }).from(outbox)
  }
}
const never = (): never => {
  throw new Error('no mail')
}

t.test('an account from its registration to its deletion', async (t) => {
  const { app, send, next, states } = await aPortal(t)
  const [email, later] = [freshEmail(), freshEmail()]

  // Delivered by the worker of the application; the others come sooner.
  await send('POST', '/api/auth/register', newPerson(email), { 'accept-language': 'de' })
  const token = await next(email, /Bestätigen Sie Ihre E-Mail-Adresse für Kontor/, 'confirm')
  deliverAtOnce(t, app)
  const confirmed = await send('POST', '/api/auth/confirm', { token, password })
  t.equal(confirmed.statusCode, 200)
  const cookie = { cookie: cookieOf(confirmed) }

  await send('POST', '/api/auth/register', newPerson(email))
  await next(email, /bereits ein Konto bei Kontor/)
  await send('PATCH', '/api/user/profile', { locale: 'en' }, cookie)
  await send('POST', '/api/auth/register', newPerson(email))
  await next(email, /already have an account at Kontor/)
  await send('POST', '/api/auth/login', { email, password })
  await next(email, /New sign-in to your Kontor account/)

  await send('PUT', '/api/user/email', { email: later, currentPassword: password }, cookie)
  const change = await next(later, /Confirm your new e-mail address for Kontor/, 'confirm-email')
  const changed = await send('POST', '/api/user/email/confirm', { token: change }, cookie)
  t.match(changed.json(), { email: later })
  const revert = await next(email, /e-mail address of your Kontor account was changed/, 'revert')
  const reverted = await send('POST', '/api/auth/email/revert', { token: revert, newPassword })
  t.equal(reverted.statusCode, 204)
  await next(email, /password of your Kontor account was changed/)

  await send('POST', '/api/auth/recovery', { email })
  const reset = await next(email, /Choose a new password for Kontor/, 'reset')
  const recovered = await send('POST', '/api/auth/recovery/confirm', {
    token: reset,
    newPassword: password
  })
  t.equal(recovered.statusCode, 204)
  await next(email, /password of your Kontor account was changed/)

  const login = await send('POST', '/api/auth/login', { email, password })
  await next(email, /New sign-in/)
  const own = { cookie: cookieOf(login) }
  await send('POST', '/api/user/deletion', { currentPassword: password }, own)
  await next(email, /Your Kontor account was deleted/)
  await until(async () => (await states()).every(({ state }) => state === 'sent'))
  t.ok(
    (await states()).every(({ payload }) => payload === null),
    'no address and no token stays behind'
  )
})

t.test(
  'an account that an operator creates, and one that confirms its address later',
  async (t) => {
    const { app, send, next } = await aPortal(t, 'optional')
    deliverAtOnce(t, app)
    const invited = freshEmail()
    await inviteUser(app.context, operator, { email: invited, name: 'Ada', byMail: true })
    const token = await next(invited, /Your account at Kontor/, 'reset')
    const accepted = await send('POST', '/api/auth/recovery/confirm', { token, newPassword })
    t.equal(accepted.statusCode, 204)
    await next(invited, /password of your Kontor account was changed/)
    const login = await send('POST', '/api/auth/login', { email: invited, password: newPassword })
    t.match(login.json(), { user: { email: invited, emailVerified: true } })

    const email = freshEmail()
    await send('POST', '/api/auth/register', newPerson(email))
    await next(email, /Confirm the e-mail address of your Kontor account/, 'confirm-email')
    const cookie = { cookie: cookieOf(await send('POST', '/api/auth/login', { email, password })) }
    await send('POST', '/api/user/email/verification', undefined, cookie)
    const verify = await next(
      email,
      /Confirm the e-mail address of your Kontor account/,
      'confirm-email'
    )
    const verified = await send('POST', '/api/user/email/confirm', { token: verify }, cookie)
    t.same(verified.json(), { email, verified: true, pending: null })
  }
)

t.test('no response waits for the mail server, and a later try sends the same link', async (t) => {
  const { app, server, send, next } = await aPortal(t)
  deliverAtOnce(t, app)
  // It says nothing when it is connected to, hangs up once it has the first mail, then works.
  server.play = (stage) => (stage === 'greeting' ? 'hang' : undefined)
  const email = freshEmail()
  const answer = await send('POST', '/api/auth/register', newPerson(email))
  t.equal(answer.statusCode, 202)
  await until(() => server.connections > 0)
  server.play = (stage) => (stage === 'kept' ? 'close' : undefined)
  server.hangUp()

  const failed = (attempts: number) =>
    until(async () => {
      const [row] = await app.db.select().from(outbox)
      return row?.attempts === attempts && row.lease === null && row.lastError === 'connect'
    })
  const tryAgain = () => app.db.update(outbox).set({ nextAt: sql`now()` }) // half a minute earlier
  await failed(1)
  await tryAgain()
  const first = await next(email, /Confirm your e-mail address/, 'confirm')
  await failed(2)
  server.play = () => undefined
  await tryAgain()
  const [one, other] = (await server.received(2)).map(({ mail }) => mail)
  t.equal(other?.messageId, one?.messageId, 'a reader can see that it is the same mail')
  t.equal(tokenIn(other?.text), first)
  await until(async () => (await app.db.$count(outbox, eq(outbox.state, 'sent'))) === 1)
  t.equal((await send('POST', '/api/auth/confirm', { token: first, password })).statusCode, 200)
})
