import { randomBytes } from 'node:crypto'
import { eq, gt, isNotNull, like } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import t from 'tap'
import type { Database } from '../../db/client.ts'
import { activity } from '../../db/schema/activity.ts'
import { flagEvaluations, flagRevisions, flags, segments } from '../../db/schema/flags.ts'
import { mailKinds, outbox } from '../../db/schema/outbox.ts'
import { permissions, rolePermissions, roles, userRoles } from '../../db/schema/roles.ts'
import { totp } from '../../db/schema/second-factors.ts'
import { apiKeys, serviceRoles, services } from '../../db/schema/services.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { createRole, findRole } from '../../src/domain/access/roles.ts'
import { listStaleFlags } from '../../src/domain/flags/evaluation-counts.ts'
import { createFlag, findFlag, listFlags, updateFlag } from '../../src/domain/flags/flags.ts'
import { findSegment, updateSegment } from '../../src/domain/flags/segments.ts'
import { assertValidFlag } from '../../src/domain/flags/validation.ts'
import { openDevMails } from '../../src/domain/outbox/list.ts'
import { createSealing } from '../../src/domain/sealing.ts'
import { fillSample, removeSample, runSample } from '../../src/sample/command.ts'
import { aUser, operator, testDatabase, testDatabaseUrl } from '../support/app.ts'
import { rules } from '../support/test-config.ts'

const sealing = createSealing([{ kid: 'test', secret: randomBytes(32) }])
const now = new Date()
const fill = ({ db }: Database) => fillSample({ db, sealing, sessionRules: rules }, now)

const tables = {
  users,
  userRoles,
  roles,
  rolePermissions,
  permissions,
  sessions,
  services,
  serviceRoles,
  apiKeys,
  totp,
  flags,
  flagRevisions,
  flagEvaluations,
  segments,
  activity,
  outbox
}

/** The rows of each table as text, in an order of their own. */
async function rowsOf({ db }: Database) {
  const texts: Record<string, string[]> = {}
  for (const [name, table] of Object.entries(tables)) {
    const rows: object[] = await db.select().from(table)
    texts[name] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return texts
}

async function countsOf(database: Database) {
  const texts = Object.entries(await rowsOf(database))
  return new Map(texts.map(([name, { length }]) => [name, length]))
}

const samplesOf = async ({ db }: Database) => [
  await db.select({ id: users.id, email: users.email }).from(users).orderBy(users.id),
  await db
    .select({ id: activity.id, at: activity.at, action: activity.action })
    .from(activity)
    .orderBy(activity.id)
]

t.test('the sample fills every view, once, and is the same each time', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const before = await countsOf(database)
  t.equal(await fill(database), 40)
  const other = await testDatabase(t)
  await fill(other)
  t.same(await samplesOf(database), await samplesOf(other))
  const after = await countsOf(database)
  for (const [name, count] of after) t.ok(count > (before.get(name) ?? 0), name)
  t.ok((after.get('activity') ?? 0) > 300, 'records of two weeks')
  t.equal(await fill(database), undefined)
  t.same(await countsOf(database), after, 'a second time changes nothing')

  const times: PgColumn[] = [
    activity.at,
    sessions.createdAt,
    services.createdAt,
    serviceRoles.grantedAt
  ]
  times.push(apiKeys.createdAt, totp.confirmedAt, outbox.doneAt, flagRevisions.at)
  times.push(flags.createdAt, flags.updatedAt, segments.createdAt, segments.updatedAt)
  for (const time of [...times, users.lastLoginAt, users.emailVerifiedAt]) {
    t.equal(await db.$count(time.table, gt(time, now)), 0, `${time.name} is in the past`)
  }
  const signedIn = await db.$count(users, isNotNull(users.lastLoginAt))
  t.equal(await db.$count(users, like(users.passwordHash, `$2b$__$${'.'.repeat(53)}`)), signedIn)
  t.equal(await db.$count(users, isNotNull(users.passwordHash)), signedIn, 'no password is known')

  const caught = await openDevMails(db, sealing, { limit: 100 })
  t.same(
    caught.flatMap(({ payload }) => ('content' in payload ? [payload.content.kind] : [])).sort(),
    [...mailKinds].sort(),
    'a mail of every kind can be read'
  )
  const { permissions: held } = await findRole(db, 'admin')
  t.equal(held.length, after.get('permissions'), 'the role admin has every permission')
  const { items } = await listFlags(db, { limit: 50, sort: 'key' })
  t.equal(items.length, 5)
  for (const { key } of items) {
    await t.resolves(findFlag(db, key).then((flag) => assertValidFlag(db, flag)))
  }
  const stale = await listStaleFlags(db, { days: 30, limit: 50, sort: 'key' })
  t.match(stale.items, [{ key: 'sample.old-export', reason: 'disabled' }])

  const changes = { description: 'Changed' }
  for (const { key } of items) {
    const { version } = await findFlag(db, key)
    const changed = await updateFlag(db, operator, { key, changes })
    t.equal(changed.version, version + 1, 'the history has the flag as it was')
  }
  const [segment] = await db.select().from(segments)
  const { version } = await findSegment(db, segment?.key ?? '')
  await updateSegment(db, operator, { key: segment?.key ?? '', changes })
  t.equal((await findSegment(db, segment?.key ?? '')).version, version + 1)
})

t.test('taking the sample back leaves all other data', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const user = await aUser(database)
  await createRole(db, operator, { key: 'mine', name: 'Mine', permissions: ['users:read'] })
  await grantRole(db, operator, { userId: user.id, role: 'mine' })
  const variants = { on: true, off: false }
  const flag = { key: 'mine', type: 'boolean', variants } as const
  await createFlag(db, operator, { ...flag, defaultVariant: 'on', offVariant: 'off' })
  const before = await rowsOf(database)
  const admin = await findRole(db, 'admin')
  t.equal(await removeSample(db), false, 'there is none yet')
  await fill(database)
  t.equal(await removeSample(db), true)
  const { version, permissions: held } = await findRole(db, 'admin')
  t.same(held, admin.permissions)
  t.ok(version > admin.version, 'an ETag names one state of the role admin')
  await db
    .update(roles)
    .set({ version: admin.version, updatedAt: admin.updatedAt })
    .where(eq(roles.key, 'admin'))
  t.same(await rowsOf(database), before)
  t.equal(await fill(database), 40, 'it can be filled in again')
})

t.test('the command fills and takes back in development, and refuses in production', async (t) => {
  const DATABASE_URL = await testDatabaseUrl(t)
  const env = {
    DATABASE_URL,
    PUBLIC_ORIGIN: 'https://portal.example.com',
    SECRET_KEYS: `test:${randomBytes(32).toString('base64url')}`
  }
  await t.rejects(async () => runSample(false, { ...env, NODE_ENV: 'production' }), {
    message: 'Sample data is for development only. Nothing was changed.'
  })
  const development = { ...env, NODE_ENV: 'development', PUBLIC_ORIGIN: 'http://localhost:3000' }
  t.match(await runSample(true, development), 'There is no sample data.', 'nothing was changed')
  t.match(await runSample(false, development), 'The database has 40 made-up people now')
  t.match(await runSample(false, development), 'exists already')
  t.match(await runSample(true, development), 'The sample data was removed.')
})
