// Also on PGlite.

import { eq, sql } from 'drizzle-orm'
import { Secret, TOTP, URI } from 'otpauth'
import t from 'tap'
import { recoveryCodes, totp } from '../../../../db/schema/second-factors.ts'
import { sessions } from '../../../../db/schema/sessions.ts'
import { countRecoveryCodes } from '../../../../src/domain/factors/recovery-codes.ts'
import { activityOf, signedIn, testApp } from '../../../support/app.ts'
import { aConfirmedCaller, mailsOf } from '../../../support/mails.ts'
import {
  aUserWithApp,
  beginLogin,
  beginTotp,
  codeOf,
  cookieSet,
  forgetCodes,
  sessionsOf,
  verify,
  wrongOf
} from '../../../support/second-factors.ts'
import type { Caller } from '../../../support/second-factors.ts'

const app = await testApp(t, { PRODUCT_NAME: 'Kontor & Söhne', SIGN_IN_NOTICES: false })
const { db } = app
const mails = mailsOf(app)
const { callerWith, assuranceOf } = sessionsOf(app)
const security = async (call: Caller['call']) => (await call('GET', '/api/user/security')).json()
const actionsOf = async (userId: string) =>
  (await activityOf(app.database, userId)).map(({ action }) => action)

t.test('an app gets the same secret as text, as link and as QR code', async (t) => {
  const { user, call } = await aConfirmedCaller(app)
  const { secret, uri, qr } = await beginTotp(call)
  t.equal(Secret.fromBase32(secret).bytes.length, 20)
  const read = URI.parse(uri)
  t.match(read, { issuer: 'Kontor & Söhne', label: user.email, digits: 6, algorithm: 'SHA1' })
  t.equal(read instanceof TOTP && read.period, 30)
  t.equal(read.secret.base32, secret)
  t.match(qr, /^<svg .*<\/svg>$/)
  const again = await beginTotp(call)
  t.not(again.secret, secret)
  t.equal(await db.$count(totp, eq(totp.userId, user.id)), 0)
  const [row] = await db.select().from(sessions).where(eq(sessions.userId, user.id))
  t.ok(row?.pendingTotp)
  t.notMatch(Buffer.from(row?.pendingTotp ?? []).toString('latin1'), again.secret)
  t.same(await security(call), {
    hasPassword: true,
    emailVerified: true,
    secondFactor: false,
    totp: null,
    passkeys: 0,
    recoveryCodesLeft: 0,
    requiredByRoles: []
  })
})

t.test('the first code puts the app into use, and raises the session', async (t) => {
  const { user, cookie, call } = await aConfirmedCaller(app)
  const other = await signedIn(app, user.email)
  const { secret } = await beginTotp(call)
  const code = await codeOf(db, secret)
  for (const wrong of [
    wrongOf(code),
    await codeOf(db, secret, 20),
    await codeOf(db, secret, -20)
  ]) {
    const refused = await call('POST', '/api/user/totp/confirm', { code: wrong })
    t.match(refused.json(), { status: 403, code: 'wrong-code' })
  }
  const confirmed = await call('POST', '/api/user/totp/confirm', { code })
  t.equal(confirmed.statusCode, 200, confirmed.body)
  t.equal(confirmed.json().recoveryCodes.length, 10)

  const raised = cookieSet(confirmed, 'session') ?? ''
  t.same(
    [await assuranceOf(cookie), await assuranceOf(raised), await assuranceOf(other)],
    [401, 2, 401]
  )
  t.match((await callerWith(raised)('GET', '/api/auth/me')).json().session.amr, [
    'pwd',
    'otp',
    'mfa'
  ])
  t.match(await security(callerWith(raised)), {
    secondFactor: true,
    totp: { since: /Z$/ },
    recoveryCodesLeft: 10
  })
  t.match(await actionsOf(user.id), ['user.totp-enrol'])
  t.same(await mails.kindsTo(user.email), ['second-factor-added'])
  const twice = await callerWith(raised)('POST', '/api/user/totp/confirm', { code })
  t.match(twice.json(), { status: 409, code: 'enrolment-not-begun' })
})

t.test('a code in a wrong form confirms nothing', async (t) => {
  const { call } = await aConfirmedCaller(app)
  const { secret } = await beginTotp(call)
  const right = await codeOf(db, secret)
  const fullWidth = right.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
  for (const code of [fullWidth, null, Number(right), right.slice(1), `${right}0`, ` ${right}`]) {
    const refused = await call('POST', '/api/user/totp/confirm', { code })
    t.match(refused.json(), { status: 400, errors: [{ pointer: '/code' }] }, String(code))
  }
  t.equal((await call('POST', '/api/user/totp/confirm', { code: right })).statusCode, 200)
})

t.test('a code confirms a secret once, also when it is sent twice at once', async (t) => {
  const { call } = await aConfirmedCaller(app)
  const { secret } = await beginTotp(call)
  const code = await codeOf(db, secret)
  const answers = await Promise.all(
    [1, 2].map(() => call('POST', '/api/user/totp/confirm', { code }))
  )
  const [first, second] = answers.map(({ statusCode }) => statusCode).sort()
  t.equal(first, 200)
  // The winner replaced the cookie of the other one, or its transaction came first.
  t.ok(second === 401 || second === 409, `${second}`)
})

t.test('another session neither confirms an app nor replaces its secret', async (t) => {
  const { user, call } = await aConfirmedCaller(app)
  const { secret } = await beginTotp(call)
  const code = await codeOf(db, secret)
  const other = callerWith(await signedIn(app, user.email))
  const early = await other('POST', '/api/user/totp/confirm', { code })
  t.match(early.json(), { status: 409, code: 'enrolment-not-begun' })
  for (let round = 0; round < 3; round++) await beginTotp(other)
  const wrong = await other('POST', '/api/user/totp/confirm', { code })
  t.match(wrong.json(), { status: 403, code: 'wrong-code' })
  t.equal((await other('DELETE', '/api/user/totp')).statusCode, 204)
  t.equal((await call('POST', '/api/user/totp/confirm', { code })).statusCode, 200)
})

t.test('an app works until the next one is confirmed, which ends other sessions', async (t) => {
  const old = await aUserWithApp(app)
  const { user } = old
  const login = await beginLogin(app, user)
  const other = cookieSet(await verify(app, login, { code: await old.code() }), 'session') ?? ''
  const { secret } = await beginTotp(old.call)
  const step = () => old.call('POST', '/api/auth/reauthenticate', {})
  t.equal((await step()).statusCode, 400)
  await forgetCodes(db, user.id)
  const signsIn = async (code: string) =>
    (await verify(app, await beginLogin(app, user), { code })).statusCode
  t.equal(await signsIn(await codeOf(db, secret)), 401, 'the new one does not work yet')
  t.equal(await signsIn(await old.code()), 200)

  const confirmed = await old.call('POST', '/api/user/totp/confirm', {
    code: await codeOf(db, secret)
  })
  t.equal(confirmed.statusCode, 200)
  t.equal(await assuranceOf(other), 401)
  t.equal(await assuranceOf(cookieSet(confirmed, 'session') ?? ''), 2)
  await forgetCodes(db, user.id)
  t.equal(await signsIn(await old.code()), 401)
  t.equal(await signsIn(await codeOf(db, secret)), 200)
  t.equal(
    (await verify(app, await beginLogin(app, user), { recoveryCode: old.recoveryCodes[0] }))
      .statusCode,
    401,
    'the old recovery codes are void'
  )
  t.match(
    (await activityOf(app.database, user.id)).find(({ action }) => action === 'user.totp-enrol')
      ?.details,
    { revoked: 2 }
  )
})

t.test('without its app a user keeps this session only, and no recovery codes', async (t) => {
  const { user, cookie, call, code } = await aUserWithApp(app)
  const login = await beginLogin(app, user)
  const other = cookieSet(await verify(app, login, { code: await code() }), 'session') ?? ''
  t.equal((await call('PUT', '/api/user/second-factor', { required: false })).statusCode, 204)
  const single = await signedIn(app, user.email)
  t.equal((await call('DELETE', '/api/user/totp')).statusCode, 204)
  t.same(
    [await assuranceOf(other), await assuranceOf(single), await assuranceOf(cookie)],
    [401, 401, 1]
  )
  const [ended] = await db
    .select({ reason: sessions.revokeReason })
    .from(sessions)
    .where(sql`${sessions.userId} = ${user.id} and ${sessions.revokedAt} is not null`)
  t.equal(ended?.reason, 'second-factor')
  t.match(await activityOf(app.database, user.id), [
    { action: 'user.totp-remove', details: { revoked: 2 } }
  ])
  t.equal((await mails.kindsTo(user.email)).at(-1), 'second-factor-removed')
  t.equal(await db.$count(recoveryCodes, eq(recoveryCodes.userId, user.id)), 0)
  t.equal(await countRecoveryCodes(db, user.id), 0)
  await signedIn(app, user.email)
  t.equal((await call('DELETE', '/api/user/totp')).statusCode, 204, 'again')
})

t.test('an app that was not confirmed can be removed without a trace', async (t) => {
  const { user, cookie, call } = await aConfirmedCaller(app)
  const other = await signedIn(app, user.email)
  const { secret } = await beginTotp(call)
  t.equal((await call('DELETE', '/api/user/totp')).statusCode, 204)
  const late = await call('POST', '/api/user/totp/confirm', { code: await codeOf(db, secret) })
  t.match(late.json(), { status: 409, code: 'enrolment-not-begun' })
  t.same([await assuranceOf(cookie), await assuranceOf(other)], [1, 1])
  t.notOk((await actionsOf(user.id)).includes('user.totp-remove'))
})
