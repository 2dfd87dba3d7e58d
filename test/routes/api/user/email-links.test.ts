import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { tokens } from '../../../../db/schema/tokens.ts'
import { users } from '../../../../db/schema/users.ts'
import { sha256 } from '../../../../src/domain/crypto.ts'
import { change, confirm, emailOf } from '../../../support/email-changes.ts'
import { activityOf, aCaller, freshEmail, testApp } from '../../../support/app.ts'
import { aConfirmedCaller, confirmed, mailsOf, tokenIn, visible } from '../../../support/mails.ts'

const app = await testApp(t, { ACCOUNT_URL: 'http://localhost:3000/app/account' })
const mails = mailsOf(app)
const invalid = { status: 400, code: 'invalid-token' }

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

t.test('the current address cancels a change that waits, on record', async (t) => {
  const caller = await aConfirmedCaller(app)
  const { email } = caller.user
  const next = freshEmail()
  await change(caller, next)
  const token = await mails.token(next, 'email-change')
  const response = await change(caller, email)
  t.equal(response.statusCode, 200)
  t.same(response.json(), { email, verified: true, pending: null })
  t.match((await confirm(caller, token)).json(), invalid)
  t.equal((await change(caller, email)).statusCode, 200)
  const records = await activityOf(app.database, caller.user.id)
  t.match(
    records.filter(({ action }) => action.startsWith('user.email')),
    [
      { action: 'user.email-change-cancel', actorId: caller.user.id },
      { action: 'user.email-change-request' }
    ],
    'once: later there is nothing to cancel'
  )
})

t.test('a link to verify another spelling of the address is not a change', async (t) => {
  const caller = await aCaller(app)
  await caller.call('POST', '/api/user/email/verification')
  const token = await mails.token(caller.user.email, 'email-verify')
  const email = caller.user.email.toUpperCase()
  for (let n = 0; n < 2; n++) {
    const response = await change(caller, email)
    t.equal(response.statusCode, 200)
    t.same(response.json(), { email, verified: false, pending: null })
  }
  t.same((await confirm(caller, token)).json(), { email, verified: true, pending: null })
})

t.test('a link to verify the current address neither hides nor ends a change', async (t) => {
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

t.test('a user can ask for the link to verify the current address again', async (t) => {
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
