import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { recoveryCodes, totp } from '../../../../db/schema/second-factors.ts'
import { tokens } from '../../../../db/schema/tokens.ts'
import { users } from '../../../../db/schema/users.ts'
import { updateUser } from '../../../../src/domain/administration/users.ts'
import { sha256 } from '../../../../src/domain/crypto.ts'
import { countRecoveryCodes } from '../../../../src/domain/factors/recovery-codes.ts'
import {
  activityOf,
  cookieOf,
  freshEmail,
  operator,
  password,
  signedIn,
  testApp
} from '../../../support/app.ts'
import { linkFor } from '../../../support/mail-links.ts'
import { aConfirmedCaller, mailsOf, tokenIn, visible } from '../../../support/mails.ts'
import { clientOf } from '../../../support/requests.ts'
import { aUserWithApp } from '../../../support/second-factors.ts'

// How an owner regains an account after a thief has changed its address.

const app = await testApp(t, { ACCOUNT_URL: 'http://localhost:3000/app/account' })
const mails = mailsOf(app)
const { post, login, me, rowOf } = clientOf(app)
const revert = (token: string, newPassword = 'taken back by its owner') =>
  post('/api/auth/email/revert', { token, newPassword })
const invalid = { status: 400, code: 'invalid-token' }

/** Changes the address with a session, as its thief does, and returns the new one. */
async function move(cookie: string, currentPassword = password, email = freshEmail()) {
  await app.inject({
    method: 'PUT',
    url: '/api/user/email',
    headers: { cookie },
    payload: { email, currentPassword }
  })
  const token = await mails.token(email, 'email-change')
  const response = await post('/api/user/email/confirm', { token }, cookie)
  if (response.statusCode !== 200) throw new Error(response.body)
  return email
}

t.test('the old address gets the account back, with every session ended', async (t) => {
  const { user, cookie } = await aConfirmedCaller(app)
  const thief = await signedIn(app, user.email)
  const stolen = await move(thief)
  const changed = await post('/api/user/email/verification', {}, thief)
  t.equal(changed.statusCode, 409, 'the new address is confirmed')

  const { to, text } = await mails.newest(user.email, 'email-changed')
  t.equal(to, user.email)
  t.match(text, `http://localhost:3000/app/account/revert?token=${tokenIn(text)}`)
  t.notMatch(text, stolen, 'without the new address')

  const response = await revert(tokenIn(text))
  t.equal(response.statusCode, 204)
  t.equal(response.headers['set-cookie'], undefined, 'nobody is signed in')
  t.same([await me(cookie), await me(thief)], [401, 401])
  t.match(await rowOf(user.id), {
    email: user.email,
    emailNormalized: user.email,
    emailVerifiedAt: Date
  })
  t.same(
    [
      await login(stolen),
      await login(stolen, 'taken back by its owner'),
      await login(user.email),
      await login(user.email, 'taken back by its owner')
    ],
    [401, 401, 401, 200]
  )
  t.match(
    (await activityOf(app.database, user.id)).find(({ action }) => action === 'user.email-revert'),
    { outcome: 'success', actorId: user.id, details: { revoked: 2 } }
  )
  t.match(await mails.newest(user.email, 'password-changed'), { to: user.email })
  t.match((await revert(tokenIn(text))).json(), invalid, 'once')
})

t.test('nothing that the thief does meanwhile ends the link', async (t) => {
  const { user, cookie: stolen } = await aConfirmedCaller(app)
  const email = await move(stolen)
  const changed = await app.inject({
    method: 'PUT',
    url: '/api/user/password',
    headers: { cookie: stolen },
    payload: { currentPassword: password, newPassword: 'the password of a thief' }
  })
  const cookie = cookieOf(changed)
  await post('/api/auth/recovery', { email })
  const recovery = await mails.token(email, 'recovery')
  const secret = 'another one of a thief'
  await post('/api/auth/recovery/confirm', { token: recovery, newPassword: secret })
  t.equal(await me(cookie), 401)
  const last = await move(await signedIn(app, email, {}, secret), secret)

  t.equal((await revert(await mails.token(user.email, 'email-changed'))).statusCode, 204)
  t.match(await rowOf(user.id), { email: user.email })
  t.same(
    [
      await login(last, secret),
      await login(user.email, secret),
      await login(user.email, 'taken back by its owner')
    ],
    [401, 401, 200]
  )
})

t.test('the thief cannot undo it', async (t) => {
  const { user, cookie } = await aConfirmedCaller(app)
  const stolen = await move(cookie)
  await post('/api/auth/recovery', { email: stolen })
  const recovery = await mails.token(stolen, 'recovery')
  const pending = freshEmail()
  await app.inject({
    method: 'PUT',
    url: '/api/user/email',
    headers: { cookie },
    payload: { email: pending, currentPassword: password }
  })
  const next = await mails.token(pending, 'email-change')

  t.equal((await revert(await mails.token(user.email, 'email-changed'))).statusCode, 204)
  const recovered = await post('/api/auth/recovery/confirm', {
    token: recovery,
    newPassword: password
  })
  t.match(recovered.json(), invalid, 'a link for a new password at the stolen address')
  const owner = await signedIn(app, user.email, {}, 'taken back by its owner')
  const confirmation = await post('/api/user/email/confirm', { token: next }, owner)
  t.match(confirmation.json(), invalid, 'the next change of address')
  t.match(await rowOf(user.id), { email: user.email })
})

t.test(
  'a thief who changes the address twice has a link as well, which does not end the first',
  async (t) => {
    const { user, cookie } = await aConfirmedCaller(app)
    const first = await move(cookie)
    await move(cookie)
    const own = await mails.token(first, 'email-changed')
    const owners = await mails.token(user.email, 'email-changed')
    t.equal((await revert(own, 'the password of a thief')).statusCode, 204)
    t.match(await rowOf(user.id), { email: first })

    t.equal((await revert(owners)).statusCode, 204)
    t.match(await rowOf(user.id), { email: user.email })
    t.equal(await login(first, 'the password of a thief'), 401)
    t.equal(await login(user.email, 'taken back by its owner'), 200)
  }
)

t.test('the first link ends those of later changes', async (t) => {
  const { user, cookie } = await aConfirmedCaller(app)
  const first = await move(cookie)
  const second = await move(cookie)
  await move(cookie)
  const links = [
    await mails.token(first, 'email-changed'),
    await mails.token(second, 'email-changed')
  ]
  t.equal((await revert(await mails.token(user.email, 'email-changed'))).statusCode, 204)
  for (const link of links) t.match((await revert(link)).json(), invalid)
  t.match(await rowOf(user.id), { email: user.email })
})

t.test('many changes do not push the first link out', async (t) => {
  const { user, cookie } = await aConfirmedCaller(app)
  for (let i = 0; i < 6; i++) await move(cookie)
  t.equal((await revert(await mails.token(user.email, 'email-changed'))).statusCode, 204)
  t.match(await rowOf(user.id), { email: user.email })
})

t.test('an address that somebody else has by now is a conflict, and nothing changes', async (t) => {
  const { user, cookie } = await aConfirmedCaller(app)
  const email = await move(cookie)
  // By hand: nobody else can take an address that is kept.
  const other = { id: randomUUID(), email: user.email, emailNormalized: user.email, name: 'Ada' }
  await app.db.insert(users).values(other)
  const token = await mails.token(user.email, 'email-changed')
  const refused = await revert(token)
  t.equal(refused.statusCode, 409)
  t.match(refused.json(), { code: 'email-taken' })
  t.match(await rowOf(user.id), { email })
  t.equal(await me(cookie), 200)
  await app.db.delete(users).where(eq(users.id, other.id))
  t.equal((await revert(token)).statusCode, 204, 'the link is still good')
})

t.test('an unacceptable password leaves the link good', async (t) => {
  const { user, cookie } = await aConfirmedCaller(app)
  const email = await move(cookie)
  const token = await mails.token(user.email, 'email-changed')
  const refused = await revert(token, 'short')
  t.equal(refused.statusCode, 400)
  t.match(refused.json().errors, [{ pointer: '/newPassword', code: 'too-short' }])
  t.match(await rowOf(user.id), { email })
  t.equal((await revert(token)).statusCode, 204)
})

t.test('the link works for 72 hours, by the clock of the database', async (t) => {
  const { user, cookie } = await aConfirmedCaller(app)
  const email = await move(cookie)
  const token = await mails.token(user.email, 'email-changed')
  const [row] = await app.db
    .select({ hours: sql<number>`extract(epoch from expires_at - now())::float8 / 3600` })
    .from(tokens)
    .where(eq(tokens.hash, sha256(token)))
  t.ok(Number(row?.hours) > 71.9 && Number(row?.hours) <= 72, `${row?.hours} hours`)
  await app.db
    .update(tokens)
    .set({ expiresAt: sql`now() - interval '1 millisecond'` })
    .where(eq(tokens.hash, sha256(token)))
  t.same(visible(await revert(token)), visible(await revert('A'.repeat(43))))
  t.match((await revert(token)).json(), invalid)
  t.match(await rowOf(user.id), { email })
})

t.test('a deactivated account is not restored', async (t) => {
  const { user, cookie } = await aConfirmedCaller(app)
  await move(cookie)
  await app.db.update(users).set({ status: 'deactivated' }).where(eq(users.id, user.id))
  t.match((await revert(await mails.token(user.email, 'email-changed'))).json(), invalid)
})

t.test('an operator who moves an account ends the links of the mailboxes before', async (t) => {
  const { user, cookie } = await aConfirmedCaller(app)
  const stolen = await move(cookie)
  await move(cookie)
  const links = [
    await mails.token(stolen, 'email-changed'),
    await mails.token(user.email, 'email-changed')
  ]
  const email = freshEmail()
  await updateUser(app.context, operator, { id: user.id, changes: { email } })
  for (const link of links) t.match((await revert(link)).json(), invalid)
  t.match(await rowOf(user.id), { email })
})

t.test('a link ends those of the other kind that were created since', async (t) => {
  const { user } = await aConfirmedCaller(app)
  const owners = await linkFor(app, 'email-revert', user)
  const token = await linkFor(app, 'factor-revert', user, freshEmail())
  t.equal((await revert(owners)).statusCode, 204)
  const late = await post('/api/auth/factors/revert', {
    token,
    newPassword: 'of a thief, a new one'
  })
  t.match(late.json(), invalid)
  t.match(await rowOf(user.id), { email: user.email })
})

for (const [renews, left] of [
  [true, 0],
  [false, 10]
] as const) {
  const which = renews ? 'that were created since go' : 'of before stay'
  t.test(`with a link, recovery codes ${which}, and an older app stays`, async (t) => {
    const { user, call } = await aUserWithApp(app)
    const before = sql`now() - interval '1 day'`
    await app.db.update(totp).set({ confirmedAt: before }).where(eq(totp.userId, user.id))
    const ofUser = eq(recoveryCodes.userId, user.id)
    await app.db.update(recoveryCodes).set({ createdAt: before }).where(ofUser)
    const token = await linkFor(app, 'email-revert', user)
    if (renews) t.equal((await call('POST', '/api/user/recovery-codes')).statusCode, 200)
    t.equal((await revert(token)).statusCode, 204)
    t.equal(await countRecoveryCodes(app.db, user.id), left)
    t.equal(await app.db.$count(totp, eq(totp.userId, user.id)), 1)
  })
}
