import * as bcrypt from '@node-rs/bcrypt'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { storedForm } from '../../src/domain/passwords/foreign-forms.ts'
import { findStoredWork } from '../../src/domain/passwords/passwords.ts'
import type { PasswordRules } from '../../src/domain/passwords/passwords.ts'
import { aUser, freshEmail, ownApp, password, testDatabase } from '../support/app.ts'
import { configured, countingLogins } from './counted-logins.ts'

// The duration of a login is its bcrypt work, which is counted here: the sum of 2^cost of every
// call.

const database = await testDatabase(t)
const set = async (change: Partial<typeof users.$inferInsert>) => {
  const user = await aUser(database)
  await database.db.update(users).set(change).where(eq(users.id, user.id))
  return user.email
}
const withCost = async (cost: number) => set({ passwordHash: await bcrypt.hash(password, cost) })
const deactivated = await set({ status: 'deactivated' })
const withoutHash = await set({ passwordHash: null })
const [imported, current] = [await withCost(4), await withCost(configured)]

const aProcess = (rules: Partial<PasswordRules> = {}) => countingLogins(database, rules)

const refusals = (more: Record<string, string> = {}) =>
  ({
    'an unknown address': [freshEmail(), password],
    'a deactivated account': [deactivated, password],
    'an account without a hash': [withoutHash, password],
    'a hash of the configured cost': [current, 'not this one'],
    'a hash of a lower cost': [imported, 'not this one'],
    'a password of 200 characters': [current, 'x'.repeat(200)],
    'a password over 72 bytes': [imported, 'x'.repeat(73)],
    'a password with NUL': [imported, `${password}\0`],
    'an unpaired surrogate': [imported, '\ud800'],
    'an empty password': [imported, ''],
    ...Object.fromEntries(
      Object.entries(more).map(([what, email]) => [what, [email, 'not this one']])
    )
  }) as Record<string, [email: string, secret: string]>

t.test('every rejected login does the work of one comparison at the configured cost', async (t) => {
  const login = aProcess()
  for (const [what, [email, secret]] of Object.entries(refusals())) {
    const { answer, work, turns } = await login(email, secret)
    t.same(
      { answer, work, turns },
      { answer: 'invalid-credentials', work: 2 ** configured, turns: 1 },
      what
    )
  }
})

t.test(
  'a successful login does no work beyond its comparison and the renewal of its hash',
  async (t) => {
    const login = aProcess()
    const { answer, calls } = await login(await withCost(4), password)
    t.equal(answer, 'signed in')
    t.same(calls, [
      { kind: 'verify', cost: 4 },
      { kind: 'hash', cost: configured }
    ])
    t.same((await login(current, password)).calls, [{ kind: 'verify', cost: configured }])
  }
)

t.test(
  'with stored hashes of a higher cost, every rejected login does the work of the highest',
  async (t) => {
    const higher = await withCost(configured + 2)
    const login = aProcess()
    for (const [what, [email, secret]] of Object.entries(
      refusals({ 'a hash of a higher cost': higher })
    )) {
      const { answer, work, turns } = await login(email, secret)
      t.same(
        { answer, work, turns },
        { answer: 'invalid-credentials', work: 2 ** (configured + 2), turns: 1 },
        what
      )
    }
    t.same(
      (await login(current, password)).calls,
      [{ kind: 'verify', cost: configured }],
      'others sign in as fast as before'
    )
  }
)

t.test('a higher cost stored later counts from the first login that meets it', async (t) => {
  const highest = (await findStoredWork(database.db)).cost
  const login = aProcess()
  t.equal((await login(freshEmail(), password)).work, 2 ** highest)
  const imported = await withCost(highest + 1)
  t.equal((await login(imported, 'not this one')).work, 2 ** (highest + 1))
  t.equal((await login(freshEmail(), password)).work, 2 ** (highest + 1))
})

t.test('the highest cost is found among both forms of hashes and users without one', async (t) => {
  const fresh = await testDatabase(t)
  t.equal((await findStoredWork(fresh.db)).cost, 0)
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.push((await aUser(fresh)).id)
  t.equal((await findStoredWork(fresh.db)).cost, 4)
  const hash = await bcrypt.hash(password, 10)
  const store = (id = '', passwordHash: string | null = null) =>
    fresh.db.update(users).set({ passwordHash }).where(eq(users.id, id))
  await store(ids[0])
  await store(ids[1], hash)
  t.equal((await findStoredWork(fresh.db)).cost, 10)
  await store(ids[1], `h384:${hash}`)
  t.equal((await findStoredWork(fresh.db)).cost, 10)
})

t.test('the costs in the table are read once, by the first login', async (t) => {
  let asked = 0
  const login = aProcess({
    storedWork: async () => {
      asked++
      return { cost: configured + 1, foreign: {} }
    }
  })
  t.equal(asked, 0)
  for (let i = 0; i < 3; i++) {
    t.equal((await login(freshEmail(), password)).work, 2 ** (configured + 1))
  }
  t.equal(asked, 1)
})

t.test(
  'if the costs cannot be read, logins continue, and a higher cost counts once it is met',
  async (t) => {
    const higher = await withCost(configured + 2)
    const login = aProcess({
      storedWork: async () => {
        throw new Error('it takes too long')
      }
    })
    t.equal((await login(freshEmail(), password)).work, 2 ** configured)
    t.equal((await login(higher, 'not this one')).work, 2 ** (configured + 2))
    t.equal((await login(freshEmail(), password)).work, 2 ** (configured + 2))
  }
)

t.test(
  'with foreign hashes, every rejected login does the work of the largest of each kind, after bcrypt',
  async (t) => {
    const salt = 'a'.repeat(22)
    const key = 'a'.repeat(43)
    const foreignHash = async (text: string) => set({ passwordHash: storedForm(text) })
    const few = await foreignHash(`$pbkdf2-sha256$10000$${salt}$${key}`)
    const many = await foreignHash(`$pbkdf2-sha256$30000$${salt}$${key}`)
    const scrypt = await foreignHash(`$scrypt$ln=12,r=8,p=1$${salt}$${key}`)
    const { cost } = await findStoredWork(database.db)
    const login = aProcess()
    for (const [what, [email, secret]] of Object.entries(
      refusals({ 'few iterations': few, 'many iterations': many, 'another kind': scrypt })
    )) {
      const { answer, foreign, isForeignFirst, work, turns } = await login(email, secret)
      t.same(
        { answer, foreign, isForeignFirst, work, turns },
        {
          answer: 'invalid-credentials',
          foreign: { 'pbkdf2-sha256': 30_000, 'scrypt.4096.8': 1 },
          isForeignFirst: false,
          work: 2 ** cost,
          turns: 1
        },
        what
      )
    }
    t.same((await login(current, password)).foreign, {}, 'others sign in as fast as before')
  }
)

t.test('the server does the same work', async (t) => {
  // Processor time of this process and its threads, which does not depend on other load.
  const cpuOf = async (work: () => Promise<unknown>) => {
    const start = process.cpuUsage()
    for (let i = 0; i < 5; i++) await work()
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  const app = await ownApp(t, { BCRYPT_COST: 4 })
  const { id } = await aUser(app.database)
  await app.db
    .update(users)
    .set({ passwordHash: await bcrypt.hash(password, 11) })
    .where(eq(users.id, id))
  const refused = () =>
    app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: freshEmail(), password }
    })
  t.equal((await refused()).statusCode, 401)
  const [login, hash] = [await cpuOf(refused), await cpuOf(() => bcrypt.hash(password, 11))]
  t.ok(login > hash / 4, `${login} µs, and hashes ${hash} µs`)
})
