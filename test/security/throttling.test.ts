import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { activity } from '../../db/schema/activity.ts'
import {
  aCaller,
  aUser,
  freshEmail,
  onPglite,
  ownApp,
  password,
  testDatabaseUrl,
  until
} from '../support/app.ts'
import { testConfig } from '../support/test-config.ts'
import { attemptsOn, budgets, count, deviceOf, statuses, times, use } from './attempts.ts'

const { app, anAddress, login } = await attemptsOn(t)

t.test(
  'of fifty concurrent wrong passwords from one address, the portal compares exactly the burst and rejects the rest with a Retry-After',
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
  const direct = await ownApp(t, { ...budgets, TRUST_PROXY: [] })
  const { email } = await aUser(direct.database)
  await use(t, statuses(times(20, () => login({ email, ip: anAddress(), on: direct }))), 10, 20)
})

t.test('a rejected attempt does not count towards other limits', async (t) => {
  const { email } = await aUser(app.database)
  const ip = anAddress()
  await use(t, statuses(times(30, () => login({ email, ip }))), 10, 30)
  await use(t, statuses(times(10, () => login({ email: freshEmail(), ip }))), 5, 10)
})

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
  const accepted = count(found, 201) + count(found, 409)
  // From half of the limit on, a call that comes after the others needs a challenge first.
  t.ok(accepted >= 2 && accepted <= 4, `${accepted} accepted`)
  t.equal(count(found, 428) + count(found, 429), 12 - accepted)
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

t.test('when the limits cannot be read, no one is signed in', async (t) => {
  const broken = await ownApp(t, budgets)
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
        ownApp(t, { ...budgets, SECRET_KEYS }, await openDatabase(url, { poolMax: 5 }))
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
