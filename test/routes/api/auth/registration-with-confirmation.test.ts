import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../../../db/schema/activity.ts'
import { registrations, tokens } from '../../../../db/schema/tokens.ts'
import { users } from '../../../../db/schema/users.ts'
import { sha256 } from '../../../../src/domain/crypto.ts'
import { aUser, freshEmail, ownApp, password } from '../../../support/app.ts'
import { mailsOf, tokenIn, visible } from '../../../support/mails.ts'

const app = await ownApp(t, {
  EMAIL_VERIFICATION: 'required',
  PRODUCT_NAME: 'Kontor',
  ACCOUNT_URL: 'http://localhost:3000/app/account'
})
const mails = mailsOf(app)
const register = (email: string, changes: object = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { email, password, name: 'Zoë', ...changes }
  })
const login = async (email: string, secret = password) =>
  (
    await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email, password: secret }
    })
  ).statusCode
const aDeactivatedUser = async () => {
  const user = await aUser(app.database)
  await app.db.update(users).set({ status: 'deactivated' }).where(eq(users.id, user.id))
  return user
}

t.test('registration has one response for a free, a taken and a deactivated address', async (t) => {
  const waiting = freshEmail()
  const free = visible(await register(waiting))
  t.equal(free.status, 202)
  t.same(JSON.parse(free.body), { status: 'confirmation-sent' })
  t.equal(free.headers['set-cookie'], undefined)
  for (const [what, { email }] of Object.entries({
    taken: await aUser(app.database),
    deactivated: await aDeactivatedUser(),
    'registered already and not confirmed': { email: waiting }
  })) {
    t.same(visible(await register(email)), free, what)
    t.same(visible(await register(email.toUpperCase())), free, `${what}, in capital letters`)
  }
})

t.test('until the address is confirmed there is no account', async (t) => {
  const email = freshEmail()
  await register(email)
  await mails.rows()
  t.same(await app.db.select().from(users).where(eq(users.email, email)), [])
  t.equal(await login(email), 401)
  const waiting = await app.db.select().from(registrations).where(eq(registrations.email, email))
  t.match(waiting, [{ name: 'Zoë', passwordHash: /^\$2b\$04\$/ }])
})

t.test('a free address gets a link to confirm it, valid for a day', async (t) => {
  const email = freshEmail().replace('example', 'EXAMPLE')
  const before = Date.now()
  await register(email)
  const mail = await mails.newest(email, 'confirm')
  t.equal(mail.to, email)
  t.match(mail.subject, 'Kontor')
  t.match(mail.text, 'Hello,')
  const link = `http://localhost:3000/app/account/confirm?token=${tokenIn(mail.text)}`
  t.match(mail.text, link)
  t.match(mail.html, `href="${link}"`)
  t.match(tokenIn(mail.text), /^[\w-]{43}$/)
  const [row] = await app.db.select().from(registrations).where(eq(registrations.email, email))
  const hours = ((row?.expiresAt.getTime() ?? 0) - before) / 3_600_000
  t.ok(hours > 23.9 && hours < 24.5, `${hours} hours`)
})

t.test('a link whose mail is sent late expires with its registration', async (t) => {
  const email = `late-${freshEmail()}`
  await app.db.execute(sql`
    create function an_earlier_end() returns trigger language plpgsql as $$ begin
      new.expires_at := new.expires_at - interval '23 hours'; return new; end $$`)
  await app.db.execute(sql`
    create trigger late before insert on registrations for each row
    when (new.email like 'late-%') execute function an_earlier_end()`)
  const end = Date.now() + 3_700_000
  await register(email)
  const token = await mails.token(email, 'confirm')
  const [row] = await app.db
    .select()
    .from(tokens)
    .where(eq(tokens.hash, sha256(token)))
  t.ok(row && row.expiresAt.getTime() < end, String(row?.expiresAt))
})

t.test('the owner of a taken address learns that they have an account', async (t) => {
  const user = await aUser(app.database)
  await register(user.email, { name: 'Mallory', password: 'a stranger’s password' })
  t.same(await mails.kindsTo(user.email), ['already-registered'])
  const { text } = await mails.newest(user.email, 'already-registered')
  t.match(text, 'http://localhost:3000/app/account/sign-in')
  t.match(text, 'http://localhost:3000/app/account/forgot')
  t.notMatch(text, /token|Mallory/)
  const [row] = await app.db.select().from(users).where(eq(users.id, user.id))
  t.match(row, { name: 'Ada Lovelace', emailVerifiedAt: null })
  t.equal(await login(user.email, 'a stranger’s password'), 401)
})

t.test('the owner of a deactivated account gets no mail', async (t) => {
  const user = await aDeactivatedUser()
  await register(user.email)
  t.same(await mails.to(user.email), [])
  t.match((await mails.rows()).at(-1), { kind: 'confirm', state: 'dropped', payload: null })
})

t.test('each registration of an address gets a link of its own', async (t) => {
  const email = freshEmail()
  await register(email)
  await register(email)
  const tokens = (await mails.to(email)).map(({ text }) => tokenIn(text))
  t.equal(new Set(tokens).size, 2)
})

t.test('invalid input gets one response for a free and a taken address', async (t) => {
  const { email: taken } = await aUser(app.database)
  for (const changes of [{ password: 'short' }, { name: ' ' }, { password: undefined }]) {
    const [one, other] = [await register(freshEmail(), changes), await register(taken, changes)]
    t.equal(one.statusCode, 400)
    t.same(visible(one), visible(other))
  }
  t.equal((await register('ada')).statusCode, 400)
})

t.test('requests are recorded with their source, and with the account that they hit', async (t) => {
  const user = await aUser(app.database)
  const requests = [await register(user.email), await register(freshEmail())]
  await mails.rows()
  const records = []
  for (const { headers } of requests) {
    const id = headers['x-request-id'] as string
    records.push(...(await app.db.select().from(activity).where(eq(activity.requestId, id))))
  }
  const request = { action: 'auth.register-request', actorType: 'anonymous', ip: '127.0.0.1' }
  t.match(records, [
    { ...request, targetType: 'user', targetId: user.id },
    { ...request, targetType: null, targetId: null }
  ])
  t.notMatch(JSON.stringify(records), /@/, 'and without an address')
})

t.test(
  'closing registration stops pending confirmations without using their tokens up',
  async (t) => {
    const email = freshEmail()
    await register(email)
    const payload = { token: await mails.token(email, 'confirm'), password }
    const { SECRET_KEYS } = app.config
    const changes = { EMAIL_VERIFICATION: 'required', REGISTRATION: 'closed', SECRET_KEYS } as const
    const closed = await ownApp(t, changes, app.database)
    for (let i = 0; i < 6; i++) {
      const refused = await closed.inject({ method: 'POST', url: '/api/auth/confirm', payload })
      t.equal(refused.statusCode, 403)
      t.match(refused.json(), { code: 'registration-closed' })
    }
    t.equal(await login(email), 401, 'there is no account')
    const opened = await app.inject({ method: 'POST', url: '/api/auth/confirm', payload })
    t.equal(opened.statusCode, 200, 'the link is good again once registration is open')
    const { email: unconfirmed } = await aUser(app.database)
    t.equal(await login(unconfirmed), 403)
    const token = await mails.token(unconfirmed, 'confirm')
    const account = { token, password }
    const confirmed = await closed.inject({
      method: 'POST',
      url: '/api/auth/confirm',
      payload: account
    })
    t.equal(confirmed.statusCode, 200, 'an account that exists can be confirmed')
  }
)

t.test('where confirmation is optional, the account exists and gets a link', async (t) => {
  const optional = await ownApp(t, { EMAIL_VERIFICATION: 'optional' })
  const email = freshEmail()
  const inject = (url: string, payload: object) => optional.inject({ method: 'POST', url, payload })
  const registered = await inject('/api/auth/register', { email, password, name: 'Zoë' })
  t.equal(registered.statusCode, 201)
  t.match(registered.json(), { user: { email, emailVerified: false } })
  t.same(await mailsOf(optional).kindsTo(email), ['email-verify'])
  t.equal((await inject('/api/auth/login', { email, password })).statusCode, 200)
  const again = await inject('/api/auth/register', { email, password, name: 'Zoë' })
  t.equal(again.statusCode, 409)
  t.match(again.json(), { code: 'email-taken' })
})

t.test('where nobody is asked to confirm, registration sends nothing', async (t) => {
  const off = await ownApp(t, { EMAIL_VERIFICATION: 'off' })
  const payload = { email: freshEmail(), password, name: 'Zoë' }
  const registered = await off.inject({ method: 'POST', url: '/api/auth/register', payload })
  t.equal(registered.statusCode, 201)
  t.same(await mailsOf(off).rows(), [])
})
