import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../../../db/schema/users.ts'
import { activityOf, aUser, freshEmail, ownApp, password } from '../../../support/app.ts'
import { aConfirmedCaller, mailsOf, tokenIn, visible } from '../../../support/mails.ts'

const app = await ownApp(t, { EMAIL_VERIFICATION: 'required' })
const mails = mailsOf(app)
const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
const confirm = (token: string, secret = password) =>
  post('/api/auth/confirm', { token, password: secret })
const login = (email: string, secret = password) =>
  post('/api/auth/login', { email, password: secret })
const accountOf = async (email: string) =>
  (await app.db.select().from(users).where(eq(users.emailNormalized, email)))[0]
const invalid = { status: 400, code: 'invalid-token' }
const wrong = 'not this one'

t.test(
  'the right password and an unconfirmed address do not sign in, but send a link',
  async (t) => {
    const user = await aUser(app.database)
    const refused = await login(user.email)
    t.equal(refused.statusCode, 403)
    t.match(refused.json(), { code: 'email-unverified' })
    t.equal(refused.headers['set-cookie'], undefined)
    t.match((await activityOf(app.database, user.id))[0], {
      action: 'auth.login',
      outcome: 'failure',
      reason: 'email-unverified'
    })

    const token = await mails.token(user.email, 'confirm')
    t.equal((await confirm(token, wrong)).statusCode, 401)
    const before = await accountOf(user.email)
    const response = await confirm(token)
    t.equal(response.statusCode, 200)
    t.match(response.json(), { user: { id: user.id, emailVerified: true, name: user.name } })
    const after = await accountOf(user.email)
    t.match(after, { passwordHash: before?.passwordHash, emailVerifiedAt: Date })
    t.match(
      (await activityOf(app.database, user.id)).find(
        ({ action }) => action === 'user.email-verify'
      ),
      { outcome: 'success', actorId: user.id }
    )
    t.equal((await login(user.email)).statusCode, 200)
    t.match((await confirm(token)).json(), invalid)
  }
)

t.test('the password alone tells that the address is not confirmed', async (t) => {
  const user = await aUser(app.database)
  t.same(
    visible(await login(user.email, wrong)),
    visible(await login(freshEmail(), wrong)),
    'a wrong password tells nothing'
  )
  await app.db.update(users).set({ status: 'deactivated' }).where(eq(users.id, user.id))
  t.equal((await login(user.email)).statusCode, 401, 'nor does a deactivated account')
  t.same(await mails.to(user.email), [], 'and no mail is sent')
})

t.test('where confirmation is not required, an unconfirmed address signs in', async (t) => {
  for (const EMAIL_VERIFICATION of ['optional', 'off'] as const) {
    const lax = await ownApp(t, { EMAIL_VERIFICATION })
    const { email } = await aUser(lax.database)
    const payload = { email, password }
    const response = await lax.inject({ method: 'POST', url: '/api/auth/login', payload })
    t.equal(response.statusCode, 200)
    t.match(response.json(), { user: { emailVerified: false } })
  }
})

t.test('a deactivated or deleted account cannot be confirmed', async (t) => {
  for (const end of ['deactivated', 'deleted']) {
    const user = await aUser(app.database)
    await login(user.email)
    const token = await mails.token(user.email, 'confirm')
    await (end === 'deleted'
      ? app.db.delete(users).where(eq(users.id, user.id))
      : app.db.update(users).set({ status: 'deactivated' }).where(eq(users.id, user.id)))
    t.match((await confirm(token)).json(), invalid, end)
  }
})

t.test('a sign-in that fails before it sends the link does not use one up', async (t) => {
  const limited = await ownApp(t, {
    EMAIL_VERIFICATION: 'required',
    THROTTLE_MAIL_ADDRESS: { burst: 1, seconds: 6000 }
  })
  const { email } = await aUser(limited.database)
  const payload = { email, password }
  const signIn = () => limited.inject({ method: 'POST', url: '/api/auth/login', payload })
  await limited.db.execute(sql`alter table tokens rename to elsewhere`)
  t.equal((await signIn()).statusCode, 500)
  await limited.db.execute(sql`alter table elsewhere rename to tokens`)
  t.equal((await signIn()).statusCode, 403)
  t.same(await mailsOf(limited).kindsTo(email), ['confirm'])
})

t.test('a link to an address that the account no longer has confirms nothing', async (t) => {
  const admin = await aConfirmedCaller(app, 'admin')
  const user = await aUser(app.database)
  await login(user.email)
  const token = await mails.token(user.email, 'confirm')
  const email = freshEmail()
  const moved = await admin.call('PATCH', `/api/admin/users/${user.id}`, { email })
  t.equal(moved.statusCode, 200, moved.body)
  t.match((await confirm(token)).json(), invalid)
  t.match(await accountOf(email), { emailVerifiedAt: null })
})

t.test('the last three links that a user asked for are valid', async (t) => {
  const user = await aUser(app.database)
  for (let i = 0; i < 4; i++) t.equal((await login(user.email)).statusCode, 403)
  const links = (await mails.to(user.email)).map(({ text }) => tokenIn(text))
  t.equal(links.length, 4)
  t.match((await confirm(links[0] ?? '')).json(), invalid, 'the oldest was replaced')
  t.equal((await confirm(links[1] ?? '')).statusCode, 200)
  for (const link of links.slice(2)) {
    t.match((await confirm(link)).json(), invalid, 'using one ends the others')
  }
})
