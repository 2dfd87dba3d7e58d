import { randomBytes } from 'node:crypto'
import { mock } from 'node:test'
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import type { Db } from '../../db/client.ts'
import { activity } from '../../db/schema/activity.ts'
import { jobs } from '../../db/schema/jobs.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { deleteOldActivity } from '../../src/domain/activity/list.ts'
import { deleteDeadSessions } from '../../src/domain/sessions/dead-sessions.ts'
import { sha256 } from '../../src/domain/crypto.ts'
import { claimJob } from '../../src/domain/jobs.ts'
import {
  aCaller,
  aUser,
  onPglite,
  rules,
  testApp,
  testConfig,
  testDatabase,
  testDatabaseUrl,
  until
} from '../helpers.ts'
import { buildApp } from '../../src/app.ts'

const day = 86_400_000

t.test(
  'of all instances that ask at once exactly one gets a job, and nobody again before its time',
  async (t) => {
    const { db } = await testDatabase(t)
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimJob(db, 'sweep', 3000)))
    t.equal(claims.filter(Boolean).length, 1)
    t.notOk(await claimJob(db, 'sweep', 3000))
    t.ok(await claimJob(db, 'another', 3000))
    await db
      .update(jobs)
      .set({ beganAt: sql`now() - interval '3001 seconds'` })
      .where(eq(jobs.name, 'sweep'))
    t.ok(await claimJob(db, 'sweep', 3000), 'the instance that had it may have died with it')
  }
)

const began = async (db: Db, name: string) =>
  (
    await db
      .select({ at: sql<string>`${jobs.beganAt}::text` })
      .from(jobs)
      .where(eq(jobs.name, name))
  )[0]?.at

t.test(
  'a job that is kept stays with its instance, and its next turn counts from its beginning',
  async (t) => {
    const { db } = await testDatabase(t)
    const claim = await claimJob(db, 'sweep', 3000)
    const beginning = await began(db, 'sweep')
    t.equal(await claim?.keep(), true)
    t.ok(String(await began(db, 'sweep')) > String(beginning), 'others wait for longer')
    t.equal(await claim?.keep(), true)
    await claim?.finish()
    t.equal(await began(db, 'sweep'), beginning)
  }
)

t.test('a job that another instance has taken is not kept, finished or released', async (t) => {
  const { db } = await testDatabase(t)
  const stalled = await claimJob(db, 'sweep', 3000)
  t.ok(await claimJob(db, 'sweep', 0))
  const taken = await began(db, 'sweep')
  t.equal(await stalled?.keep(), false)
  await stalled?.finish()
  await stalled?.release()
  t.equal(await began(db, 'sweep'), taken)
})

t.test('a job that was released is free at once', async (t) => {
  const { db } = await testDatabase(t)
  const claim = await claimJob(db, 'sweep', 3000)
  await claim?.release()
  t.ok(await claimJob(db, 'sweep', 3000))
})

t.test('old records are deleted by a role that may not update them', async (t) => {
  const url = await testDatabaseUrl(t)
  const owner = await openDatabase(url)
  const role = `portal_${randomBytes(6).toString('hex')}`
  await owner.db.insert(activity).values(
    [100, 200, 300].map((days) => ({
      id: uuid(),
      at: sql`now() - make_interval(days => ${days})`,
      action: 'auth.login',
      outcome: 'success' as const,
      actorType: 'anonymous' as const,
      source: 'api' as const
    }))
  )
  await owner.db.execute(sql.raw(`create role ${role}`))
  await owner.db.execute(sql.raw(`grant select, insert, delete on activity to ${role}`))
  // PGlite has one connection, which takes the role; a server gives it to a new connection.
  if (onPglite) await owner.db.execute(sql.raw(`set role ${role}`))
  const limited = onPglite ? owner : await openDatabase(`${url}?role=${role}`)
  t.match(
    await limited.db
      .execute(sql`select current_user as name`)
      .then((answer) => JSON.stringify(answer)),
    role
  )
  t.equal(await deleteOldActivity(limited.db, 180, 10), 2)

  if (onPglite) return owner.close()
  await limited.close()
  await owner.db.execute(sql.raw(`drop owned by ${role}`))
  await owner.db.execute(sql.raw(`drop role ${role}`))
  await owner.close()
})

if (!onPglite) {
  t.test('a turn that comes while the one before is at work is left out', async (t) => {
    const database = await testDatabase(t)
    mock.timers.enable({ apis: ['setInterval'] })
    t.teardown(() => mock.timers.reset())
    const app = buildApp(testConfig(), { database: { ...database, close: async () => {} } })
    const waiting = async () =>
      (
        await database.db
          .select({ pid: sql`pid` })
          .from(
            sql`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
          )
      ).length
    await database.db.transaction(async (tx) => {
      await tx.execute(sql`lock table jobs in exclusive mode`)
      await app.ready()
      await until(async () => (await waiting()) === 1)
      mock.timers.tick(3_600_000)
      mock.timers.tick(3_600_000)
      await database.db.select().from(jobs) // answered after the claims that were sent before it
      t.equal(await waiting(), 1)
    })
    await app.close()
  })
}

t.test(
  'sessions dead for more than thirty days are deleted, however they ended, and no others',
  async (t) => {
    const database = await testDatabase(t)
    const { db } = database
    const user = await aUser(database)
    const add = async (
      createdDaysAgo: number,
      lastSeenDaysAgo: number,
      expiresInDays: number,
      revokedDaysAgo?: number
    ) => {
      const at = (days: number) => new Date(Date.now() - days * day)
      const id = uuid()
      await db.insert(sessions).values({
        id,
        userId: user.id,
        tokenHash: sha256(id),
        createdAt: at(createdDaysAgo),
        lastSeenAt: at(lastSeenDaysAgo),
        expiresAt: at(-expiresInDays),
        ...(revokedDaysAgo !== undefined && {
          revokedAt: at(revokedDaysAgo),
          revokeReason: 'logout' as const
        })
      })
      return id
    }
    const gone = [
      await add(60, 59.9, -53),
      await add(40, 31.1, 10),
      await add(40, 32, -10, 30.1),
      await add(33, 31.5, -30.5),
      await add(31.5, 31.2, -24.5)
    ]
    const kept = [
      await add(60, 0.5, 10),
      await add(40, 29.95, -10, 29.9),
      await add(29, 29, -22, 28.9),
      await add(0, 0, 7)
    ]

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
    const left = (
      await db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, user.id))
    ).map(({ id }) => id)
    t.same(left.toSorted(), kept.toSorted())
  }
)

t.test(
  'an instance sweeps when it starts, and leaves it to the one that did so a moment ago',
  async (t) => {
    const app = await testApp(t)
    const { cookie } = await aCaller(app)
    await until(async () => (await app.db.select().from(jobs)).length === 3)
    await app.db.update(sessions).set({
      createdAt: sql`now() - interval '90 days'`,
      expiresAt: sql`now() - interval '80 days'`,
      revokedAt: sql`now() - interval '85 days'`,
      revokeReason: 'logout'
    })
    const [before] = await app.db.select().from(jobs).where(eq(jobs.name, 'delete dead sessions'))
    const another = async () => {
      const second = buildApp(testConfig(), {
        database: { ...app.database, close: async () => {} }
      })
      await second.ready()
      await second.close() // waits for what runs
    }
    const old = () =>
      app.db
        .select()
        .from(sessions)
        .where(and(isNotNull(sessions.revokedAt), inArray(sessions.revokeReason, ['logout'])))
    await another()
    t.equal((await old()).length, 1)
    t.same(
      (await app.db.select().from(jobs).where(eq(jobs.name, 'delete dead sessions')))[0],
      before
    )
    await app.db.update(jobs).set({ beganAt: sql`now() - interval '1 hour'` })
    await another()
    t.equal((await old()).length, 1, 'sessions are swept once a day, not every hour')
    await app.db.update(jobs).set({ beganAt: sql`now() - interval '1 day'` })
    await another()
    t.equal((await old()).length, 0)
    t.equal((await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 401)
  }
)
