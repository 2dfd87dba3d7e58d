import { eq } from 'drizzle-orm'
import t from 'tap'
import { passkeys } from '../../../../db/schema/second-factors.ts'
import { users } from '../../../../db/schema/users.ts'
import { transaction } from '../../../../db/transaction.ts'
import { grantRole } from '../../../../src/domain/access/memberships.ts'
import { createLinkToken } from '../../../../src/domain/tokens/tokens.ts'
import { activityOf, operator, password, signedIn, testApp } from '../../../support/app.ts'
import { aConfirmedCaller, mailsOf } from '../../../support/mails.ts'
import {
  aRequiringRole,
  aUserWithApp,
  beginLogin,
  beginTotp,
  codeOf,
  cookieSet,
  enrol,
  forgetCodes,
  letProofsAge,
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
const aPasskey = (userId: string) =>
  db.insert(passkeys).values({
    id: crypto.randomUUID(),
    userId,
    credentialId: Buffer.from(userId),
    publicKey: Buffer.alloc(32),
    algorithm: -8,
    counter: 0,
    aaguid: crypto.randomUUID(),
    deviceType: 'multi',
    backedUp: true,
    rpId: 'localhost',
    name: 'Key'
  })

t.test('every change of a factor requires an authentication in the last ten minutes', async (t) => {
  const { user, cookie, call } = await aConfirmedCaller(app)
  const { secret } = await beginTotp(call)
  await letProofsAge(app, user)
  const code = await codeOf(db, secret)
  const stale = {
    status: 403,
    code: 'reauthentication-required',
    maxAge: 600,
    methods: ['password']
  }
  t.match((await call('POST', '/api/user/totp')).json(), stale)
  t.match((await call('POST', '/api/user/totp/confirm', { code })).json(), stale)
  t.match((await call('DELETE', '/api/user/totp')).json(), stale)
  const proved = await call('POST', '/api/auth/reauthenticate', { password })
  const fresh = callerWith(cookieSet(proved, 'session') ?? '')
  t.equal(await assuranceOf(cookie), 401)
  const confirmed = await fresh('POST', '/api/user/totp/confirm', { code })
  t.equal(confirmed.statusCode, 200, confirmed.body)

  const raised = callerWith(cookieSet(confirmed, 'session') ?? '')
  await letProofsAge(app, user)
  const factorDue = { ...stale, methods: ['totp'] }
  t.match((await raised('POST', '/api/user/recovery-codes')).json(), factorDue)
  t.match((await raised('PUT', '/api/user/second-factor', { required: false })).json(), factorDue)
  t.match((await raised('DELETE', '/api/user/totp')).json(), factorDue)
  t.match((await raised('POST', '/api/auth/reauthenticate', { password })).json(), factorDue)
  await forgetCodes(db, user.id)
  const again = await raised('POST', '/api/auth/reauthenticate', { code })
  const able = callerWith(cookieSet(again, 'session') ?? '')
  t.equal((await able('POST', '/api/user/recovery-codes')).statusCode, 200)
})

/** A session that began with the password alone, which the first factor did not end. */
async function aSessionOfBefore({ id, email }: { id: string; email: string }) {
  const setSecondFactor = (secondFactor: boolean) =>
    db.update(users).set({ secondFactor }).where(eq(users.id, id))
  await setSecondFactor(false)
  const cookie = await signedIn(app, email)
  await setSecondFactor(true)
  return callerWith(cookie)
}

t.test('a thief with the password turns nothing off, and sees no recovery code', async (t) => {
  const role = await aRequiringRole(app, 'users:read')
  const victims = {
    'whose sign-in needs a second factor': [],
    'whose role alone requires one': [role]
  }
  for (const [whose, roles] of Object.entries(victims)) {
    const { user, call } = await aConfirmedCaller(app)
    const owner = await enrol(app, call)
    const thief = await aSessionOfBefore(user)
    if (roles.length > 0) {
      const own = callerWith(owner.cookie)
      t.equal((await own('PUT', '/api/user/second-factor', { required: false })).statusCode, 204)
      for (const each of roles) await grantRole(db, operator, { userId: user.id, role: each })
    }
    const due = { status: 403, code: 'reauthentication-required', methods: ['totp'] }
    const attempts = async () => ({
      turnOff: await thief('PUT', '/api/user/second-factor', { required: roles.length > 0 }),
      remove: await thief('DELETE', '/api/user/totp'),
      replace: await thief('POST', '/api/user/totp'),
      confirm: await thief('POST', '/api/user/totp/confirm', { code: '000000' }),
      codes: await thief('POST', '/api/user/recovery-codes'),
      prove: await thief('POST', '/api/auth/reauthenticate', { password })
    })
    for (const [attempt, answer] of Object.entries(await attempts())) {
      t.match(answer.json(), due, `${attempt}, ${whose}`)
    }
    t.match(await security(callerWith(owner.cookie)), {
      totp: {},
      recoveryCodesLeft: 10,
      secondFactor: roles.length === 0
    })
  }
})

t.test(
  'the first factor of a user whose role requires one takes the token of a link',
  async (t) => {
    const role = await aRequiringRole(app, 'users:read')
    const { user, call } = await aConfirmedCaller(app, role)
    t.match(await security(call), { requiredByRoles: [role], totp: null })
    const { secret } = await beginTotp(call)
    const confirm = async (token?: string) =>
      call('POST', '/api/user/totp/confirm', {
        code: await codeOf(db, secret),
        ...(token !== undefined && { token })
      })
    t.match((await confirm()).json(), { status: 403, code: 'enrolment-token-required' })
    t.match((await confirm('x'.repeat(43))).json(), { status: 400, code: 'invalid-token' })
    const made = await transaction(db, (tx) =>
      createLinkToken(tx, {
        purpose: 'factor-enrolment',
        owner: { userId: user.id },
        expiresIn: 600
      })
    )
    const code = wrongOf(await codeOf(db, secret))
    const wrong = await call('POST', '/api/user/totp/confirm', { code, token: made?.token })
    t.match(wrong.json(), { status: 403, code: 'wrong-code' })
    t.equal((await confirm(made?.token)).statusCode, 200, 'the wrong code did not use up the token')
  }
)

t.test('new recovery codes replace the old ones', async (t) => {
  const { user, call, recoveryCodes: old } = await aUserWithApp(app)
  const renewed = await call('POST', '/api/user/recovery-codes')
  const codes = renewed.json().recoveryCodes as string[]
  t.equal(new Set([...codes, ...old]).size, 20)
  const signIn = async (recoveryCode = '') =>
    (await verify(app, await beginLogin(app, user), { recoveryCode })).statusCode
  t.same([await signIn(old[0]), await signIn(codes[0])], [401, 200])
  t.match(await security(call), { recoveryCodesLeft: 9 })
  t.match(await actionsOf(user.id), [
    'user.recovery-code-use',
    'auth.second-factor-due',
    'auth.second-factor',
    'auth.second-factor-due',
    'user.recovery-codes'
  ])

  const plain = await aConfirmedCaller(app)
  const refused = await plain.call('POST', '/api/user/recovery-codes')
  t.match(refused.json(), { status: 409, code: 'no-second-factor' })
})

t.test('a user decides whether the password alone is enough', async (t) => {
  const { user, call } = await aUserWithApp(app)
  const set = (required: unknown) => call('PUT', '/api/user/second-factor', { required })
  t.equal((await set('no')).statusCode, 400)
  t.equal((await set(true)).statusCode, 204)
  t.notOk((await actionsOf(user.id)).includes('user.second-factor'), 'nothing was changed')
  t.equal((await set(false)).statusCode, 204)
  await signedIn(app, user.email)
  t.match(await security(call), { secondFactor: false, totp: {} })
  t.equal((await mails.kindsTo(user.email)).at(-1), 'second-factor-removed')
  t.equal((await set(true)).statusCode, 204)
  await beginLogin(app, user)
  t.match(
    (await activityOf(app.database, user.id)).flatMap(({ action, details }) =>
      action === 'user.second-factor' ? [details] : []
    ),
    [{ required: true }, { required: false }]
  )

  const role = await aRequiringRole(app)
  await grantRole(db, operator, { userId: user.id, role })
  t.match((await set(false)).json(), { status: 409, code: 'second-factor-required' })

  const plain = await aConfirmedCaller(app)
  const refused = await plain.call('PUT', '/api/user/second-factor', { required: true })
  t.match(refused.json(), { status: 409, code: 'no-second-factor' })
  await aPasskey(plain.user.id)
  t.equal((await plain.call('PUT', '/api/user/second-factor', { required: true })).statusCode, 204)
})

t.test('the last factor stays while it is needed', async (t) => {
  const { user, call } = await aUserWithApp(app)
  const last = { status: 409, code: 'last-second-factor' }
  t.match((await call('DELETE', '/api/user/totp')).json(), last)
  t.match(await security(call), { totp: {} }, 'it is still there')
  await aPasskey(user.id)
  t.equal((await call('DELETE', '/api/user/totp')).statusCode, 204)
  t.match(await security(call), {
    totp: null,
    passkeys: 1,
    secondFactor: true,
    recoveryCodesLeft: 10
  })

  const role = await aRequiringRole(app)
  const member = await aUserWithApp(app)
  t.equal(
    (await member.call('PUT', '/api/user/second-factor', { required: false })).statusCode,
    204
  )
  await grantRole(db, operator, { userId: member.user.id, role })
  t.match((await member.call('DELETE', '/api/user/totp')).json(), last)
})
