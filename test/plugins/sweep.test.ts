// Also on PGlite.

import { mock } from 'node:test'
import { and, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { jobs } from '../../db/schema/jobs.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { buildApp } from '../../src/app.ts'
import { aCaller, onPglite, ownApp, testDatabase, until } from '../support/app.ts'
import { waitingForLocks } from '../support/locks.ts'
import { testConfig } from '../support/test-config.ts'

const jobsOf = ({ db }: FastifyInstance) =>
  db
    .select({ name: jobs.name, recent: gt(jobs.beganAt, sql`now() - interval '1 hour'`) })
    .from(jobs)
/** The one that a sweep does at the end. */
const isLast = ({ name }: { name: string }) => name === 'delete dead sessions'

if (!onPglite) {
  t.test('a sweep that is due during another is skipped', async (t) => {
    const database = await testDatabase(t)
    await database.db.delete(jobs)
    mock.timers.enable({ apis: ['setInterval'] })
    t.teardown(() => mock.timers.reset())
    const app = buildApp(testConfig(), { database: { ...database, close: async () => {} } })
    await database.db.transaction(async (tx) => {
      await tx.execute(sql`lock table jobs in exclusive mode`)
      await app.ready()
      await until(async () => (await waitingForLocks(database.db)) === 1)
      mock.timers.tick(3_600_000)
      mock.timers.tick(3_600_000)
      await database.db.select().from(jobs) // returns after all claims that were sent before
      t.equal(await waitingForLocks(database.db), 1)
    })
    await app.close()
  })
}

t.test('an instance sweeps once an hour', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const app = await ownApp(t)
  await app.ready()
  const isRecent = async () => {
    const all = await jobsOf(app)
    return all.some(isLast) && all.every(({ recent }) => recent)
  }
  await until(isRecent)
  await app.db.update(jobs).set({ beganAt: sql`now() - interval '2 days'` })
  t.equal(await isRecent(), false)
  await until(() => {
    mock.timers.tick(3_600_000) // skipped while the first sweep is running
    return isRecent()
  })
  t.equal(await isRecent(), true)
})

t.test('an instance sweeps when it starts, unless another did so a moment ago', async (t) => {
  const database = await testDatabase(t)
  await database.db.delete(jobs)
  const another = async () => {
    const instance = buildApp(testConfig(), { database: { ...database, close: async () => {} } })
    await instance.ready()
    await instance.close() // waits for running work
  }
  await another()
  const app = await ownApp(t, {}, database)
  const { cookie } = await aCaller(app)
  await app.db.update(sessions).set({
    createdAt: sql`now() - interval '90 days'`,
    expiresAt: sql`now() - interval '80 days'`,
    revokedAt: sql`now() - interval '85 days'`,
    revokeReason: 'logout'
  })
  // A claim in vain locks the row of its job.
  const claims = async () =>
    JSON.stringify(await app.db.execute(sql`select *, xmax::text from jobs order by name`))
  await app.db.execute(sql`update jobs set name = name`)
  const before = await claims()
  t.match(before, 'delete dead sessions')
  const old = () =>
    app.db
      .select()
      .from(sessions)
      .where(and(isNotNull(sessions.revokedAt), inArray(sessions.revokeReason, ['logout'])))
  await another()
  t.equal((await old()).length, 1)
  t.equal(await claims(), before, 'no job was claimed')
  await app.db.update(jobs).set({ beganAt: sql`now() - interval '1 hour'` })
  await another()
  t.equal((await old()).length, 0)
  t.equal((await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 401)
})
