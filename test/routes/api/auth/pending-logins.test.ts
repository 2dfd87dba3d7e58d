import { and, eq, isNotNull, sql } from 'drizzle-orm'
import t from 'tap'
import { recoveryCodes, totp } from '../../../../db/schema/second-factors.ts'
import { pendingLogins } from '../../../../db/schema/sessions.ts'
import { users } from '../../../../db/schema/users.ts'
import { updateUser } from '../../../../src/domain/administration/users.ts'
import { countRecoveryCodes } from '../../../../src/domain/factors/recovery-codes.ts'
import { expiredRows } from '../../../../src/domain/jobs/sweep.ts'
import { deleteOld } from '../../../../src/domain/jobs/delete-batches.ts'
import { createSealing } from '../../../../src/domain/sealing.ts'
import { revokeUserSessions } from '../../../../src/domain/sessions/revocation.ts'
import { activityOf, cookieOf, operator, password, testApp } from '../../../support/app.ts'
import { mailsOf } from '../../../support/mails.ts'
import {
  aPendingLogin,
  aUserWithApp,
  beginLogin,
  enrol,
  verify
} from '../../../support/second-factors.ts'

const app = await testApp(t)
const { db } = app
const mails = mailsOf(app)
const problem = (response: { json(): unknown }) => (response.json() as { code: string }).code
const pendingOf = (userId: string) => db.$count(pendingLogins, eq(pendingLogins.userId, userId))

t.test(
  'a recovery code signs in once, however it is typed, and its owner learns of it',
  async (t) => {
    const { user, recoveryCodes } = await aUserWithApp(app)
    const other = await aUserWithApp(app)
    const [one = '', two = '', three = '', foreign = other.recoveryCodes[0] ?? ''] =
      recoveryCodes.slice(0, 3)
    const signIn = async (recoveryCode: string) =>
      verify(app, await beginLogin(app, user), { recoveryCode })

    t.equal(problem(await signIn(foreign)), 'invalid-code', 'of another user')
    t.match((await signIn(one)).json(), { session: { assurance: 2, amr: ['pwd', 'mfa'] } })
    t.equal(problem(await signIn(one)), 'invalid-code', 'again')
    t.equal((await signIn(two.toLowerCase())).statusCode, 200)
    const logins = [await beginLogin(app, user), await beginLogin(app, user)]
    const spelled = three.replaceAll('-', '')
    const answers = await Promise.all(
      logins.map((login) => verify(app, login, { recoveryCode: spelled }))
    )
    t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 401], 'twice at once')

    t.equal(await countRecoveryCodes(db, user.id), 7)
    const [mail] = (await mails.to(user.email)).filter(({ kind }) => kind === 'recovery-code-used')
    t.match(mail?.text, /Recovery codes left: 9\./)
    t.equal(
      (await activityOf(app.database, user.id)).filter(
        ({ action }) => action === 'user.recovery-code-use'
      ).length,
      3
    )
    t.equal(await countRecoveryCodes(db, other.user.id), 10)
  }
)

t.test('a login cookie completes the sign-in of its own user only', async (t) => {
  const [ada, eve] = [await aUserWithApp(app), await aUserWithApp(app)]
  const logins = { ada: await beginLogin(app, ada.user), eve: await beginLogin(app, eve.user) }
  const code = await eve.code()
  for (const payload of [{ code }, { recoveryCode: eve.recoveryCodes[0] }]) {
    t.equal(problem(await verify(app, logins.ada, payload)), 'invalid-code')
  }
  t.match((await verify(app, logins.eve, { code })).json(), { user: { id: eve.user.id } })
  t.match((await verify(app, logins.ada, { code: await ada.code() })).json(), {
    user: { id: ada.user.id }
  })
})

/** Events of an account while a sign-in waits for its second factor. */
const interruptions: Record<
  string,
  (user: Awaited<ReturnType<typeof aUserWithApp>>) => Promise<unknown>
> = {
  'the password is changed': ({ call }) =>
    call('PUT', '/api/user/password', {
      currentPassword: password,
      newPassword: 'another horse battery'
    }),
  'the account is deactivated': ({ user }) =>
    updateUser(app.context, operator, { id: user.id, changes: { status: 'deactivated' } }),
  'the account is deleted': ({ user }) => db.delete(users).where(eq(users.id, user.id)),
  'the app is replaced': ({ call }) => enrol(app, call),
  'the app is removed': async ({ user, call }) => {
    await db.update(users).set({ secondFactor: false }).where(eq(users.id, user.id))
    return call('DELETE', '/api/user/totp')
  },
  'the user ends their other sessions': ({ call }) => call('DELETE', '/api/user/sessions'),
  'an operator ends all sessions': ({ user }) =>
    revokeUserSessions(db, operator, { userId: user.id }),
  'its time is over': ({ user }) =>
    db
      .update(pendingLogins)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(pendingLogins.userId, user.id))
}
for (const [event, happen] of Object.entries(interruptions)) {
  t.test(`a sign-in cannot be completed after ${event}`, async (t) => {
    const user = await aUserWithApp(app)
    const login = await beginLogin(app, user.user)
    const [code, [recoveryCode]] = [await user.code(), user.recoveryCodes]
    await happen(user)
    for (const payload of [{ code }, { recoveryCode }]) {
      const refused = await verify(app, login, payload)
      t.match(refused.json(), { status: 401, code: 'login-expired' })
      t.equal(refused.headers['set-cookie'], undefined)
    }
    const used = and(eq(recoveryCodes.userId, user.user.id), isNotNull(recoveryCodes.usedAt))
    t.equal(await db.$count(recoveryCodes, used), 0, 'and uses up no recovery code')
  })
}

t.test('sign-ins that have expired are deleted, and the others stay', async (t) => {
  const { user: late } = await aUserWithApp(app)
  const { user: waiting } = await aUserWithApp(app)
  await aPendingLogin(db, late)
  await aPendingLogin(db, late)
  await aPendingLogin(db, waiting)
  await db
    .update(pendingLogins)
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where(eq(pendingLogins.userId, late.id))
  while ((await pendingOf(late.id)) > 0) {
    t.match(await deleteOld(db, expiredRows['expired logins'], 1), { deleted: 1 })
  }
  t.equal(await pendingOf(waiting.id), 1)
})

t.test('of many sign-ins that wait, the latest five can be completed', async (t) => {
  const { user, code } = await aUserWithApp(app)
  const logins = []
  for (let i = 0; i < 7; i++) logins.push(await beginLogin(app, user))
  t.equal(await pendingOf(user.id), 5)
  const right = await code()
  t.equal(problem(await verify(app, logins[1] ?? '', { code: right })), 'login-expired')
  t.equal((await verify(app, logins[2] ?? '', { code: right })).statusCode, 200)
})

t.test('an app whose key was removed leaves the recovery codes', async (t) => {
  const { user, code, recoveryCodes, call } = await aUserWithApp(app)
  const lost = createSealing([{ kid: 'k0', secret: Buffer.alloc(32, 7) }])
  await db
    .update(totp)
    .set({ secret: lost.seal('totp', user.id, Buffer.alloc(20)) })
    .where(eq(totp.userId, user.id))
  const login = await beginLogin(app, user)
  const right = await code()
  for (let i = 0; i < 7; i++) {
    const refused = await verify(app, login, { code: right })
    t.match(refused.json(), { status: 503, code: 'second-factor-unreadable' })
    t.equal(refused.headers['retry-after'], '60')
  }
  const stepUp = await call('POST', '/api/auth/reauthenticate', { code: right })
  t.match(stepUp.json(), { status: 503, code: 'second-factor-unreadable' })
  const signedIn = await verify(app, login, { recoveryCode: recoveryCodes[0] })
  t.equal(signedIn.statusCode, 200, 'none of the refusals counted')

  const headers = { cookie: cookieOf(signedIn) }
  const { secret } = await enrol(app, (method, url, payload) =>
    app.inject({ method, url, headers, ...(payload && { payload }) })
  )
  t.ok(secret, 'and a new app can be set up')
  t.equal((await app.inject({ url: '/api/auth/me', headers })).statusCode, 401)
})

t.test('a page of another site cannot complete a sign-in', async (t) => {
  const { user, code } = await aUserWithApp(app)
  const login = await beginLogin(app, user)
  const right = await code()
  const refused = await verify(app, login, { code: right }, { origin: 'https://evil.example' })
  t.match(refused.json(), { status: 403, code: 'cross-site' })
  t.equal((await verify(app, login, { code: right })).statusCode, 200, 'the code was not used up')
})
