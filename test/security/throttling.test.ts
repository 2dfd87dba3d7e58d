import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { activity } from '../../db/schema/activity.ts'
import { throttle } from '../../db/schema/throttle.ts'
import { hmac } from '../../src/domain/crypto.ts'
import { resetThrottle } from '../../src/domain/throttling/cleanup.ts'
import {
  aCaller,
  activityOf,
  aUser,
  freshEmail,
  onPglite,
  operator,
  password,
  testApp,
  testConfig,
  testDatabaseUrl,
  until
} from '../helpers.ts'

// So slow that no attempt becomes available during a test, even on a busy machine.
const budgets = {
  THROTTLE_LOGIN_PAIR: { burst: 10, seconds: 3000 },
  THROTTLE_LOGIN_SOURCE: { burst: 15, seconds: 500 },
  THROTTLE_LOGIN_ACCOUNT: { burst: 12, seconds: 120 },
  THROTTLE_LOGIN_DEVICE: { burst: 10, seconds: 3000 },
  THROTTLE_REGISTER: { burst: 4, seconds: 6000 },
  THROTTLE_PASSWORD: { burst: 3, seconds: 6000 },
  TRUST_PROXY: ['127.0.0.1']
}
/** One server for all tests, each of which has its own accounts and addresses. */
const app = await testApp(t, budgets)

let addresses = 0
const anAddress = () => `198.51.100.${++addresses}`

interface Try {
  email: string
  password?: string
  ip?: string
  cookie?: string
  on?: FastifyInstance
}
const login = async ({
  email,
  password = 'not this one',
  ip = '198.51.100.250',
  cookie,
  on = app
}: Try) =>
  on.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'x-forwarded-for': ip, ...(cookie && { cookie }) },
    payload: { email, password }
  })
const statuses = async (tries: Promise<{ statusCode: number }>[]) =>
  (await Promise.all(tries)).map((response) => response.statusCode)
const count = (found: number[], status: number) => found.filter((each) => each === status).length
const times = <T>(length: number, make: (i: number) => T) =>
  Array.from({ length }, (_, i) => make(i))
const use = async (t: Test, found: Promise<number[]>, admitted: number, of: number) => {
  const all = await found
  t.same([count(all, 401), count(all, 429)], [admitted, of - admitted])
}
/** Signs in and returns the device cookie. */
const aDevice = async (email: string, secret = password) => {
  const response = await login({ email, password: secret, ip: anAddress() })
  return deviceOf(response)
}
function deviceOf({ headers }: { headers: Record<string, unknown> }) {
  return String([headers['set-cookie']].flat()[1]).split(';')[0] ?? ''
}

t.test(
  'of fifty concurrent wrong passwords from one address exactly the burst is admitted, and the refusal says when to retry',
  async (t) => {
    const { email } = await aUser(app.database)
    const ip = anAddress()
    await use(t, statuses(times(50, () => login({ email, ip }))), 10, 50)
    const refused = await login({ email, ip, password })
    t.equal(refused.statusCode, 429, 'the right password as well')
    t.match(refused.json(), { code: 'rate-limited', status: 429 })
    const wait = Number(refused.headers['retry-after'])
    t.ok(wait > 2000 && wait <= 3000, `${wait} seconds`)
    t.equal(
      (await login({ email, ip: anAddress(), password })).statusCode,
      200,
      'from elsewhere it is another matter'
    )
  }
)

t.test('unknown accounts are counted and rejected like existing ones', async (t) => {
  const [nobody, somebody] = [freshEmail(), (await aUser(app.database)).email]
  const [ip, other] = [anAddress(), anAddress()]
  await use(t, statuses(times(20, () => login({ email: nobody, ip }))), 10, 20)
  await use(t, statuses(times(20, () => login({ email: somebody, ip: other }))), 10, 20)
  const strip = ({ instance, detail, ...problem }: { instance: string; detail: string }) => ({
    ...problem,
    detail: detail.replace(/\d+/, 'some')
  }) // a second may have passed between the two
  t.same(
    strip((await login({ email: nobody, ip })).json()),
    strip((await login({ email: somebody, ip: other })).json())
  )
})

t.test('other spellings of an e-mail address count for the same account', async (t) => {
  const { email } = await aUser(app.database, freshEmail())
  const ip = anAddress()
  await use(
    t,
    statuses(times(20, (i) => login({ email: i % 2 ? email.toUpperCase() : email, ip }))),
    10,
    20
  )
})

t.test(
  'many addresses share the limit of an account, while its owner signs in from a known device',
  async (t) => {
    const { email } = await aUser(app.database)
    const cookie = await aDevice(email)
    await use(t, statuses(times(50, () => login({ email, ip: anAddress() }))), 12, 50)
    t.equal(
      (await login({ email, password, ip: anAddress() })).statusCode,
      429,
      'without a known device'
    )
    t.equal((await login({ email, password, ip: anAddress(), cookie })).statusCode, 200)
  }
)

t.test(
  'a user who shares an address with an attacker can sign in from a known device',
  async (t) => {
    const { email } = await aUser(app.database)
    const cookie = await aDevice(email)
    const ip = anAddress()
    await use(t, statuses(times(20, () => login({ email, ip }))), 10, 20)
    t.equal((await login({ email, password, ip, cookie })).statusCode, 200)
  }
)

t.test('a known device has a limit as well', async (t) => {
  const { email } = await aUser(app.database)
  const cookie = await aDevice(email)
  await use(t, statuses(times(20, () => login({ email, ip: anAddress(), cookie }))), 10, 20)
})

t.test(
  'a device cookie is valid for its own account, until the password changes, and if unchanged',
  async (t) => {
    const {
      user: { email },
      call
    } = await aCaller(app)
    const cookie = await aDevice(email)
    const foreign = await aDevice((await aUser(app.database)).email)
    await use(t, statuses(times(12, () => login({ email, ip: anAddress() }))), 12, 12)
    const from = (cookie: string, password: string) =>
      login({ email, password, ip: anAddress(), cookie })
    t.equal((await from(foreign, password)).statusCode, 429, "another account's")
    for (const forged of [
      `${cookie}x`,
      cookie.replace(/.$/, cookie.endsWith('A') ? 'g' : 'A'),
      cookie.replace(/=(.)/, (_, first) => (first === '_' ? '=A' : '=_')),
      `${cookie}; ${cookie}`,
      'portal_device=',
      'portal_device=.'
    ]) {
      t.equal((await from(forged, password)).statusCode, 429, forged.slice(-30))
    }
    t.equal((await from(cookie, password)).statusCode, 200)
    const changed = await call('PUT', '/api/user/password', {
      currentPassword: password,
      newPassword: 'another horse battery'
    })
    t.equal(
      (await from(cookie, 'another horse battery')).statusCode,
      429,
      'after a password change'
    )
    t.equal(
      (await from(deviceOf(changed), 'another horse battery')).statusCode,
      200,
      'but for the browser that changed it'
    )
  }
)

t.test('one address has a limit for all accounts together', async (t) => {
  const ip = anAddress()
  await use(t, statuses(times(40, () => login({ email: freshEmail(), ip }))), 15, 40)
})

t.test('an IPv6 /64 counts as one client, and a /48 has ten times its limit', async (t) => {
  await use(
    t,
    statuses(times(20, (i) => login({ email: freshEmail(), ip: `2001:db8:1:1::${i + 1}` }))),
    15,
    20
  )
  t.equal(
    (await login({ email: freshEmail(), ip: '2001:db8:1:2::1' })).statusCode,
    401,
    'its neighbour'
  )
  await use(
    t,
    statuses(
      times(16, (i) => login({ email: freshEmail(), ip: `::ffff:203.0.113.${i % 2 ? '7' : '8'}` }))
    ),
    16,
    16
  )
  await use(
    t,
    statuses(
      times(20, (i) =>
        login({ email: freshEmail(), ip: i % 2 ? '::ffff:203.0.113.9' : '203.0.113.9' })
      )
    ),
    15,
    20
  )
})

t.test('forged forwarding headers have no effect without a trusted proxy', async (t) => {
  const direct = await testApp(t, { ...budgets, TRUST_PROXY: [] })
  const { email } = await aUser(direct.database)
  await use(t, statuses(times(20, () => login({ email, ip: anAddress(), on: direct }))), 10, 20)
})

t.test('a success returns its own attempt and the failed ones before it', async (t) => {
  const { email } = await aUser(app.database)
  const ip = anAddress()
  for (let round = 0; round < 30; round++) {
    t.equal((await login({ email, password, ip })).statusCode, 200)
  }
  await use(t, statuses(times(9, () => login({ email, ip }))), 9, 9)
  t.equal((await login({ email, password, ip })).statusCode, 200)
  await use(t, statuses(times(5, () => login({ email, ip }))), 1, 5)
})

t.test('a success clears the failures of the account, but not those of the address', async (t) => {
  const { email } = await aUser(app.database)
  const ip = anAddress()
  const failures = async () =>
    (await app.db.select().from(throttle))
      .flatMap(({ bucket, fails }) => {
        const found = app.services.buckets
          .login(email, ip, undefined)
          .find(({ key }) => key.equals(bucket))
        return found ? [`${found.limit} ${fails}`] : []
      })
      .sort()
  for (let i = 0; i < 3; i++) await login({ email, ip })
  t.same(await failures(), ['login-account 3', 'login-pair 3', 'login-source 3'])
  t.equal((await login({ email, password, ip })).statusCode, 200)
  t.same(await failures(), ['login-account 0', 'login-pair 0', 'login-source 3'])
})

t.test('a rejected attempt does not count towards other limits', async (t) => {
  const { email } = await aUser(app.database)
  const ip = anAddress()
  await use(t, statuses(times(30, () => login({ email, ip }))), 10, 30)
  await use(t, statuses(times(10, () => login({ email: freshEmail(), ip }))), 5, 10)
})

t.test(
  'after a hundred failures in a row an account has one attempt an hour until its owner or an operator acts',
  async (t) => {
    const { id, email } = await aUser(app.database)
    const cookie = await aDevice(email)
    const bucket = app.services.buckets.account(email)
    const after = async (fails: number) => {
      await app.db
        .insert(throttle)
        .values({ bucket: bucket.key, tat: new Date(), fails })
        .onConflictDoUpdate({ target: throttle.bucket, set: { tat: new Date(), fails } })
      return statuses(times(10, () => login({ email, ip: anAddress() })))
    }
    t.equal(count(await after(50), 401), 10)
    t.equal(count(await after(100), 401), 1, 'and the switch itself hands out nothing')
    const refused = await login({ email, password, ip: anAddress() })
    const wait = Number(refused.headers['retry-after'])
    t.ok(wait > 3500 && wait <= 3600, `${wait} seconds`)
    t.equal(
      (await login({ email, password, ip: anAddress(), cookie })).statusCode,
      200,
      'the owner, from a known device'
    )
    await resetThrottle(app.db, operator, {
      userId: id,
      keys: app.services.buckets.keysOf(email, id)
    })
    t.equal(
      (await login({ email, password, ip: anAddress() })).statusCode,
      200,
      'any caller, after the reset'
    )
    t.ok(
      (await activityOf(app.database, id)).some(
        ({ action, actorType }) => action === 'throttle.reset' && actorType === 'cli'
      )
    )
  }
)

t.test('registrations count per address, whether they succeed or not', async (t) => {
  const ip = anAddress()
  const taken = (await aUser(app.database)).email
  const found = await statuses(
    times(12, (i) =>
      app.inject({
        method: 'POST',
        url: '/api/auth/register',
        headers: { 'x-forwarded-for': ip },
        payload: { email: i % 2 ? taken : freshEmail(), password, name: 'Ada' }
      })
    )
  )
  t.equal(count(found, 429), 8)
  t.equal(count(found, 201) + count(found, 409), 4)
})

t.test('no route lets a stolen session guess the password', async (t) => {
  const { call } = await aCaller(app)
  const wrong = { currentPassword: 'not this one' }
  const found = await statuses([
    ...times(3, () =>
      call('PUT', '/api/user/password', { ...wrong, newPassword: 'another horse battery' })
    ),
    ...times(3, () => call('PUT', '/api/user/email', { ...wrong, email: freshEmail() })),
    ...times(3, () => call('POST', '/api/user/deletion', wrong))
  ])
  t.same([count(found, 403), count(found, 429)], [3, 6])
})

t.test(
  'a refusal is recorded at once with account and limit, and then once a minute',
  async (t) => {
    const user = await aUser(app.database)
    const ip = anAddress()
    await statuses(times(25, () => login({ email: user.email, ip })))
    const limited = async () =>
      (await activityOf(app.database, user.id)).filter(
        ({ action }) => action === 'throttle.limited'
      )
    await until(async () => (await limited()).length > 0)
    const records = await limited()
    t.match(records, [
      {
        outcome: 'failure',
        reason: 'rate-limited',
        ip,
        details: { limit: 'login-pair', route: 'POST /api/auth/login' }
      }
    ])
  }
)

t.test(
  'the table contains neither addresses nor e-mails nor values that can be guessed without the key',
  async (t) => {
    const { email } = await aUser(app.database)
    const ip = anAddress()
    await login({ email, ip })
    const names = (await app.db.select().from(throttle)).map(({ bucket }) => Buffer.from(bucket))
    t.ok(names.every((name) => name.length === 32))
    t.notOk(names.some((name) => name.equals(hmac('sha256', '', `login-account\0${email}`))))
    t.ok(names.some((name) => name.equals(app.services.buckets.account(email).key)))
  }
)

t.test('when the limits cannot be read, no one is signed in', async (t) => {
  const broken = await testApp(t, budgets)
  const { email } = await aUser(broken.database)
  await broken.db.execute('alter table throttle rename to elsewhere')
  const response = await login({ email, password, on: broken })
  t.ok(response.statusCode >= 500, String(response.statusCode))
  t.equal(response.headers['set-cookie'], undefined)
})

t.test(
  'two servers on one database count together',
  { skip: onPglite && 'one process only' },
  async (t) => {
    const url = await testDatabaseUrl(t)
    const SECRET_KEYS = testConfig().SECRET_KEYS
    const servers = await Promise.all(
      times(2, async () =>
        testApp(t, { ...budgets, SECRET_KEYS }, await openDatabase(url, { poolMax: 5 }))
      )
    )
    const [one, two] = servers as [FastifyInstance, FastifyInstance]
    const { email } = await aUser(one.database)
    const device = deviceOf(await login({ email, password, ip: anAddress(), on: one }))
    const ip = anAddress()
    await use(t, statuses(times(50, (i) => login({ email, ip, on: i % 2 ? one : two }))), 10, 50)
    t.equal(
      (await login({ email, password, ip, cookie: device, on: two })).statusCode,
      200,
      'the owner, from a device that the other server knows'
    )
    const limited = () => one.db.$count(activity, eq(activity.action, 'throttle.limited'))
    await until(async () => (await limited()) >= 2)
    await Promise.all(servers.map((server) => server.close()))
    const database = await openDatabase(url)
    t.teardown(() => database.close())
    t.equal(
      await database.db.$count(
        activity,
        and(eq(activity.action, 'throttle.limited'), sql`not ${activity.details} ? 'count'`)
      ),
      2,
      'each server records its first'
    )
  }
)
