import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import t from 'tap'
import { jobs } from '../../db/schema/jobs.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { deleteDeadSessions } from '../../src/domain/dead-sessions.ts'
import { sha256 } from '../../src/domain/crypto.ts'
import { claimJob } from '../../src/domain/jobs.ts'
import { aCaller, aUser, rules, testApp, testConfig, testDatabase, until } from '../helpers.ts'
import { buildApp } from '../../src/app.ts'

const day = 86_400_000

t.test('of all instances that ask at once exactly one gets a job, and nobody again before its time', async (t) => {
  const { db } = await testDatabase(t)
  const claims = await Promise.all(Array.from({ length: 20 }, () => claimJob(db, 'sweep', 3000)))
  t.equal(claims.filter(Boolean).length, 1)
  t.equal(await claimJob(db, 'sweep', 3000), false)
  t.equal(await claimJob(db, 'another', 3000), true)
  await db.update(jobs).set({ beganAt: sql`now() - interval '3001 seconds'` }).where(eq(jobs.name, 'sweep'))
  t.equal(await claimJob(db, 'sweep', 3000), true, 'whoever had it may have died with it')
})

t.test('sessions dead for more than thirty days are deleted, however they ended, and no others', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const user = await aUser(database)
  const add = async (createdDaysAgo: number, lastSeenDaysAgo: number, expiresInDays: number, revokedDaysAgo?: number) => {
    const at = (days: number) => new Date(Date.now() - days * day)
    const id = uuid()
    await db.insert(sessions).values({
      id,
      userId: user.id,
      tokenHash: sha256(id),
      createdAt: at(createdDaysAgo),
      lastSeenAt: at(lastSeenDaysAgo),
      expiresAt: at(-expiresInDays),
      ...(revokedDaysAgo !== undefined && { revokedAt: at(revokedDaysAgo), revokeReason: 'logout' as const })
    })
    return id
  }
  const gone = [await add(60, 59.9, -53), await add(40, 31.1, 10), await add(40, 32, -10, 30.1), await add(33, 31.5, -30.5), await add(31.5, 31.2, -24.5)]
  const kept = [await add(60, 0.5, 10), await add(40, 29.95, -10, 29.9), await add(29, 29, -22, 28.9), await add(0, 0, 7)]

  const idle = rules.idleSeconds
  t.equal(idle, 86_400, 'what the ages above are made for')
  let place: Awaited<ReturnType<typeof deleteDeadSessions>>['next']
  let deleted = 0
  do {
    const batch = await deleteDeadSessions(db, idle, place, 2)
    deleted += batch.deleted
    place = batch.next
  } while (place)
  t.equal(deleted, gone.length)
  const left = (await db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, user.id))).map(({ id }) => id)
  t.same(left.toSorted(), kept.toSorted())
})

t.test('an instance sweeps when it starts, and leaves it to the one that did so a moment ago', async (t) => {
  const app = await testApp(t)
  const { cookie } = await aCaller(app)
  await until(async () => (await app.db.select().from(jobs)).length === 3)
  await app.db.update(sessions).set({ createdAt: sql`now() - interval '90 days'`, expiresAt: sql`now() - interval '80 days'`, revokedAt: sql`now() - interval '85 days'`, revokeReason: 'logout' })
  const [before] = await app.db.select().from(jobs).where(eq(jobs.name, 'delete dead sessions'))
  const another = async () => {
    const second = buildApp(testConfig(), { database: { ...app.database, close: async () => {} } })
    await second.ready()
    await second.close() // waits for what runs
  }
  const old = () => app.db.select().from(sessions).where(and(isNotNull(sessions.revokedAt), inArray(sessions.revokeReason, ['logout'])))
  await another()
  t.equal((await old()).length, 1)
  t.same((await app.db.select().from(jobs).where(eq(jobs.name, 'delete dead sessions')))[0], before)
  await app.db.update(jobs).set({ beganAt: sql`now() - interval '1 hour'` })
  await another()
  t.equal((await old()).length, 0)
  t.equal((await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 401)
})
