import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { sessions } from '../../../db/schema/sessions.ts'
import { throttle } from '../../../db/schema/throttle.ts'
import { users } from '../../../db/schema/users.ts'
import { changeEmail } from '../../../src/domain/accounts/emails.ts'
import { asUser } from '../../../src/domain/actor.ts'
import { createBulkhead } from '../../../src/domain/bulkhead.ts'
import { overloaded } from '../../../src/domain/errors.ts'
import { compare } from '../../../src/domain/passwords/comparison.js'
import { createPasswords } from '../../../src/domain/passwords/passwords.ts'
import { createAttemptQueue } from '../../../src/domain/throttling/admission.ts'
import {
  anonymous,
  aUser,
  freshEmail,
  password,
  passwords as quickPasswords,
  servicesOf,
  testDatabase,
  until
} from '../../support/app.ts'
import { signIn, tokenHashOf } from '../../support/sign-in.ts'
import { withoutSlack } from '../../support/slack.ts'

// One self-registered account, with a device cookie from each of many logins, against all others.

const database = await testDatabase(t)
const { db } = database

/** A server with two threads. Comparisons with the hash of `email` last until they are released. */
async function aServer() {
  let held: string | undefined
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const bulkhead = createBulkhead({ running: 2, waiting: 16, maxWait: 3000 })
  const passwords = createPasswords({
    minLength: 8,
    cost: 4,
    bulkhead,
    hashing: {
      hash: async () => {
        throw new Error('not used')
      },
      async verify(password, hash, work) {
        if (hash === held) await released
        return compare({ password, hash, work })
      }
    }
  })
  const services = { ...servicesOf(database), passwords, attempts: createAttemptQueue(2) }
  const login = (email: string, ip: string, device?: string) =>
    signIn(services, { ...anonymous, ip }, { email, password, device, presented: [] })
  const hold = async (email: string) => {
    held = await quickPasswords.hash(password) // of no other user
    await db.update(users).set({ passwordHash: held }).where(eq(users.email, email))
  }
  return { services, bulkhead, login, hold, release }
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'success',
    ({ code }) => code as string
  )
const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i))

t.test('logins to one account from many known devices leave room for others', async (t) => {
  const { bulkhead, login, hold, release } = await aServer()
  t.teardown(release)
  const attacker = await aUser(database)
  const [owner, stranger] = [await aUser(database), await aUser(database)]
  const { device } = await login(owner.email, '198.51.100.1')
  const devices: string[] = []
  for (let i = 0; i < 20; i++) devices.push((await login(attacker.email, '203.0.113.1')).device)
  await hold(attacker.email)
  const flood = devices.map((each) => codeOf(login(attacker.email, '203.0.113.1', each)))
  await until(() => bulkhead.load().running === 1)
  const answers = []
  for (let i = 0; i < 6; i++) {
    answers.push(await codeOf(login(stranger.email, '198.51.100.2')))
    answers.push(await codeOf(login(owner.email, '198.51.100.1', device)))
  }
  t.same(
    answers,
    times(12, () => 'success')
  )
  t.same(bulkhead.load(), { running: 1, waiting: 0 }, 'the flood has one comparison')
  release()
  await Promise.all(flood)
})

t.test('password checks of one signed-in user leave room for others', async (t) => {
  const { services, bulkhead, login, hold, release } = await aServer()
  t.teardown(release)
  const [attacker, stranger] = [await aUser(database), await aUser(database)]
  const { session, secret, user } = await login(attacker.email, '203.0.113.1')
  const tokenHash = tokenHashOf({ secret })
  const self = { ...asUser(anonymous, user), sessionId: session.id, tokenHash }
  await hold(attacker.email)
  const input = { email: attacker.email, currentPassword: password }
  const flood = times(10, () => codeOf(changeEmail(services, self, input)))
  await until(() => bulkhead.load().running === 1)
  for (let i = 0; i < 6; i++) {
    t.equal(await codeOf(login(stranger.email, '198.51.100.2')), 'success')
  }
  t.same(bulkhead.load(), { running: 1, waiting: 0 })
  release()
  await Promise.all(flood)
})

/** The number of database reads during `work`. */
async function reads(t: Test, work: () => Promise<unknown>) {
  const calls = t.capture(db, 'select', db.select)
  await work()
  calls.restore()
  return calls().length
}

t.test('when no hash can run, a forged device cookie is rejected without a read', async (t) => {
  const { services, bulkhead, login } = await aServer()
  const { email, id } = await aUser(database)
  const { device } = await login(email, '198.51.100.3')
  const full = {
    ...services,
    passwords: {
      ...services.passwords,
      assertRoom: () => {
        throw overloaded()
      }
    }
  }
  const wrong = (device?: string) =>
    reads(t, () =>
      codeOf(signIn(full, anonymous, { email, password: 'not this one', device, presented: [] }))
    )
  t.ok((await wrong(device)) > 0, 'a genuine one')
  const ofOtherKey = servicesOf(database).devices.issue({ id, credentialVersion: 1 })
  const short = `${randomBytes(16).toString('base64url')}.${'A'.repeat(43)}`
  for (const forged of ['x', `${device}x`, ofOtherKey, short]) {
    t.equal(await wrong(forged), 0, forged)
  }
  t.same(bulkhead.load(), { running: 0, waiting: 0 })
})

t.test(
  'with a device cookie, unknown addresses take as many reads as other accounts',
  async (t) => {
    const { login, services } = await aServer()
    const { device } = await login((await aUser(database)).email, '198.51.100.4')
    const wrong = (email: string) =>
      reads(t, () =>
        codeOf(
          signIn(services, anonymous, { email, password: 'not this one', device, presented: [] })
        )
      )
    const { email } = await aUser(database)
    t.equal(await wrong(freshEmail()), await wrong(email))
  }
)

t.test('a login whose caller no longer waits starts no session and is not counted', async (t) => {
  withoutSlack(t)
  const { services } = await aServer()
  const { email } = await aUser(database)
  const real = performance.now.bind(performance)
  let late = 0
  t.capture(performance, 'now', () => real() + late)
  const passwords = {
    ...services.passwords,
    async verify(...args: Parameters<typeof services.passwords.verify>) {
      const matches = await services.passwords.verify(...args)
      late = 13_000
      return matches
    }
  }
  const before = await db.$count(sessions)
  const tried = signIn({ ...services, passwords }, anonymous, { email, password, presented: [] })
  t.equal(await codeOf(tried), 'overloaded')
  t.equal(await db.$count(sessions), before)
  const rows = await db.select().from(throttle)
  const account = rows.find(({ bucket }) => services.buckets.account(email).key.equals(bucket))
  t.equal(account?.fails, 0)
})
