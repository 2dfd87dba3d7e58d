import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { v7 as uuid } from 'uuid'
import { openDatabase } from '../../../db/client.ts'
import { activity } from '../../../db/schema/activity.ts'
import { flagEvaluations } from '../../../db/schema/flags.ts'
import { idempotencyKeys } from '../../../db/schema/idempotency.ts'
import { jobs } from '../../../db/schema/jobs.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { endedScopes, invitations } from '../../../db/schema/scopes.ts'
import { spentChallenges } from '../../../db/schema/second-factors.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { registrations, tokens } from '../../../db/schema/tokens.ts'
import { deliveries } from '../../../db/schema/webhooks.ts'
import { createRole } from '../../../src/domain/access/roles.ts'
import { sha256 } from '../../../src/domain/crypto.ts'
import { findRecentJobs } from '../../../src/domain/jobs/claim.ts'
import { expiredRows, oldActivity, sweep } from '../../../src/domain/jobs/sweep.ts'
import { deleteOld } from '../../../src/domain/jobs/delete-batches.ts'
import type { Batch } from '../../../src/domain/jobs/delete-batches.ts'
import {
  aUser,
  freshEmail,
  onPglite,
  operator,
  testDatabase,
  testDatabaseUrl
} from '../../support/app.ts'
import { aDelivery, anEndpoint } from '../../support/webhooks.ts'

const day = 86_400_000

const record = (days: number) => ({
  id: uuid(),
  at: sql`now() - make_interval(days => ${days})`,
  action: 'auth.login',
  outcome: 'success' as const,
  actorType: 'anonymous' as const,
  source: 'api' as const
})

t.test('a role without the right to update records can delete old ones', async (t) => {
  const url = await testDatabaseUrl(t)
  const owner = await openDatabase(url)
  const role = `portal_${randomBytes(6).toString('hex')}`
  await owner.db.insert(activity).values([100, 200, 300].map(record))
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
  t.match(await deleteOld(limited.db, oldActivity(180), 10), { deleted: 2, next: undefined })

  if (onPglite) return owner.close()
  await limited.close()
  await owner.db.execute(sql.raw(`drop owned by ${role}`))
  await owner.db.execute(sql.raw(`drop role ${role}`))
  await owner.close()
})

t.test(
  'sessions that were revoked or expired more than thirty days ago are deleted, and no others',
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
      await add(40, 32, -10, 30.1),
      await add(40, 32, 10, 30.1),
      await add(33, 31.5, -30.5)
    ]
    const kept = [
      await add(60, 0.5, 10),
      await add(40, 31.1, 10), // idle, and not yet expired for thirty days
      await add(31.5, 31.2, -24.5),
      await add(40, 29.95, -10, 29.9),
      await add(29, 29, -22, 28.9),
      await add(0, 0, 7)
    ]

    let place: Batch['next']
    let deleted = 0
    do {
      const batch = await deleteOld(db, expiredRows['dead sessions'], 2, place)
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

/** A database in which no job has run. */
async function aDatabase(t: Test) {
  const database = await testDatabase(t)
  await database.db.delete(jobs)
  return database
}

/** Runs a sweep and returns its reports. */
async function aSweep(
  db: Parameters<typeof sweep>[0]['db'],
  signal = new AbortController().signal
) {
  const reported: unknown[][] = []
  await sweep({
    db,
    recent: await findRecentJobs(db),
    retentionDays: 180,
    signal,
    onDeleted: (...deleted) => reported.push(deleted),
    onError: (what) => reported.push([what, 'failed'])
  })
  return reported
}

t.test('a sweep deletes all old rows in batches and reports them once', async (t) => {
  const { db } = await aDatabase(t)
  await db.insert(activity).values(Array.from({ length: 1001 }, () => record(200)))
  await db.insert(activity).values(record(100))
  t.same(await aSweep(db), [['old activity', 1001]])
  t.equal((await db.select().from(activity)).length, 1)
  t.same(await aSweep(db), [], 'and not again before its time')
})

t.test('a stopped sweep ends after a batch and leaves the rest to other instances', async (t) => {
  const { db } = await aDatabase(t)
  await db.insert(activity).values(Array.from({ length: 2001 }, () => record(200)))
  t.same(await aSweep(db, AbortSignal.abort()), [['old activity', 1000]])
  t.same(await aSweep(db), [['old activity', 1001]])
})

t.test(
  'a sweep deletes old mail, and tokens, registrations and challenges that have expired',
  async (t) => {
    const { db } = await aDatabase(t)
    const expiresAt = sql`now() - interval '1 minute'`
    const doneAt = sql`now() - interval '8 days'`
    const mail = { kind: 'recovery', state: 'sent', expiresAt, doneAt } as const
    await db.insert(outbox).values({ id: uuid(), ...mail })
    const aRegistration = async (values: { expiresAt: SQL }) => {
      const [id, email, passwordHash] = [uuid(), freshEmail(), `$2b$04$${'x'.repeat(53)}`]
      const row = { id, email, emailNormalized: email, name: 'Ada', passwordHash, ...values }
      await db.insert(registrations).values(row)
      return id
    }
    await aRegistration({ expiresAt })
    const registrationId = await aRegistration({ expiresAt: sql`now() + interval '1 hour'` })
    const token = { purpose: 'confirm', registrationId, expiresAt } as const
    await db.insert(tokens).values({ hash: sha256('a'), ...token })
    await db.insert(spentChallenges).values([
      { hash: sha256('a'), expiresAt },
      { hash: sha256('b'), expiresAt: sql`now() + interval '1 minute'` }
    ])
    t.same(await aSweep(db), [
      ['old mail', 1],
      ['expired tokens', 1],
      ['expired registrations', 1],
      ['expired challenges', 1]
    ])
  }
)

t.test(
  'a sweep keeps deliveries for seven days, and for thirty if they were given up',
  async (t) => {
    const database = await aDatabase(t)
    const { db } = database
    const endpoint = await anEndpoint(database)
    const done = (state: 'delivered' | 'dead', days: number) =>
      aDelivery(database, endpoint, { state, doneAt: new Date(Date.now() - days * day) })
    await aDelivery(database, endpoint, { createdAt: new Date(Date.now() - 40 * day) })
    await done('delivered', 7.1)
    await done('dead', 30.1)
    await done('delivered', 6.9)
    await done('dead', 29.9)
    t.same(await aSweep(db), [['old deliveries', 2]])
    const left = (await db.select().from(deliveries)).map(({ state }) => state)
    t.same(left.sort(), ['dead', 'delivered', 'pending'])
  }
)

t.test('a sweep keeps idempotency keys for a day', async (t) => {
  const { db } = await aDatabase(t)
  const createdAt = (hours: number) => sql`now() - make_interval(hours => ${hours})`
  const key = (hours: number) => ({ hash: sha256(`${hours}`), createdAt: createdAt(hours) })
  await db
    .insert(idempotencyKeys)
    .values([23, 25].map((hours) => ({ ...key(hours), request: sha256('') })))
  t.same(await aSweep(db), [['old idempotency keys', 1]])
})

t.test('a sweep deletes evaluations of flags after 90 days', async (t) => {
  const { db } = await aDatabase(t)
  const daysAgo = (days: number) => ({
    flagKey: 'new-checkout',
    day: sql`(now() at time zone 'UTC')::date - ${days}::int`,
    ...{ variant: 'on', kind: 'bulk' as const, count: 1 }
  })
  await db.insert(flagEvaluations).values([0, 89, 90, 91].map(daysAgo))
  t.same(await aSweep(db), [['old evaluations', 2]])
  t.equal((await db.select().from(flagEvaluations)).length, 2)
})

t.test('a sweep deletes expired invitations, and marks of scopes after 90 days', async (t) => {
  const database = await aDatabase(t)
  const { db } = database
  const { id } = await aUser(database)
  const { id: roleId } = await createRole(db, operator, { key: 'crew', name: 'Crew', scoped: true })
  const invitation = (scope: string, minutes: number) => ({
    ...{ id: uuid(), scope, roleId, email: 'a@example.com', emailNormalized: 'a@example.com' },
    ...{ invitedBy: id, tokenHash: sha256(scope) },
    expiresAt: sql`now() + make_interval(mins => ${minutes})`
  })
  await db.insert(invitations).values([invitation('org:1', -1), invitation('org:2', 1)])
  const mark = (scope: string, days: number) => ({
    scope,
    endedAt: sql`now() - make_interval(days => ${days}, secs => 0.001)` // the column rounds up
  })
  await db.insert(endedScopes).values([mark('org:3', 89), mark('org:4', 90)])
  t.same(await aSweep(db), [
    ['expired invitations', 1],
    ['old marks of deleted scopes', 1]
  ])
  t.match(await db.select().from(invitations), [{ scope: 'org:2' }])
  t.match(await db.select().from(endedScopes), [{ scope: 'org:3' }])
})

t.test('every failed sweep is reported', async (t) => {
  const { db } = await aDatabase(t)
  await db.insert(activity).values(record(200))
  await db.execute(sql`alter table throttle rename to elsewhere`)
  t.same(await aSweep(db), [
    ['old activity', 1],
    ['unused throttles', 'failed'],
    ['forgotten throttles', 'failed']
  ])
  const names = (await db.select({ name: jobs.name }).from(jobs)).map(({ name }) => name)
  const all = [
    'dead keys',
    'dead sessions',
    'expired challenges',
    'expired invitations',
    'expired logins',
    'expired registrations',
    'expired tokens',
    'forgotten throttles',
    'late deliveries',
    'old activity',
    'old confirmation mails',
    'old deliveries',
    'old evaluations',
    'old idempotency keys',
    'old mail',
    'old marks of deleted scopes',
    'old versions of flags',
    'unused throttles'
  ]
  t.same(
    names.toSorted(),
    all.map((what) => `delete ${what}`),
    'the others were done'
  )
})
