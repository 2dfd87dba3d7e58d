import { and, eq, gt, sql } from 'drizzle-orm'
import t from 'tap'
import { throttle } from '../../db/schema/throttle.ts'
import { users } from '../../db/schema/users.ts'
import { aUser, password, ownApp } from '../support/app.ts'
import { aConfirmedCaller, mailsOf } from '../support/mails.ts'
import {
  aPendingLogin,
  aUserWithApp,
  anAppFor,
  beginLogin,
  codeOf,
  cookieSet,
  verify,
  wrongOf
} from '../support/second-factors.ts'
import { count, times } from './attempts.ts'

// A stranger who knows the password guesses codes. No attempt becomes available during the tests.

const seconds = 3000
const app = await ownApp(t, {
  THROTTLE_SECOND_FACTOR: { burst: 5, seconds },
  TRUST_PROXY: ['127.0.0.1']
})
const { db } = app
const mails = mailsOf(app)

/** Guesses once in each of these sign-ins, at once. Returns the numbers of 401 and 429. */
async function guess(logins: string[], code: string) {
  const answers = await Promise.all(logins.map((login) => verify(app, login, { code })))
  const statuses = answers.map(({ statusCode }) => statusCode)
  return [count(statuses, 401), count(statuses, 429)]
}
const pending = (user: { id: string }, length: number) =>
  Promise.all(times(length, () => aPendingLogin(db, user)))

t.test('new sign-ins share the limit of the account', async (t) => {
  const { user, code } = await aUserWithApp(app)
  const [right, bystander] = [await code(), await aUserWithApp(app)]
  t.same(await guess(await pending(user, 12), wrongOf(right)), [5, 7])
  const login = await beginLogin(app, user)
  const refused = await verify(app, login, { code: right })
  t.match(refused.json(), { status: 429, code: 'rate-limited' })
  const [recoveryCode] = bystander.recoveryCodes
  t.equal((await verify(app, login, { recoveryCode })).statusCode, 429, 'as for recovery codes')
  t.ok(Number(refused.headers['retry-after']) > seconds - 300)
  const other = await beginLogin(app, bystander.user)
  t.equal((await verify(app, other, { code: await bystander.code() })).statusCode, 200)
})

t.test('the owner gets in from a known device while a stranger guesses', async (t) => {
  const { user, code } = await aUserWithApp(app)
  const known = await verify(app, await beginLogin(app, user), { code: await code() })
  const device = cookieSet(known, 'device') ?? ''
  const wrong = wrongOf(await code(1))
  t.same(await guess(await pending(user, 10), wrong), [5, 5])

  const own = async (right: string) => {
    const login = await beginLogin(app, user, { cookie: device })
    return (await verify(app, `${login}; ${device}`, { code: right })).statusCode
  }
  t.equal(await own(await code(1)), 200)
  t.same(await guess(await pending(user, 2), wrong), [0, 2], 'the stranger still does not')

  const stranger = await aUser(app.database)
  const foreign = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: stranger.email, password }
  })
  const forged = [cookieSet(foreign, 'device') ?? '', `${device.slice(0, -2)}AA`]
  for (const cookie of forged) {
    const [login = ''] = await pending(user, 1)
    t.equal((await verify(app, `${login}; ${cookie}`, { code: wrong })).statusCode, 429)
  }
})

t.test('a device of a thief from that time cannot keep the owner out', async (t) => {
  const { user, call } = await aConfirmedCaller(app)
  const login = { email: user.email, password }
  const old = await app.inject({ method: 'POST', url: '/api/auth/login', payload: login })
  const theirs = cookieSet(old, 'device') ?? ''
  const { secret } = (await call('POST', '/api/user/totp')).json() as { secret: string }
  const confirmed = await call('POST', '/api/user/totp/confirm', {
    code: await codeOf(db, secret)
  })
  const own = cookieSet(confirmed, 'device') ?? ''

  const wrong = wrongOf(await codeOf(db, secret, 1))
  const logins = await pending(user, 12)
  const answers = await guess(
    logins.map((each) => `${each}; ${theirs}`),
    wrong
  )
  t.same(answers, [5, 7], 'it counts as unknown')
  const code = await codeOf(db, secret, 1)
  const [mine = ''] = await pending(user, 1)
  t.equal((await verify(app, `${mine}; ${own}`, { code })).statusCode, 200)
})

t.test('requiring a second factor invalidates the known devices', async (t) => {
  const { user, call } = await aConfirmedCaller(app)
  await anAppFor(app, user, { secondFactor: false })
  const versionOf = async () =>
    (await db.select().from(users).where(eq(users.id, user.id)))[0]?.credentialVersion
  const before = (await versionOf()) ?? 0
  const set = (required: boolean) => call('PUT', '/api/user/second-factor', { required })
  const required = await set(true)
  t.ok(cookieSet(required, 'device')?.includes(`${user.id}.${before + 1}.`))
  const again = await set(true)
  t.same([again.statusCode, cookieSet(again, 'device')], [204, undefined])
  t.equal(await versionOf(), before + 1)
})

t.test('many devices from the time before the second factor do not add up', async (t) => {
  const user = await aUser(app.database)
  const devices = []
  for (let i = 0; i < 6; i++) {
    const login = await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'x-forwarded-for': `198.51.100.${i}` },
      payload: { email: user.email, password }
    })
    devices.push(cookieSet(login, 'device') ?? '')
  }
  await anAppFor(app, user)
  const statuses = []
  for (const device of devices) {
    for (const login of await pending(user, 6)) {
      const { statusCode } = await verify(app, `${login}; ${device}`, { code: '000000' })
      statuses.push(statusCode)
    }
  }
  t.same([count(statuses, 401), count(statuses, 429)], [20, 16], 'then they are slow together')
})

t.test('after twenty wrong codes guessing becomes slow, and the owner gets one mail', async (t) => {
  const { user, code } = await aUserWithApp(app)
  const wrong = wrongOf(await code())
  /** Moves the attempts so far back by enough time. */
  const letTimePass = () =>
    db
      .update(throttle)
      .set({ tat: sql`now()` })
      .where(and(eq(throttle.bucket, key), gt(throttle.tat, sql`now()`)))
  const [{ key } = { key: Buffer.alloc(0) }] = app.context.buckets.secondFactor(user.id, undefined)
  const guessOnce = async () => {
    const [login = ''] = await pending(user, 1)
    return (await verify(app, login, { code: wrong })).statusCode
  }
  for (let i = 1; i <= 22; i++) {
    t.equal(await guessOnce(), 401, `guess ${i}`)
    if (i === 19) t.notOk((await mails.kindsTo(user.email)).includes('second-factor-guessed'))
    await letTimePass()
  }
  const sent = (await mails.kindsTo(user.email)).filter((kind) => kind === 'second-factor-guessed')
  t.equal(sent.length, 1)

  t.equal(await guessOnce(), 401)
  t.equal(await guessOnce(), 429, 'one at a time')
  const [slow] = await db
    .select({ left: sql<number>`extract(epoch from ${throttle.tat} - now())::float8` })
    .from(throttle)
    .where(eq(throttle.bucket, key))
  t.ok((slow?.left ?? 0) > 29 * seconds, `${slow?.left} s until the next`)

  await letTimePass()
  // The refusal is remembered by the instance for a few seconds, so another device signs in.
  const cookie = (await signedInDevice(user)) ?? ''
  const login = await beginLogin(app, user, { cookie })
  t.equal((await verify(app, `${login}; ${cookie}`, { code: await code() })).statusCode, 200)
  const [bucket] = await db.select().from(throttle).where(eq(throttle.bucket, key))
  t.equal(bucket?.fails, 0, 'the sign-in of the owner ends it')
})

/** The cookie of a browser in which the user signed in. */
async function signedInDevice({ id }: { id: string }) {
  return `portal_device=${app.context.devices.issue({ id, credentialVersion: 1 })}`
}

t.test('a step-up counts in the same limit as a sign-in', async (t) => {
  const { user, call, code } = await aUserWithApp(app)
  const wrong = wrongOf(await code())
  for (let i = 0; i < 5; i++) {
    const refused = await call('POST', '/api/auth/reauthenticate', { code: wrong })
    t.match(refused.json(), { status: 403, code: 'wrong-code' })
  }
  t.equal((await call('POST', '/api/auth/reauthenticate', { code: wrong })).statusCode, 429)
  t.same(await guess(await pending(user, 3), wrong), [0, 3])
})

t.test('the right code returns its own charge and that of the password', async (t) => {
  const { user, code } = await aUserWithApp(app)
  const { buckets } = app.context
  const [guesses] = buckets.secondFactor(user.id, undefined)
  const account = buckets.account(user.email.toLowerCase())
  const left = async (key: Buffer) => {
    const [row] = await db
      .select({ busy: sql<boolean>`${throttle.tat} > clock_timestamp()`, fails: throttle.fails })
      .from(throttle)
      .where(eq(throttle.bucket, key))
    return row
  }
  const login = await beginLogin(app, user)
  t.match(await left(account.key), { busy: true, fails: 1 }, 'not yet')
  t.equal((await verify(app, login, { code: wrongOf(await code()) })).statusCode, 401)
  t.match(await left(guesses.key), { busy: true, fails: 1 })
  t.equal((await verify(app, login, { code: await code() })).statusCode, 200)
  t.match(await left(account.key), { busy: false, fails: 0 })
  t.match(await left(guesses.key), { fails: 0 })
})
