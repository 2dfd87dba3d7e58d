// Also on PGlite.

import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { throttle } from '../../../../db/schema/throttle.ts'
import { tokens } from '../../../../db/schema/tokens.ts'
import { users } from '../../../../db/schema/users.ts'
import { updateUser } from '../../../../src/domain/administration/users.ts'
import { sha256 } from '../../../../src/domain/crypto.ts'
import {
  activityOf,
  aUser,
  freshEmail,
  operator,
  password,
  signedIn,
  testApp
} from '../../../support/app.ts'
import { aConfirmedCaller, confirmed, mailsOf, tokenIn, visible } from '../../../support/mails.ts'
import { clientOf } from '../../../support/requests.ts'

const app = await testApp(t, { ACCOUNT_URL: 'http://localhost:3000/app/account' })
const mails = mailsOf(app)
const { post, login, me, rowOf } = clientOf(app)
const request = (email: string) => post('/api/auth/recovery', { email })
const recover = (token: string, newPassword: string, cookie = '') =>
  post('/api/auth/recovery/confirm', { token, newPassword }, cookie)
const newPassword = 'a better horse battery'
const invalid = { status: 400, code: 'invalid-token' }
async function asked(email: string) {
  await request(email)
  return mails.token(email, 'recovery')
}

t.test(
  'recovery has one response for an account, an unknown and a deactivated address',
  async (t) => {
    const user = await aUser(app.database)
    const [unknown, { email: deactivated, id }] = [freshEmail(), await aUser(app.database)]
    await app.db.update(users).set({ status: 'deactivated' }).where(eq(users.id, id))
    const answer = visible(await request(user.email))
    t.equal(answer.status, 202)
    t.equal(answer.body, '{}')
    t.same(visible(await request(unknown)), answer)
    t.same(visible(await request(deactivated)), answer)
    t.same(await mails.kindsTo(user.email), ['recovery'])
    t.same(
      [await mails.to(unknown), await mails.to(deactivated)],
      [[], []],
      'no mail to the others'
    )
    const states = (await mails.rows())
      .slice(-3)
      .map(({ kind, state, userId }) => [kind, state, userId])
    t.same(states, [
      ['recovery', 'caught', user.id],
      ['recovery', 'dropped', null],
      ['recovery', 'dropped', null]
    ])
  }
)

t.test('the link leads to the account pages and works for half an hour', async (t) => {
  const { email } = await aUser(app.database)
  await request(email.toUpperCase())
  const { text, to } = await mails.newest(email, 'recovery')
  t.equal(to, email, 'to the address of the account, as its owner wrote it')
  t.match(text, `http://localhost:3000/app/account/reset?token=${tokenIn(text)}`)
  const [row] = await app.db
    .select({ minutes: sql<number>`extract(epoch from expires_at - now())::float8 / 60` })
    .from(tokens)
    .where(eq(tokens.hash, sha256(tokenIn(text))))
  t.ok(Number(row?.minutes) > 25 && Number(row?.minutes) <= 30, `${row?.minutes} minutes`)
})

t.test('a new password ends every session and signs nobody in', async (t) => {
  const { user, cookie } = await aConfirmedCaller(app)
  const other = await signedIn(app, user.email)
  const response = await recover(await asked(user.email), newPassword, cookie)
  t.equal(response.statusCode, 204)
  t.equal(response.headers['set-cookie'], undefined)
  t.same([await me(cookie), await me(other)], [401, 401])
  t.same([await login(user.email, password), await login(user.email, newPassword)], [401, 200])
  t.match(
    (await activityOf(app.database, user.id)).map(({ action, outcome }) => [action, outcome]),
    [
      ['auth.login', 'failure'],
      ['auth.recovery', 'success'],
      ['auth.recovery-request', 'success']
    ]
  )
  t.match(
    (await activityOf(app.database, user.id)).find(({ action }) => action === 'auth.recovery'),
    { actorType: 'user', actorId: user.id, details: { revoked: 2 } }
  )
  t.match(await mails.newest(user.email, 'password-changed'), { to: user.email })
})

t.test('recovery proves the address', async (t) => {
  const user = await aUser(app.database)
  t.equal((await rowOf(user.id))?.emailVerifiedAt, null)
  await recover(await asked(user.email), newPassword)
  t.ok((await rowOf(user.id))?.emailVerifiedAt)
  t.same(
    await mails.kindsTo(user.email),
    ['recovery', 'password-changed'],
    'so the notice can be sent'
  )
})

t.test('an unacceptable password is rejected by name and leaves the link good', async (t) => {
  const user = await aUser(app.database)
  const token = await asked(user.email)
  for (const [bad, code] of [
    ['short', 'too-short'],
    ['x'.repeat(129), 'too-long'],
    ['correct\0horse', 'invalid-characters'],
    [user.email, 'guessable']
  ] as const) {
    const response = await recover(token, bad)
    t.equal(response.statusCode, 400, bad)
    t.match(response.json(), {
      code: 'invalid-request',
      errors: [{ pointer: '/newPassword', ...(code !== 'guessable' && { code }) }]
    })
  }
  t.equal(await login(user.email, password), 200, 'nothing has changed')
  t.equal((await recover(token, newPassword)).statusCode, 204)
})

t.test('an account that was deactivated or deleted meanwhile is not recovered', async (t) => {
  const [deactivated, deleted] = [await aUser(app.database), await aUser(app.database)]
  const links = [await asked(deactivated.email), await asked(deleted.email)]
  await app.db.update(users).set({ status: 'deactivated' }).where(eq(users.id, deactivated.id))
  await app.db.delete(users).where(eq(users.id, deleted.id))
  for (const link of links) t.match((await recover(link, newPassword)).json(), invalid)
  await app.db.update(users).set({ status: 'active' }).where(eq(users.id, deactivated.id))
  t.equal(await login(deactivated.email, password), 200)
})

t.test('a link sent to an address that the account no longer has is not valid', async (t) => {
  const user = await confirmed(app.database, await aUser(app.database))
  const token = await asked(user.email)
  const email = freshEmail()
  await updateUser(app.context, operator, { id: user.id, changes: { email } })
  t.match((await recover(token, newPassword)).json(), invalid)
  t.equal(await login(email, password), 200)
})

t.test('nor is one that was on its way while the address changed', async (t) => {
  const user = await confirmed(app.database, await aUser(app.database))
  const token = await asked(user.email)
  // The change comes between the token and its delivery.
  const email = freshEmail()
  await app.db.update(users).set({ email, emailNormalized: email }).where(eq(users.id, user.id))
  t.match((await recover(token, newPassword)).json(), invalid)
  t.equal(await login(email, password), 200)
})

t.test(
  'recovery ends a change of address that waits, and resets the limits of the account',
  async (t) => {
    const { user, call } = await aConfirmedCaller(app)
    const email = freshEmail()
    await call('PUT', '/api/user/email', { email, currentPassword: password })
    const change = await mails.token(email, 'email-change')
    const { key } = app.context.buckets.account(user.email)
    await app.db
      .insert(throttle)
      .values({ bucket: key, tat: sql`now()`, fails: 99 })
      .onConflictDoUpdate({ target: throttle.bucket, set: { fails: 99 } })
    t.equal((await recover(await asked(user.email), newPassword)).statusCode, 204)
    t.same(await app.db.select().from(throttle).where(eq(throttle.bucket, key)), [])

    const cookie = await signedIn(app, user.email, {}, newPassword)
    const confirm = await post('/api/user/email/confirm', { token: change }, cookie)
    t.match(confirm.json(), invalid)
    const own = await app.inject({ url: '/api/user/email', headers: { cookie } })
    t.match(own.json(), { email: user.email, pending: null })
  }
)

t.test('an invalid address is rejected by name', async (t) => {
  for (const email of ['ada', 'Ada <ada@example.com>', 'ada@example.com,eve@example.com']) {
    const response = await request(email)
    t.equal(response.statusCode, 400)
    t.match(response.json().errors, [{ pointer: '/email', code: 'invalid-email' }])
  }
})
