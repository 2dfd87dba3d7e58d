import { eq } from 'drizzle-orm'
import t from 'tap'
import { throttle } from '../../db/schema/throttle.ts'
import { aUser, freshEmail, password, testApp } from '../helpers.ts'

// The owner of an account signs in from a browser that did so before, whatever others try.

const budget = (burst: number) => ({ burst, seconds: 60 })
const app = await testApp(t, {
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

t.test('a known device signs in from an address whose limit others have reached', async (t) => {
  const { email } = await aUser(app.database)
  const cookie = await aDevice(email)
  const ip = anAddress()
  for (let i = 0; i < 5; i++) {
    t.equal((await login(freshEmail(), wrong, { ip })).statusCode, 401)
  }
  t.equal((await login(email, password, { ip })).statusCode, 429, 'without the device')
  t.equal((await login(email, password, { ip, cookie })).statusCode, 200)
  const other = await aUser(app.database)
  t.equal((await login(other.email, password, { ip, cookie })).statusCode, 429, 'for another account')
})

t.test('wrong passwords from a known device count for its own budget only', async (t) => {
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
  const set = { tat: new Date(), fails: 100 }
  await app.db.insert(throttle).values({ bucket: app.buckets.account(email).key, ...set })
    .onConflictDoUpdate({ target: throttle.bucket, set })
  t.equal((await login(email, wrong)).statusCode, 401)
  t.equal((await login(email, password)).statusCode, 429, 'one try an hour')
  t.equal((await login(email, password, { cookie })).statusCode, 200)
  for (let i = 0; i < 2; i++) await login(email, wrong)
  const { key } = app.buckets.account(email)
  const [row] = await app.db.select().from(throttle).where(eq(throttle.bucket, key))
  t.ok((row?.fails ?? 100) < 100)
})
