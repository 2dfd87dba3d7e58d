import { eq } from 'drizzle-orm'
import t from 'tap'
import { throttle } from '../../db/schema/throttle.ts'
import { aUser, freshEmail, password, ownApp } from '../support/app.ts'
import { aUserWithApp, beginLogin, cookieSet, verify, wrongOf } from '../support/second-factors.ts'
import { setFailures } from './attempts.ts'

// The owner of an account can sign in from a known browser, whatever others try.

const budget = (burst: number) => ({ burst, seconds: 60 })
const app = await ownApp(t, {
  THROTTLE_LOGIN_PAIR: budget(3),
  THROTTLE_LOGIN_SOURCE: budget(5),
  THROTTLE_LOGIN_ACCOUNT: budget(30),
  THROTTLE_LOGIN_DEVICE: budget(3),
  TRUST_PROXY: ['127.0.0.1']
})
let addresses = 0
const anAddress = () => `198.51.100.${++addresses}`
const login = async (email: string, secret: string, { ip = anAddress(), cookie = '' } = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'x-forwarded-for': ip, cookie },
    payload: { email, password: secret }
  })
const aDevice = async (email: string) => {
  const { headers } = await login(email, password)
  return String([headers['set-cookie']].flat()[1]).split(';')[0] ?? ''
}
const wrong = 'not this one'

t.test('a known device can sign in from an address that has reached its limit', async (t) => {
  const { email } = await aUser(app.database)
  const cookie = await aDevice(email)
  const ip = anAddress()
  for (let i = 0; i < 5; i++) {
    t.equal((await login(freshEmail(), wrong, { ip })).statusCode, 401)
  }
  t.equal((await login(email, password, { ip })).statusCode, 429, 'without the device')
  t.equal((await login(email, password, { ip, cookie })).statusCode, 200)
  const other = await aUser(app.database)
  t.equal(
    (await login(other.email, password, { ip, cookie })).statusCode,
    429,
    'for another account'
  )
})

t.test('wrong passwords from a known device count towards its own limit only', async (t) => {
  const { email } = await aUser(app.database)
  const cookie = await aDevice(email)
  const ip = anAddress()
  for (let i = 0; i < 3; i++) t.equal((await login(email, wrong, { ip, cookie })).statusCode, 401)
  t.equal((await login(email, password, { ip, cookie })).statusCode, 429)
  t.equal((await login(email, password, { ip })).statusCode, 200)
})

t.test('a login from a known device ends the slow mode of the account', async (t) => {
  const { email } = await aUser(app.database)
  const cookie = await aDevice(email)
  const bucket = app.context.buckets.account(email)
  await setFailures(app.db, bucket, 100)
  t.equal((await login(email, wrong)).statusCode, 401)
  t.equal((await login(email, password)).statusCode, 429, 'one try an hour')
  t.equal((await login(email, password, { cookie })).statusCode, 200)
  for (let i = 0; i < 2; i++) await login(email, wrong)
  const [row] = await app.db.select().from(throttle).where(eq(throttle.bucket, bucket.key))
  t.ok((row?.fails ?? 100) < 100)
})

const nonceOf = (cookie: string) => app.context.devices.read(cookie.split('=')[1])?.nonce

t.test('after a hundred failures in a row a known device is slow until it signs in', async (t) => {
  const { email } = await aUser(app.database)
  const cookie = await aDevice(email)
  const [own] = app.context.buckets.login(email, undefined, nonceOf(cookie))
  await setFailures(app.db, own, 100)
  t.equal((await login(email, wrong, { cookie })).statusCode, 401)
  const refused = await login(email, password, { cookie })
  t.equal(refused.statusCode, 429)
  const wait = Number(refused.headers['retry-after'])
  t.ok(wait > 60 && wait <= 1800, `${wait} seconds`)
  await setFailures(app.db, own, 100)
  t.equal((await login(email, password, { cookie })).statusCode, 200)
  t.equal((await login(email, wrong, { cookie })).statusCode, 401)
})

t.test(
  'all known devices of an account share a limit, which other devices cannot use up',
  async (t) => {
    const user = await aUser(app.database)
    const another = () =>
      `portal_device=${app.context.devices.issue({ id: user.id, credentialVersion: 1 })}`
    const [, common] = app.context.buckets.login(user.email, undefined, 'any device')
    await setFailures(app.db, common, 100)
    t.equal((await login(user.email, wrong)).statusCode, 401, 'a stranger')
    const foreign = await aDevice((await aUser(app.database)).email)
    t.equal(
      (await login(user.email, wrong, { cookie: foreign })).statusCode,
      401,
      'a device of others'
    )
    t.equal((await login(user.email, wrong, { cookie: another() })).statusCode, 401)
    t.equal((await login(user.email, password, { cookie: another() })).statusCode, 429)
    await setFailures(app.db, common, 100)
    t.equal((await login(user.email, password, { cookie: another() })).statusCode, 200)
    t.equal(
      (await login(user.email, wrong, { cookie: another() })).statusCode,
      401,
      'after a login'
    )
  }
)

t.test('all known devices of an account share a limit of codes', async (t) => {
  const { user, code } = await aUserWithApp(app)
  const attempt = async (code: string, device = '') =>
    verify(app, `${await beginLogin(app, user)}; ${device}`, { code })
  const device = cookieSet(await attempt(await code()), 'device') ?? ''
  const [, common] = app.context.buckets.secondFactor(user.id, nonceOf(device))
  await setFailures(app.db, common, 20)
  const next = await code(1)
  t.equal((await attempt(wrongOf(next), device)).statusCode, 401)
  t.equal((await attempt(next, device)).statusCode, 429)
  t.equal((await attempt(next)).statusCode, 200, 'from another device')
})
