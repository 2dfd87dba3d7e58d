import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { throttle } from '../../../db/schema/throttle.ts'
import { changeEmail } from '../../../src/domain/accounts/emails.ts'
import { asUser } from '../../../src/domain/actor.ts'
import type { SignedInActor } from '../../../src/domain/actor.ts'
import { deleteOld } from '../../../src/domain/jobs/delete-batches.ts'
import { expiredRows } from '../../../src/domain/jobs/sweep.ts'
import { createAttemptQueue } from '../../../src/domain/throttling/admission.ts'
import { resetLimits } from '../../../src/domain/administration/obstacles.ts'
import { createBuckets } from '../../../src/domain/throttling/buckets.ts'
import { charge, findFull } from '../../../src/domain/throttling/throttles.ts'
import {
  anonymous,
  aUser,
  freshEmail,
  onPglite,
  operator,
  password,
  servicesOf,
  testDatabase,
  until
} from '../../support/app.ts'
import { everyLimit } from '../../support/rate-limits.ts'
import { signIn, tokenHashOf } from '../../support/sign-in.ts'

const database = await testDatabase(t)
const { db } = database
const budget = { burst: 3, seconds: 60 }
const buckets = createBuckets(randomBytes(32), {
  ...everyLimit(budget),
  'login-source': { burst: 30, seconds: 60 }
})
const context = { ...servicesOf(database), buckets, attempts: createAttemptQueue(2) }

let addresses = 0
const anAddress = () => `198.51.100.${++addresses}`
interface Try {
  email: string
  ip?: string
  secret?: string
  device?: string
}
const login = ({ email, ip = anAddress(), secret = 'not this one', device }: Try) =>
  signIn(context, { ...anonymous, ip }, { email, password: secret, device, presented: [] })
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'success',
    ({ code }) => code as string
  )
const wrong = { code: 'invalid-credentials' }
const useUp = async (t: Test, email: string, ip: string) => {
  for (let i = 0; i < budget.burst; i++) await t.rejects(login({ email, ip }), wrong)
}
/** The number of calls of a database method during `work`. */
type Method = 'transaction' | 'select'
async function countCalls(t: Test, method: Method, work: () => Promise<unknown>) {
  const calls = t.capture(db, method, db[method])
  try {
    await work()
    return calls().length
  } finally {
    calls.restore()
  }
}

t.test('a rejected attempt opens no transaction', async (t) => {
  const { email } = await aUser(database)
  const ip = anAddress()
  await useUp(t, email, ip)
  const refused = () => t.rejects(login({ email, ip }), { code: 'rate-limited' })
  const opened = await countCalls(t, 'transaction', refused)
  t.equal(opened, 0)
})

t.test('one read rejects all attempts of an address that wait for it', async (t) => {
  const { email } = await aUser(database)
  const ip = anAddress()
  await useUp(t, email, ip)
  const work = async () => {
    const found = await Promise.all(Array.from({ length: 40 }, () => codeOf(login({ email, ip }))))
    t.same(new Set(found), new Set(['rate-limited']))
  }
  t.ok((await countCalls(t, 'select', work)) < 20)
  t.equal(await countCalls(t, 'transaction', work), 0)
  t.ok((await countCalls(t, 'select', work)) < 20, 'and again')
})

t.test(
  'a reset clears every limit of the account, even right after a rejected attempt',
  async (t) => {
    const { id, email } = await aUser(database)
    const { device } = await login({ email, secret: password })
    const ip = anAddress()
    await useUp(t, email, ip)
    for (let i = 0; i < budget.burst; i++) await t.rejects(login({ email, device }), wrong)
    const fromDevice = () => codeOf(login({ email, secret: password, device }))
    const fromElsewhere = () => codeOf(login({ email, secret: password, ip: '203.0.113.1' }))
    const fromThere = () => codeOf(login({ email, secret: password, ip }))
    const all = () => Promise.all([fromDevice(), fromElsewhere(), fromThere()])
    t.same(await all(), ['rate-limited', 'rate-limited', 'rate-limited'])
    await resetLimits({ db, buckets }, operator, { userId: id })
    t.same(await all(), ['success', 'success', 'success'])
  }
)

t.test('a reset clears wrong passwords of a signed-in user, but not those of others', async (t) => {
  const [user, other] = [await aUser(database), await aUser(database)]
  const callers = new Map<string, SignedInActor>()
  const change = async ({ id, email }: typeof user, currentPassword: string) => {
    const self = callers.get(id) ?? (await signedIn({ id, email }))
    callers.set(id, self)
    return codeOf(changeEmail(context, self, { email, currentPassword }))
  }
  const signedIn = async ({ id, email }: { id: string; email: string }) => {
    const { session, secret } = await login({ email, secret: password })
    const tokenHash = tokenHashOf({ secret })
    return { ...asUser(anonymous, { id, email }), sessionId: session.id, tokenHash }
  }
  for (const each of [user, other]) {
    for (let i = 0; i < budget.burst; i++) await change(each, 'not this one')
    t.equal(await change(each, password), 'rate-limited')
  }
  await resetLimits({ db, buckets }, operator, { userId: user.id })
  t.equal(await change(user, password), 'success')
  t.equal(await change(other, password), 'rate-limited')
})

t.test('a reset clears wrong codes from every device, but not those of others', async (t) => {
  const [user, other] = [await aUser(database), await aUser(database)]
  const isFull = async ({ id }: typeof user, device: string | undefined) =>
    (await findFull(db, buckets.secondFactor(id, device))).length > 0
  for (const { id } of [user, other]) {
    for (const device of [undefined, 'one', 'two']) {
      while (await charge(db, buckets.secondFactor(id, device)));
      t.ok(await isFull({ ...user, id }, device))
    }
  }
  await resetLimits({ db, buckets }, operator, { userId: user.id })
  for (const device of [undefined, 'one', 'two']) {
    t.same([await isFull(user, device), await isFull(other, device)], [false, true])
  }
})

t.test('one attempt is allowed after the clock was set back', async (t) => {
  const { email } = await aUser(database)
  const ip = anAddress()
  await useUp(t, email, ip)
  await db.update(throttle).set({ tat: sql`${throttle.tat} + interval '10 days'` })
  t.equal(await codeOf(login({ email, ip })), 'invalid-credentials')
  t.equal(await codeOf(login({ email, ip })), 'rate-limited', 'and for no more')
})

t.test(
  'a slow account stays slow for a year, and other buckets are deleted after a day',
  async (t) => {
    await db.delete(throttle)
    const rows: [fails: number, days: number, kept: boolean][] = [
      [99, 2, false],
      [0, 2, false],
      [99, 0.9, true],
      [100, 2, true],
      [5000, 360, true],
      [5000, 366, false]
    ]
    await db.insert(throttle).values(
      rows.map(([fails, days], i) => ({
        bucket: Buffer.alloc(32, i + 1),
        fails,
        tat: sql`now() - make_interval(secs => ${days * 86_400}::float8)`
      }))
    )
    t.match(await deleteOld(db, expiredRows['unused throttles'], 1000), { deleted: 2 })
    t.match(await deleteOld(db, expiredRows['forgotten throttles'], 1000), { deleted: 1 })
    const left = await db.select({ bucket: throttle.bucket }).from(throttle)
    t.same(
      left.map(({ bucket }) => bucket[0]).toSorted(),
      rows.flatMap(([, , kept], i) => (kept ? [i + 1] : []))
    )
  }
)

t.test('an account that does not exist is rejected with the same number of reads', async (t) => {
  const reads = async (email: string) => {
    const ip = anAddress()
    await useUp(t, email, ip)
    return countCalls(t, 'select', () => t.rejects(login({ email, ip }), { code: 'rate-limited' }))
  }
  t.equal(await reads(freshEmail()), await reads((await aUser(database)).email))
})

t.test(
  'an old bucket that is charged during the deletion is kept',
  {
    skip: onPglite && 'one connection only'
  },
  async (t) => {
    const bucket = Buffer.alloc(32, 77)
    await db.delete(throttle)
    await db.insert(throttle).values({ bucket, fails: 1, tat: sql`now() - interval '2 days'` })
    let deleting: ReturnType<typeof deleteOld> | undefined
    await db.transaction(async (tx) => {
      await tx.update(throttle).set({ tat: sql`now() + interval '1 minute'`, fails: 2 })
      deleting = deleteOld(db, expiredRows['unused throttles'], 1000)
      await until(async () => (await db.$count(sql`pg_locks`, sql`not granted`)) > 0)
    })
    t.match(await deleting, { deleted: 0 })
    t.equal(await db.$count(throttle), 1)
  }
)
