import path from 'node:path'
import { eq, sql } from 'drizzle-orm'
import postgres from 'postgres'
import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import type { Database } from '../../../db/client.ts'
import { databaseCode } from '../../../db/errors.ts'
import { activity } from '../../../db/schema/activity.ts'
import { jobs } from '../../../db/schema/jobs.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { transaction } from '../../../db/transaction.ts'
import { syncRegistry } from '../../../src/domain/access/registry.ts'
import { createRefusalLog } from '../../../src/domain/activity/refusals.ts'
import { claimJob } from '../../../src/domain/jobs/claim.ts'
import { writeLastSeen } from '../../../src/domain/sessions/last-seen.ts'
import { actorOf } from '../../support/actors.ts'
import { anonymous, aUser, onPglite, until } from '../../support/app.ts'
import { clean, startPostgres } from '../../support/postgres.ts'
import { publicFolder } from '../../resilience/instances.ts'
import { withoutSlack } from '../../support/slack.ts'
import { stoppableProxy } from '../../support/stoppable-proxy.ts'

const skip = onPglite && 'it has no standby'
withoutSlack(t)

/** A migrated server of its own, which can be told to wait for a standby that does not exist. */
async function startPrimary() {
  const folder = path.join(publicFolder(t), 'postgres')
  const url = await startPostgres(folder, ['synchronous_commit=on'])
  t.teardown(() => clean(folder))
  const database = await openDatabase(url)
  await database.migrate(syncRegistry)
  await database.close()
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  t.teardown(() => admin.end({ timeout: 1 }))
  await admin`set synchronous_commit = local`
  const standby = async (names: string) => {
    await admin.unsafe(`alter system set synchronous_standby_names = '${names}'`)
    await admin`select pg_reload_conf()`
    await until(async () => {
      const [row] = await admin`select current_setting('synchronous_standby_names') as names`
      return row?.names === names
    })
  }
  return {
    url,
    admin,
    reset: async () => {
      await standby('')
      await admin`delete from jobs`
    },
    loseStandby: () => standby('gone'),
    findStandby: () => standby(''),
    backends: async () =>
      (await admin`select 1 from pg_stat_activity where application_name = 'portal'`).length
  }
}

type Primary = Awaited<ReturnType<typeof startPrimary>>
let primary: Promise<Primary> | undefined

/** All tests share this server and its standby. */
async function aPrimary() {
  primary ??= startPrimary()
  const { reset, ...rest } = await primary
  await reset()
  return rest
}

const change = ({ db }: Database, name: string) =>
  transaction(db, (tx) => tx.insert(jobs).values({ name, beganAt: sql`now()` }))
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => databaseCode(error) ?? String(error)
  )
const read = ({ db }: Database) => db.select().from(jobs)

t.test(
  'without the synchronous standby, reads are answered, changes are refused at once, and connections are bounded',
  { skip },
  async (t) => {
    const { url, loseStandby, findStandby, backends } = await aPrimary()
    const database = await openDatabase(url, { poolMax: 4 })
    t.teardown(() => database.close())
    await change(database, 'before')
    await loseStandby()
    const first = Array.from({ length: 12 }, (_, n) => outcomeOf(change(database, `first ${n}`)))
    const answered = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(read(database))))
    t.same(new Set(answered), new Set(['done']))
    await until(() => database.lateCommits() === 4)
    for (let n = 0; n < 3; n++) {
      t.equal(await outcomeOf(change(database, `refused ${n}`)), 'COMMITS_WAITING')
    }
    const outcomes = await Promise.all(first)
    t.equal(outcomes.filter((each) => each === 'DATABASE_TIMEOUT').length, 4)
    t.equal(outcomes.filter((each) => each === 'COMMITS_WAITING').length, 8)
    t.equal(database.lateCommits(), 4, 'the connections that were given up still count')
    t.equal(await outcomeOf(change(database, 'refused')), 'COMMITS_WAITING')
    await Promise.all(Array.from({ length: 50 }, () => read(database)))
    t.equal(await backends(), 6)

    await findStandby()
    await until(() => database.lateCommits() === 0)
    t.equal(await outcomeOf(change(database, 'after')), 'done')
    t.ok((await backends()) <= 4)
    const names = (await read(database)).map(({ name }) => name).sort()
    t.equal(names.filter((name) => name.startsWith('first')).length, 4)
    t.equal(names.filter((name) => name.startsWith('refused')).length, 0)
  }
)

t.test(
  'a late commit that the server no longer knows does not block other changes',
  { skip },
  async (t) => {
    const { url, loseStandby, findStandby } = await aPrimary()
    const way = await stoppableProxy(t, url)
    const database = await openDatabase(way.url, { poolMax: 2 })
    t.teardown(() => database.close())
    await change(database, 'before')
    await loseStandby()
    const waiting = [0, 1].map((n) => outcomeOf(change(database, `waiting ${n}`)))
    await until(() => database.lateCommits() === 2)
    way.stop() // the answers to these commits are lost
    await findStandby()
    way.forget()
    t.same(await Promise.all(waiting), ['DATABASE_TIMEOUT', 'DATABASE_TIMEOUT'])
    await until(async () => (await outcomeOf(change(database, `after`))) === 'done')
    t.equal(database.lateCommits(), 0)
  }
)

t.test('a database closes although commits wait for a standby', { skip }, async (t) => {
  const { url, loseStandby } = await aPrimary()
  const database = await openDatabase(url, { poolMax: 1 })
  await loseStandby()
  t.equal(await outcomeOf(change(database, 'waiting')), 'DATABASE_TIMEOUT')
  await t.resolves(database.close())
})

t.test(
  'a single change that is late is not seen before its synchronous standby has it',
  { skip },
  async (t) => {
    const { url, admin, loseStandby, findStandby } = await aPrimary()
    const database = await openDatabase(url, { poolMax: 10 })
    t.teardown(() => database.close())
    const { sessionId } = await actorOf(database, await aUser(database))
    const { db } = database
    await db.update(sessions).set({ lastSeenAt: sql`now() - interval '1 hour'` })
    const observer = await openDatabase(url)
    t.teardown(() => observer.close())
    const seen = async () => ({
      jobs: await observer.db.$count(jobs, eq(jobs.name, 'a claim')),
      refusals: await observer.db.$count(activity, eq(activity.outcome, 'failure')),
      sessions: await observer.db
        .select({ at: sql`max(${sessions.lastSeenAt})::text` })
        .from(sessions)
    })
    const before = await seen()

    await loseStandby()
    const errors: unknown[] = []
    const refusals = createRefusalLog(db, (error) => errors.push(error))
    const late = [claimJob(db, 'a claim', 60), writeLastSeen(db, [[sessionId, new Date()]], 86_400)]
    const refused = refusals.note({
      reason: 'permission-denied',
      actor: anonymous,
      route: 'GET /'
    })
    for (const each of late) t.not(await outcomeOf(each), 'done')
    await refused
    t.equal(errors.length, 1)
    t.same(await seen(), before)
    const waits = await admin`select 1 from pg_stat_activity where wait_event = 'SyncRep'`
    t.ok(waits.length >= 3, 'they still wait')

    await findStandby()
    await until(async () => (await seen()).jobs === 1)
    const after = await seen()
    t.equal(after.refusals, before.refusals + 1)
    t.not(after.sessions[0]?.at, before.sessions[0]?.at)
  }
)
