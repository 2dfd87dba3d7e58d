import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { tokens } from '../../../../db/schema/tokens.ts'
import { users } from '../../../../db/schema/users.ts'
import { sha256 } from '../../../../src/domain/crypto.ts'
import { activityOf, aCaller, aUser, freshEmail, password, testApp } from '../../../helpers.ts'
import { aConfirmedCaller, confirmed, mailsOf, tokenIn, visible } from '../../../mails.ts'

const app = await testApp(t, { ACCOUNT_URL: 'http://localhost:3000/app/account' })
const mails = mailsOf(t, app)
type Caller = Pick<Awaited<ReturnType<typeof aConfirmedCaller>>, 'call'>
const change = ({ call }: Caller, email: string, currentPassword = password) =>
  call('PUT', '/api/user/email', { email, currentPassword })
const confirm = ({ call }: Caller, token: string) =>
  call('POST', '/api/user/email/confirm', { token })
const emailOf = async ({ call }: Caller) => (await call('GET', '/api/user/email')).json() as object
const login = async (email: string) =>
  (await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } }))
    .statusCode
const invalid = { status: 400, code: 'invalid-token' }

t.test('a new address waits until it is confirmed from its mailbox', async (t) => {
  const caller = await aConfirmedCaller(app)
  const { user, call } = caller
  const email = freshEmail().replace('example', 'EXAMPLE')
  const response = await change(caller, email)
  t.equal(response.statusCode, 202)
  t.same(response.json(), { email: user.email, verified: true, pending: email })
  t.same(await emailOf(caller), { email: user.email, verified: true, pending: email })
  t.equal((await call('GET', '/api/auth/me')).json().user.email, user.email)
  t.same([await login(user.email), await login(email)], [200, 401])

  const { to, text } = await mails.newest(email, 'email-change')
  t.equal(to, email)
  t.match(text, `http://localhost:3000/app/account/confirm-email?token=${tokenIn(text)}`)
  t.same(await mails.kindsTo(user.email), ['new-device'], 'nothing about it to the old one yet')

  const confirmation = await confirm(caller, tokenIn(text))
  t.equal(confirmation.statusCode, 200)
  t.same(confirmation.json(), { email, verified: true, pending: null })
  t.match((await call('GET', '/api/auth/me')).json(), { user: { email, emailVerified: true } })
  t.same([await login(user.email), await login(email.toLowerCase())], [401, 200])
  t.same((await mails.kindsTo(user.email)).slice(-1), ['email-changed'])
  t.match((await confirm(caller, tokenIn(text))).json(), invalid, 'the link works once')
  const records = await activityOf(app.database, user.id)
  t.match(
    records.filter(({ action }) => action.startsWith('user.')),
    [
      { action: 'user.update', details: { before: { email: user.email }, after: { email } } },
      { action: 'user.email-change-request', actorId: user.id }
    ]
  )
})

t.test('a taken address gets the same answer, and cannot be confirmed', async (t) => {
  const [one, other] = [await aConfirmedCaller(app), await aConfirmedCaller(app)]
  const owner = await aUser(app.database)
  const free = freshEmail()
  const answers = [await change(one, free), await change(other, owner.email.toUpperCase())]
  const [first, second] = answers.map((answer) => {
    const { status, headers, body } = visible(answer)
    return { status, headers, body: Object.keys(JSON.parse(body) as object) }
  })
  t.same(first, second)
  t.equal(first?.status, 202)
  t.match(answers[1]?.json(), { email: other.user.email, pending: owner.email.toUpperCase() })

  const refused = await confirm(other, await mails.token(owner.email, 'email-change'))
  t.equal(refused.statusCode, 409)
  t.match(refused.json(), { code: 'email-taken' })
  t.match(await emailOf(other), { email: other.user.email, verified: true })
})

t.test('an address that is taken while the mail is on its way cannot be confirmed', async (t) => {
  const caller = await aConfirmedCaller(app)
  const email = freshEmail()
  await change(caller, email)
  const owner = await aUser(app.database, email)
  const refused = await confirm(caller, await mails.token(email, 'email-change'))
  t.equal(refused.statusCode, 409)
  t.match(refused.json(), { code: 'email-taken' })
  t.equal(((await emailOf(caller)) as { email: string }).email, caller.user.email)
  const [row] = await app.db.select().from(users).where(eq(users.id, owner.id))
  t.match(row, { email })
})

t.test('of several users who confirm the same new address at once one gets it', async (t) => {
  const email = freshEmail()
  const callers = [
    await aConfirmedCaller(app),
    await aConfirmedCaller(app),
    await aConfirmedCaller(app)
  ]
  const links: string[] = []
  for (const caller of callers) {
    await change(caller, email)
    links.push(await mails.token(email, 'email-change'))
  }
  const statuses = await Promise.all(
    callers.map(async (caller, i) => (await confirm(caller, links[i] ?? '')).statusCode)
  )
  t.same(statuses.toSorted(), [200, 409, 409])
})

t.test('only the user who asked can confirm, with a session', async (t) => {
  const [owner, other] = [await aConfirmedCaller(app), await aConfirmedCaller(app)]
  const email = freshEmail()
  await change(owner, email)
  const token = await mails.token(email, 'email-change')
  const unknown = visible(await confirm(other, 'A'.repeat(43)))
  t.match(JSON.parse(unknown.body), invalid)
  t.same(visible(await confirm(other, token)), unknown)
  const url = '/api/user/email/confirm'
  t.equal((await app.inject({ method: 'POST', url, payload: { token } })).statusCode, 401)
  for (const method of ['GET', 'HEAD'] as const) {
    await app.inject({ method, url: `${url}?token=${token}`, headers: { cookie: owner.cookie } })
  }
  t.match(await emailOf(owner), { email: owner.user.email, pending: email })
  t.equal((await confirm(owner, token)).statusCode, 200)
})

t.test('an expired link changes nothing', async (t) => {
  const caller = await aConfirmedCaller(app)
  const email = freshEmail()
  await change(caller, email)
  const token = await mails.token(email, 'email-change')
  await app.db
    .update(tokens)
    .set({ expiresAt: sql`now() - interval '1 millisecond'` })
    .where(eq(tokens.hash, sha256(token)))
  t.same(await emailOf(caller), { email: caller.user.email, verified: true, pending: null })
  t.match((await confirm(caller, token)).json(), invalid)
})

t.test('a change of letter case alone needs no confirmation', async (t) => {
  const caller = await aConfirmedCaller(app)
  const email = caller.user.email.toUpperCase()
  const response = await change(caller, email)
  t.equal(response.statusCode, 200)
  t.same(response.json(), { email, verified: true, pending: null })
  t.same(await mails.kindsTo(email), [])
})

t.test(
  'the last of several changes is the pending one, and confirming one ends the others',
  async (t) => {
    const caller = await aConfirmedCaller(app)
    const [first, second] = [freshEmail(), freshEmail()]
    await change(caller, first)
    const token = await mails.token(first, 'email-change')
    await change(caller, second)
    t.match(await emailOf(caller), { pending: second })
    t.equal((await confirm(caller, token)).statusCode, 200)
    t.same(await emailOf(caller), { email: first, verified: true, pending: null })
    const late = await mails.token(second, 'email-change')
    t.match((await confirm(caller, late)).json(), invalid)
  }
)

t.test('the present address withdraws a change that waits', async (t) => {
  const caller = await aConfirmedCaller(app)
  const { email } = caller.user
  const next = freshEmail()
  await change(caller, next)
  const token = await mails.token(next, 'email-change')
  const response = await change(caller, email)
  t.equal(response.statusCode, 200)
  t.same(response.json(), { email, verified: true, pending: null })
  t.match((await confirm(caller, token)).json(), invalid)
})

t.test('a link to verify the present address neither hides nor ends a change', async (t) => {
  const caller = await aCaller(app)
  const { email } = caller.user
  const next = freshEmail()
  await change(caller, next)
  await caller.call('POST', '/api/user/email/verification')
  t.same(await emailOf(caller), { email, verified: false, pending: next })
  await change(caller, email)
  t.same(await emailOf(caller), { email, verified: false, pending: null })
  const token = await mails.token(email, 'email-verify')
  t.same((await confirm(caller, token)).json(), { email, verified: true, pending: null })
})

t.test('a wrong password sends no mail', async (t) => {
  const caller = await aConfirmedCaller(app)
  const email = freshEmail()
  const response = await change(caller, email, 'wrong')
  t.equal(response.statusCode, 403)
  t.match(response.json(), { code: 'wrong-password' })
  t.same(await mails.to(email), [])
  t.match(await emailOf(caller), { pending: null })
})

t.test('an invalid address is rejected by name', async (t) => {
  const caller = await aConfirmedCaller(app)
  const response = await change(caller, 'ada')
  t.equal(response.statusCode, 400)
  t.match(response.json().errors, [{ pointer: '/email', code: 'invalid-email' }])
})

t.test('a user can ask for the link to verify the present address again', async (t) => {
  const caller = await aCaller(app)
  t.same(await emailOf(caller), { email: caller.user.email, verified: false, pending: null })
  for (let i = 0; i < 2; i++) {
    const response = await caller.call('POST', '/api/user/email/verification')
    t.equal(response.statusCode, 202)
    t.same(response.json(), {})
  }
  t.same(await mails.kindsTo(caller.user.email), ['email-verify', 'email-verify'])
  const { text } = await mails.newest(caller.user.email, 'email-verify')
  t.match(text, `http://localhost:3000/app/account/confirm-email?token=${tokenIn(text)}`)
  t.match(await emailOf(caller), { pending: null }, 'it is not a change')

  const other = await aCaller(app)
  t.match((await confirm(other, tokenIn(text))).json(), invalid)
  const confirmation = await confirm(caller, tokenIn(text))
  t.same(confirmation.json(), { email: caller.user.email, verified: true, pending: null })
  t.match(
    (await activityOf(app.database, caller.user.id)).find(
      ({ action }) => action === 'user.email-verify'
    ),
    { outcome: 'success' }
  )
  t.match((await caller.call('GET', '/api/auth/me')).json(), { user: { emailVerified: true } })

  const again = await caller.call('POST', '/api/user/email/verification')
  t.equal(again.statusCode, 409)
  t.match(again.json(), { code: 'email-verified' })
})

t.test('a link to verify an address that has changed since verifies nothing', async (t) => {
  const caller = await aCaller(app)
  const { email } = caller.user
  await caller.call('POST', '/api/user/email/verification')
  const token = await mails.token(email, 'email-verify')
  const next = freshEmail()
  await change(caller, next)
  t.equal((await confirm(caller, await mails.token(next, 'email-change'))).statusCode, 200)
  t.match((await confirm(caller, token)).json(), invalid)
  t.match(await emailOf(caller), { email: next, verified: true })
})

t.test('the old address of an unconfirmed account gets no notice', async (t) => {
  const caller = await aCaller(app)
  const email = freshEmail()
  await change(caller, email)
  await confirm(caller, await mails.token(email, 'email-change'))
  t.same(await mails.to(caller.user.email), [], 'it may belong to a stranger')
})

t.test('a deactivated user confirms nothing', async (t) => {
  const caller = await aConfirmedCaller(app)
  const email = freshEmail()
  await change(caller, email)
  const token = await mails.token(email, 'email-change')
  await app.db.update(users).set({ status: 'deactivated' }).where(eq(users.id, caller.user.id))
  t.equal((await confirm(caller, token)).statusCode, 401)
  await confirmed(app.database, caller.user)
  const [row] = await app.db.select().from(users).where(eq(users.id, caller.user.id))
  t.equal(row?.email, caller.user.email)
})
