import { randomUUID } from 'node:crypto'
import { hash } from '@node-rs/bcrypt'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { activity } from '../../../db/schema/activity.ts'
import { epochs, userScope } from '../../../db/schema/epochs.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { createBulkhead } from '../../../src/domain/passwords/bulkhead.ts'
import { createPasswords } from '../../../src/domain/passwords/passwords.ts'
import { hashSecret } from '../../../src/domain/sessions/sessions.ts'
import { signIn } from '../../../src/domain/accounts/sign-in.ts'
import {
  anonymous,
  aUser,
  servicesOf,
  password,
  passwords,
  passwordsOf,
  rules,
  testDatabase,
  testDatabaseUrl
} from '../../helpers.ts'
import { sealing } from '../outbox/parts.ts'

const database = await testDatabase(t)
const { db } = database
const services = servicesOf(database)
const login = (email: string, changes = {}) =>
  signIn({ ...services, sessionRules: { ...rules, ...changes } }, anonymous, {
    email,
    password,
    presented: []
  })
const live = (userId: string) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt)))
    .orderBy(desc(sessions.id))
const epoch = async (userId: string) =>
  (
    await db
      .select()
      .from(epochs)
      .where(eq(epochs.scope, userScope(userId)))
  )[0]?.value

t.test('the secret of a session is 256 random bits, stored as a hash only', async (t) => {
  const user = await aUser(database)
  const { session, secret } = await login(user.email)
  t.equal(Buffer.from(secret, 'base64url').length, 32)
  const [row] = await db.select().from(sessions).where(eq(sessions.id, session.id))
  t.same(Buffer.from(row?.tokenHash ?? []), Buffer.from(hashSecret(secret)))
  t.not((await login(user.email)).secret, secret)
})

for (const [what, change] of [
  ['whose password changes', { credentialVersion: sql`${users.credentialVersion} + 1` }],
  ['who is deactivated', { status: 'deactivated' as const }]
] as const) {
  t.test(`a user ${what} while the login hashes is not signed in`, async (t) => {
    const user = await aUser(database)
    const meanwhile = {
      ...passwords,
      verify: async (...args: Parameters<typeof passwords.verify>) => {
        const matches = await passwords.verify(...args)
        await db.update(users).set(change).where(eq(users.id, user.id))
        return matches
      }
    }
    await t.rejects(
      signIn({ ...services, passwords: meanwhile }, anonymous, {
        email: user.email,
        password,
        presented: []
      }),
      { code: 'invalid-credentials' }
    )
    t.equal((await live(user.id)).length, 0)
    const [record] = await db
      .select()
      .from(activity)
      .where(and(eq(activity.targetId, user.id), eq(activity.action, 'auth.login')))
    t.match(record, { outcome: 'failure', reason: 'changed-meanwhile' })
  })
}

t.test('beyond the limit the oldest sessions are ended, which is recorded', async (t) => {
  const user = await aUser(database)
  const ids = []
  for (let i = 0; i < 4; i++) ids.push((await login(user.email, { maxPerUser: 2 })).session.id)
  t.same((await live(user.id)).map((row) => row.id).sort(), ids.slice(2).sort())
  const gone = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, user.id), eq(sessions.revokeReason, 'session-limit')))
  t.same(gone.map((row) => row.id).sort(), ids.slice(0, 2).sort())
  const records = await db
    .select()
    .from(activity)
    .where(and(eq(activity.actorId, user.id), eq(activity.action, 'session.limit')))
  t.same(records.map((record) => record.targetId).sort(), ids.slice(0, 2).sort())
})

t.test('the limit holds for concurrent logins', async (t) => {
  const user = await aUser(database)
  await Promise.all(Array.from({ length: 12 }, () => login(user.email, { maxPerUser: 3 })))
  t.equal((await live(user.id)).length, 3)
})

t.test('ended sessions do not count towards the limit', async (t) => {
  const user = await aUser(database)
  const first = await login(user.email)
  await db
    .update(sessions)
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where(eq(sessions.id, first.session.id))
  const second = await login(user.email, { maxPerUser: 2 })
  await login(user.email, { maxPerUser: 2 })
  t.ok((await live(user.id)).some((row) => row.id === second.session.id))
})

t.test('a login bumps the scope of its user only when it ends a session', async (t) => {
  const user = await aUser(database)
  const before = await epoch(user.id)
  const { secret } = await login(user.email)
  t.equal(await epoch(user.id), before)
  await signIn(services, anonymous, {
    email: user.email,
    password,
    presented: [hashSecret(secret)]
  })
  t.not(await epoch(user.id), before)
})

t.test('a login renews a hash of lower cost without ending sessions', async (t) => {
  const user = await aUser(database)
  const { session } = await login(user.email)
  const stronger = passwordsOf(5)
  await signIn({ ...services, passwords: stronger }, anonymous, {
    email: user.email,
    password,
    presented: []
  })
  const [row] = await db.select().from(users).where(eq(users.id, user.id))
  t.match(row, { passwordHash: /^\$2b\$05\$/, credentialVersion: 1 })
  t.ok((await live(user.id)).some((each) => each.id === session.id))
  await t.resolves(login(user.email))
})

t.test('a failed login does not renew a hash', async (t) => {
  const user = await aUser(database)
  await db
    .update(users)
    .set({ passwordHash: await hash('something else', 4) })
    .where(eq(users.id, user.id))
  await t.rejects(
    signIn({ ...services, passwords: passwordsOf(5) }, anonymous, {
      email: user.email,
      password,
      presented: []
    }),
    { code: 'invalid-credentials' }
  )
  const [row] = await db.select().from(users).where(eq(users.id, user.id))
  t.match(row?.passwordHash, /^\$2b\$04\$/)
})

t.test('a login that renews a hash does not overwrite a password set meanwhile', async (t) => {
  const user = await aUser(database)
  const stronger = passwordsOf(5)
  const chosen = await passwords.hash('a new horse battery')
  const meanwhile = {
    ...stronger,
    hash: async (text: string) => {
      await db.update(users).set({ passwordHash: chosen }).where(eq(users.id, user.id))
      return stronger.hash(text)
    }
  }
  await signIn({ ...services, passwords: meanwhile }, anonymous, {
    email: user.email,
    password,
    presented: []
  })
  const [row] = await db.select().from(users).where(eq(users.id, user.id))
  t.equal(row?.passwordHash, chosen)
})

t.test('when no hash can run, a made-up device is rejected without a transaction', async (t) => {
  const user = await aUser(database)
  const bulkhead = createBulkhead({ running: 1, waiting: 0, patience: 1000 })
  const full = { ...services, passwords: createPasswords({ minLength: 8, cost: 4, bulkhead }) }
  let release = () => {}
  const held = bulkhead.run(
    () =>
      new Promise<void>((resolve) => {
        release = resolve
      })
  )
  const transactions = t.capture(db, 'transaction', db.transaction)
  for (const device of ['made up', `${'A'.repeat(22)}.${'B'.repeat(43)}`]) {
    await t.rejects(
      signIn(full, anonymous, { email: user.email, password, device, presented: [] }),
      { code: 'overloaded' }
    )
  }
  t.same(transactions(), [])
  release()
  await held
})

t.test(
  'when no hash can run, a login without a genuine device cookie is rejected without a database query',
  async (t) => {
    const over = await openDatabase(await testDatabaseUrl(t), { poolMax: 1 })
    const bulkhead = createBulkhead({ running: 1, waiting: 0, patience: 1000 })
    const full = {
      ...servicesOf(over),
      passwords: createPasswords({ minLength: 8, cost: 4, bulkhead })
    }
    await over.close()
    let release = () => {}
    const held = bulkhead.run(
      () =>
        new Promise<void>((resolve) => {
          release = resolve
        })
    )
    const storm = (device?: string) =>
      signIn(full, anonymous, { email: 'ada@example.com', password, device, presented: [] })
    await t.rejects(storm(), { code: 'overloaded' })
    await t.rejects(storm('some device'), { code: 'overloaded' })
    const genuine = full.devices.issue({ id: randomUUID(), credentialVersion: 1 })
    t.not(await storm(genuine).catch(({ code }) => code), 'overloaded')
    release()
    await held
    t.not(await storm().catch(({ code }) => code), 'overloaded', 'and there is room again')
  }
)

t.test('a program without cookies causes ten notices in 24 hours, not one each time', async (t) => {
  const { id, email } = await aUser(database)
  await db
    .update(users)
    .set({ emailVerifiedAt: sql`now()` })
    .where(eq(users.id, id))
  const mail = { sealing, verification: 'optional' as const, signInNotices: true }
  const notices = () => db.$count(outbox, eq(outbox.userId, id))
  for (let i = 0; i < 13; i++) {
    await signIn({ ...services, mail }, anonymous, { email, password, presented: [] })
  }
  t.equal(await notices(), 10)
  await db
    .update(outbox)
    .set({ createdAt: sql`now() - interval '25 hours'` })
    .where(eq(outbox.userId, id))
  await signIn({ ...services, mail }, anonymous, { email, password, presented: [] })
  t.equal(await notices(), 11)
})
