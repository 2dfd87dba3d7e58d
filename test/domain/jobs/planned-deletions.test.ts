import { randomBytes } from 'node:crypto'
import { eq, inArray, sql } from 'drizzle-orm'
import t from 'tap'
import type { Db } from '../../../db/engine.ts'
import { activity } from '../../../db/schema/activity.ts'
import { jobs } from '../../../db/schema/jobs.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { grantRole } from '../../../src/domain/access/memberships.ts'
import { verifyEmail } from '../../../src/domain/administration/users.ts'
import { deletePlannedAccounts } from '../../../src/domain/jobs/planned-deletions.ts'
import { openPayload } from '../../../src/domain/outbox/enqueue.ts'
import { createSealing } from '../../../src/domain/sealing.ts'
import { lockUser } from '../../../src/domain/users/users.ts'
import { aUser, onPglite, operator, testDatabase, until } from '../../support/app.ts'
import { waitingForLocks } from '../../support/locks.ts'
import { stateOf } from '../../support/planned-deletions.ts'

const sealing = createSealing([{ kid: 'test', secret: randomBytes(32) }])
const mail = { sealing, delivers: false, verification: 'off', signInNotices: false } as const

const database = await testDatabase(t)

/** The shared database without what earlier tests left in it. */
async function aPortal() {
  const { db } = database
  await db.execute(sql`alter table activity drop constraint if exists refused`)
  for (const table of [users, activity, outbox, jobs]) await db.delete(table)
  const errors: unknown[] = []
  return {
    db,
    errors,
    run: (signal = new AbortController().signal) =>
      deletePlannedAccounts({ db, mail, signal, onError: (error) => errors.push(error) }),
    /** A user whose deletion is due in some seconds, or was. */
    async planned(seconds: number, ...roles: string[]) {
      const user = await aUser(database)
      await verifyEmail(db, operator, { userId: user.id })
      for (const role of roles) await grantRole(db, operator, { userId: user.id, role })
      const deleteAt = sql`now() + make_interval(secs => ${seconds}::float8)`
      await db.update(users).set({ status: 'deactivated', deleteAt }).where(eq(users.id, user.id))
      return user
    }
  }
}

const recordsOf = (db: Db, action: string) =>
  db.select().from(activity).where(eq(activity.action, action))

/** Moves the last run an hour back. */
const letHourPass = (db: Db) => db.update(jobs).set({ beganAt: sql`now() - interval '1 hour'` })

t.test('what is due is deleted by the system, and nothing else', async (t) => {
  const { db, errors, run, planned } = await aPortal()
  const [due, later] = [await planned(-1), await planned(3600)]
  const deactivated = await aUser(database)
  await db.update(users).set({ status: 'deactivated' }).where(eq(users.id, deactivated.id))
  // An instance of an older version that reactivates a user leaves this row.
  const active = await planned(-1)
  await db.update(users).set({ status: 'active' }).where(eq(users.id, active.id))

  t.equal(await run(), 1)
  t.same(errors, [])
  t.equal(await stateOf({ db }, due), undefined)
  for (const user of [later, deactivated, active]) t.ok(await stateOf({ db }, user))
  t.match(await recordsOf(db, 'user.delete'), [
    { actorType: 'system', source: 'job', targetId: due.id, details: { email: due.email } }
  ])
  const rows = await db.select().from(outbox).where(eq(outbox.kind, 'account-deleted'))
  t.match(
    rows.map(({ id, payload }) => openPayload(sealing, id, payload)),
    [{ to: due.email }]
  )
})

t.test('two jobs at once delete each account once', async (t) => {
  const { db, errors, run, planned } = await aPortal()
  for (let n = 0; n < 10; n++) await planned(-1)
  const other = { db, mail, signal: new AbortController().signal, onError() {} }
  // The second finds the job claimed; the third has lost its claim to nobody.
  const counts = await Promise.all([run(), run(), deletePlannedAccounts(other)])
  t.equal(
    counts.reduce((sum, each) => sum + each),
    10
  )
  t.same(errors, [])
  t.equal((await recordsOf(db, 'user.delete')).length, 10)
})

const concurrent = { skip: onPglite && 'PGlite has one connection' }

t.test('an account that is restored in the moment of its deletion stays', concurrent, async (t) => {
  const { db, errors, run, planned } = await aPortal()
  const user = await planned(-1)
  let running: Promise<number> | undefined
  await transaction(db, async (tx) => {
    await lockUser(tx, user.id)
    running ??= run()
    // The job has found the account and waits for the lock.
    await until(async () => (await waitingForLocks(db)) > 0)
    await tx.update(users).set({ status: 'active', deleteAt: null }).where(eq(users.id, user.id))
  })
  t.equal(await running, 0)
  t.same(errors, [])
  t.same(await stateOf({ db }, user), { status: 'active', deleteAt: null })
})

t.test('the last administrator is restored instead, and gets one mail', async (t) => {
  const { db, errors, run, planned } = await aPortal()
  const [admin, user] = [await planned(-2, 'admin'), await planned(-1)]
  t.equal(await run(), 1)
  t.equal(await stateOf({ db }, user), undefined)
  t.same(await stateOf({ db }, admin), { status: 'active', deleteAt: null })
  await letHourPass(db)
  t.equal(await run(), 0)
  t.same(errors, [])
  t.match(await recordsOf(db, 'user.deletion-cancel'), [
    { actorType: 'system', targetId: admin.id, reason: 'last-admin' }
  ])
  const rows = await db.select().from(outbox).where(eq(outbox.kind, 'deletion-cancelled'))
  t.match(
    rows.map(({ id, payload }) => openPayload(sealing, id, payload)),
    [{ to: admin.email, content: { reason: 'last-admin' } }]
  )
})

t.test('an administrator who is not the last one is deleted', async (t) => {
  const { db, run, planned } = await aPortal()
  const admin = await planned(-1, 'admin')
  const other = await aUser(database)
  await grantRole(db, operator, { userId: other.id, role: 'admin' })
  t.equal(await run(), 1)
  t.equal(await stateOf({ db }, admin), undefined)
})

t.test(
  'accounts are deleted in batches, and one that fails does not stop the others',
  async (t) => {
    const { db, errors, run, planned } = await aPortal()
    const [first] = await Promise.all([planned(-1000), planned(-1)])
    await db.execute(sql`insert into users
    (id, email, email_normalized, name, status, delete_at)
    select gen_random_uuid(), 'n' || n || '@example.com', 'n' || n || '@example.com', 'N',
      'deactivated', now() - n * interval '1 second' from generate_series(1, 120) n`)
    // Nothing references an activity record, so that a check is what refuses this one.
    await db.execute(
      sql.raw(`alter table activity add constraint refused
    check (action <> 'user.delete' or target_id <> '${first.id}') not valid`)
    )
    t.equal(await run(AbortSignal.abort()), 99, 'a run that is stopped ends after a batch')
    t.equal(errors.length, 1)
    t.equal(await run(), 22, 'and another one goes on')
    t.equal(errors.length, 2)
    const left = await db
      .select({ id: users.id })
      .from(users)
      .where(inArray(users.status, ['deactivated']))
    t.same(left, [{ id: first.id }])
  }
)

t.test('a whole batch that fails does not keep the others from their turn', async (t) => {
  const { db, planned } = await aPortal()
  const last = await planned(-1)
  await db.execute(sql`insert into users
    (id, email, email_normalized, name, status, delete_at)
    select gen_random_uuid(), n || '@stuck', n || '@stuck', 'N', 'deactivated',
      now() - n * interval '1 minute' from generate_series(1, 100) n`)
  await db.execute(
    sql.raw(`alter table activity add constraint refused
    check (action <> 'user.delete' or details ->> 'email' not like '%@stuck') not valid`)
  )
  const stop = new AbortController()
  let failed = 0
  const onError = () => {
    if (++failed > 150) stop.abort()
  }
  t.equal(await deletePlannedAccounts({ db, mail, signal: stop.signal, onError }), 1)
  t.equal(failed, 100)
  t.equal(await stateOf({ db }, last), undefined)
})
