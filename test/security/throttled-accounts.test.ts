import t from 'tap'
import { throttle } from '../../db/schema/throttle.ts'
import { hmac } from '../../src/domain/crypto.ts'
import { resetLimits } from '../../src/domain/administration/obstacles.ts'
import { activityOf, aUser, operator, password, until } from '../support/app.ts'
import { attemptsOn, count, setFailures, statuses, times, use } from './attempts.ts'

const { app, anAddress, login, aDevice } = await attemptsOn(t)

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
        const found = app.context.buckets
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

t.test(
  'after a hundred failures in a row an account has one attempt an hour until its owner or an operator acts',
  async (t) => {
    const { id, email } = await aUser(app.database)
    const cookie = await aDevice(email)
    const bucket = app.context.buckets.account(email)
    const after = async (fails: number) => {
      await setFailures(app.db, bucket, fails)
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
    await resetLimits(app.context, operator, { userId: id })
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
    t.ok(names.some((name) => name.equals(app.context.buckets.account(email).key)))
  }
)
