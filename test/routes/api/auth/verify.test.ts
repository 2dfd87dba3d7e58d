import { eq } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../../../db/schema/activity.ts'
import { sessions } from '../../../../db/schema/sessions.ts'
import { activityOf, aUser, password, signedIn, testApp } from '../../../support/app.ts'
import { aConfirmedCaller } from '../../../support/mails.ts'
import {
  aPendingLogin,
  aUserWithApp,
  beginLogin,
  cookieSet,
  enrol,
  forgetCodes,
  verify,
  wrongOf
} from '../../../support/second-factors.ts'

const app = await testApp(t)
const { db } = app
const problem = (response: { json(): unknown }) => (response.json() as { code: string }).code

t.test(
  'the right password alone gives no session, but lists the methods of the second step',
  async (t) => {
    const { user, cookie } = await aUserWithApp(app)
    const before = await db.$count(sessions, eq(sessions.userId, user.id))
    const response = await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { cookie },
      payload: { email: user.email, password }
    })
    t.equal(response.statusCode, 202)
    const { expiresAt, ...body } = response.json() as { expiresAt: string }
    t.same(body, { next: 'second-factor', methods: ['totp', 'recovery-code'] })
    const left = Date.parse(expiresAt) - Date.now()
    t.ok(left > 0 && left <= 300_000 + 5000, `${left} ms`)
    t.match(
      response.headers['set-cookie'],
      /^portal_login=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly/
    )
    t.equal(await db.$count(sessions, eq(sessions.userId, user.id)), before)
    const me = await app.inject({ url: '/api/auth/me', headers: { cookie } })
    t.equal(me.statusCode, 200, 'the session in the request goes on')
    t.notOk((await activityOf(app.database, user.id)).some(({ action }) => action === 'auth.login'))
  }
)

t.test('in production the login cookie is bound to the host and to the site', async (t) => {
  const production = await testApp(t, {
    development: false,
    PUBLIC_ORIGIN: 'https://portal.example.com',
    ALLOWED_HOSTS: ['localhost']
  })
  const user = await aUser(production.database)
  const cookie = await signedIn(production, user.email)
  await enrol(production, (method, url, payload, headers) =>
    production.inject({
      method,
      url,
      headers: { cookie, ...headers },
      ...(payload && { payload })
    })
  )
  const response = await production.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: user.email, password }
  })
  t.match(
    response.headers['set-cookie'],
    /^__Host-portal_login=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; Secure; SameSite=Strict$/
  )
})

t.test('a code completes the sign-in, which is recorded with how it was proved', async (t) => {
  const { user, cookie, code } = await aUserWithApp(app)
  const login = await beginLogin(app, user, { cookie })
  const response = await verify(app, `${login}; ${cookie}`, { code: await code() })
  t.equal(response.statusCode, 200)
  t.match(response.json(), {
    user: { id: user.id },
    session: { assurance: 2, amr: ['pwd', 'otp', 'mfa'] }
  })
  const own = { cookie: cookieSet(response, 'session') ?? '' }
  t.match((await app.inject({ url: '/api/auth/me', headers: own })).json(), {
    session: { id: response.json().session.id, assurance: 2 }
  })
  t.ok(cookieSet(response, 'device'))
  t.match([response.headers['set-cookie']].flat().at(-1), /^portal_login=; Max-Age=0/)
  t.equal(
    (await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode,
    401,
    'the session in the request was replaced'
  )
  t.match(await activityOf(app.database, response.json().session.id), [
    { action: 'auth.login', actorId: user.id, details: { amr: ['pwd', 'otp', 'mfa'], replaced: 1 } }
  ])
  t.equal(problem(await verify(app, login, { code: await code(1) })), 'login-expired', 'again')
})

t.test('a code in a wrong form is rejected by its field, and costs no try', async (t) => {
  const { user, code } = await aUserWithApp(app)
  const login = await beginLogin(app, user)
  const right = await code()
  const fullWidth = right.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
  const arabic = right.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
  const forms = [fullWidth, arabic, '', right.slice(1), `${right}0`, ` ${right}`, `${right} `]
  for (const form of [
    ...forms,
    `${right}\n`,
    right.replace(/(..)/, '$1 '),
    right.replace(/(...)/, '$1  '),
    'abcdef',
    '12345a',
    '-12345',
    '1e5000',
    '\0'.repeat(6),
    Number(right),
    null,
    true,
    [right],
    { code: right }
  ]) {
    const refused = await verify(app, login, { code: form })
    t.equal(refused.statusCode, 400, JSON.stringify(form))
    t.match(refused.json().errors, [{ pointer: '/code' }])
  }
  for (const form of [null, 5, [], 'x'.repeat(65), '\0']) {
    const refused = await verify(app, login, { recoveryCode: form })
    t.match(refused.json(), { status: 400, errors: [{ pointer: '/recoveryCode' }] })
  }
  for (const body of [{}, { code: right, recoveryCode: 'x' }, { code: right, more: 1 }]) {
    t.equal((await verify(app, login, body)).statusCode, 400, JSON.stringify(body))
  }
  t.equal((await verify(app, login, { code: right })).statusCode, 200)
})

t.test(
  'without its cookie, with a wrong one or with two, there is no sign-in to complete',
  async (t) => {
    const { user, code } = await aUserWithApp(app)
    const login = await beginLogin(app, user)
    const right = await code()
    const other = `${login.slice(0, -1)}${login.endsWith('A') ? 'B' : 'A'}`
    for (const cookie of ['', 'portal_login=', other, `${login}; ${login}`, `${login}; ${other}`]) {
      const refused = await verify(app, cookie, { code: right })
      t.match(refused.json(), { status: 401, code: 'login-expired' }, cookie)
      t.equal(refused.headers['set-cookie'], undefined)
    }
    t.equal((await verify(app, login, { code: right })).statusCode, 200)
  }
)

t.test('a code is accepted once, and none that is older than the last one', async (t) => {
  const { user, code } = await aUserWithApp(app)
  const [now, next] = [await code(), await code(1)]
  t.equal((await verify(app, await beginLogin(app, user), { code: next })).statusCode, 200)
  for (const used of [next, now]) {
    const refused = await verify(app, await beginLogin(app, user), { code: used })
    t.match(refused.json(), { status: 401, code: 'invalid-code' })
  }
  await forgetCodes(db, user.id)
  const login = await beginLogin(app, user)
  for (const steps of [-20, 20]) {
    t.equal(problem(await verify(app, login, { code: await code(steps) })), 'invalid-code')
  }
  t.equal((await verify(app, login, { code: now })).statusCode, 200, 'only the order was wrong')
})

t.test('of two sign-ins with the same code at once one succeeds', async (t) => {
  const { user, code } = await aUserWithApp(app)
  const logins = [await beginLogin(app, user), await beginLogin(app, user)]
  const right = await code()
  const answers = await Promise.all(logins.map((login) => verify(app, login, { code: right })))
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 401])
})

t.test('one sign-in cannot be completed twice at once', async (t) => {
  const { user, code, recoveryCodes } = await aUserWithApp(app)
  const login = await beginLogin(app, user)
  const [recoveryCode] = recoveryCodes
  const answers = await Promise.all([
    verify(app, login, { code: await code() }),
    verify(app, login, { recoveryCode })
  ])
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 401])
})

t.test('the code that set up the app does not sign in', async (t) => {
  const { user, call } = await aConfirmedCaller(app)
  const { code } = await enrol(app, call)
  const login = await beginLogin(app, user)
  t.equal(problem(await verify(app, login, { code })), 'invalid-code')
  await forgetCodes(db, user.id)
  t.equal((await verify(app, login, { code })).statusCode, 200, 'only because it was used')
})

t.test('the fifth wrong code ends the sign-in', async (t) => {
  const { user, code } = await aUserWithApp(app)
  const login = await beginLogin(app, user)
  const right = await code()
  for (let i = 0; i < 5; i++) {
    const refused = await verify(app, login, { code: wrongOf(right) })
    t.match(refused.json(), { status: 401, code: 'invalid-code' })
    t.equal(refused.headers['set-cookie'], undefined)
  }
  t.equal(problem(await verify(app, login, { code: right })), 'login-expired')
  t.equal((await verify(app, await beginLogin(app, user), { code: right })).statusCode, 200)
  const failures = await db
    .select()
    .from(activity)
    .where(eq(activity.targetId, user.id))
    .then((rows) => rows.filter(({ action }) => action === 'auth.second-factor'))
  t.equal(failures.length, 5)
  t.match(failures[0], { outcome: 'failure', reason: 'wrong-code', actorId: user.id })
})

t.test('codes that are tried at once count like others', async (t) => {
  const { user, code } = await aUserWithApp(app)
  const login = await aPendingLogin(db, user)
  const wrong = wrongOf(await code())
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => verify(app, login, { code: wrong }))
  )
  const codes = answers.map(problem)
  t.equal(codes.filter((each) => each === 'invalid-code').length, 5)
  t.equal(codes.filter((each) => each === 'login-expired').length, 7)
})
