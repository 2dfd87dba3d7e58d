import { eq, inArray } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { activity } from '../../db/schema/activity.ts'
import { flagsScope, rolesScope } from '../../db/schema/epochs.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { permissions, rolePermissions, roles, userRoles } from '../../db/schema/roles.ts'
import { totp } from '../../db/schema/second-factors.ts'
import { apiKeys, serviceRoles, services } from '../../db/schema/services.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { transaction } from '../../db/transaction.ts'
import { UsageError } from '../commands/errors.ts'
import { withPortal } from '../commands/portal.ts'
import type { Portal } from '../commands/portal.ts'
import { loadConfig } from '../config/config.ts'
import type { Variables } from '../config/read-environment.ts'
import { lockRole, raiseRoles } from '../domain/access/roles.ts'
import { randomBuffer } from '../domain/crypto.ts'
import { byPassword, byTotp } from '../domain/factors/recent-authentication.ts'
import { bump, bumpUsers } from '../domain/freshness/epochs.ts'
import { newKey } from '../domain/keys/key-cache.ts'
import { createSealing } from '../domain/sealing.ts'
import type { Sealing } from '../domain/sealing.ts'
import type { SessionRules } from '../domain/sessions/sessions.ts'
import { startSession } from '../domain/sign-in/start-session.ts'
import { samplePermissions, sampleRoles } from './access.ts'
import { makeActivity, whereFrom } from './activity.ts'
import { deleteFlags, insertFlags } from './fill-flags.ts'
import { createIds, isOfSample } from './ids.ts'
import type { NewId } from './ids.ts'
import { makeMails } from './mails.ts'
import { makePeople } from './people.ts'
import type { Person } from './people.ts'
import { createChance } from './random.ts'

const day = 86_400_000

interface SampleKey {
  name: string
  /** Days since it was created, for which it is valid, and since it was last used. */
  age: number
  days: number
  used: number
  permissions?: string[]
  networks?: string[]
}

interface SampleService {
  key: string
  name: string
  description: string
  status: 'active' | 'deactivated'
  role: string
  keys: SampleKey[]
}

const sampleServices: readonly SampleService[] = [
  {
    key: 'sample-nightly-report',
    name: 'Nightly report',
    description: 'Adds up the invoices of the day',
    status: 'active',
    role: 'sample-support',
    keys: [
      { name: 'Until the move', age: 95, days: 90, used: 6 },
      { name: 'On the report server', age: 12, days: 90, used: 0.2, networks: ['192.0.2.0/24'] }
    ]
  },
  {
    key: 'sample-site-search',
    name: 'Site search',
    description: 'Reads new articles every hour',
    status: 'active',
    role: 'sample-editor',
    keys: [
      { name: 'Index', age: 40, days: 365, used: 0.02, permissions: ['sample-articles:publish'] }
    ]
  },
  {
    key: 'sample-old-importer',
    name: 'Old importer',
    description: 'Brought over the accounts of last year',
    status: 'deactivated',
    role: 'sample-beta',
    keys: []
  }
]

/** Services, and keys that nobody has. */
async function insertServices(tx: Db, newId: NewId, now: Date) {
  const before = (days: number) => new Date(now.getTime() - days * day)
  for (const { keys, role, ...service } of sampleServices) {
    const createdAt = before(100)
    const id = newId(createdAt)
    await tx.insert(services).values({ ...service, id, createdAt, updatedAt: createdAt })
    const [found] = await tx.select({ id: roles.id }).from(roles).where(eq(roles.key, role))
    if (!found) throw new Error(`the sample has no role ${role}`)
    await tx.insert(serviceRoles).values({ serviceId: id, roleId: found.id, grantedAt: createdAt })
    for (const { age, days, used, ...rest } of keys) {
      const { hash, lastFour } = newKey()
      await tx.insert(apiKeys).values({
        ...rest,
        id: newId(before(age)),
        serviceId: id,
        hash,
        lastFour,
        assurance: 1,
        createdAt: before(age),
        expiresAt: before(age - days),
        lastUsedAt: before(used)
      })
    }
  }
}

interface SampleContext {
  db: Db
  sealing: Sealing
  sessionRules: SessionRules
}

/** By the records as well, because anything else can be deleted in the console. */
async function hasSample(db: Db) {
  const people = await db.$count(users, isOfSample(users.id))
  return people > 0 || (await db.$count(activity, isOfSample(activity.id))) > 0
}

/**
 * Stores made-up people with roles and sessions, services, flags, two weeks of activity, and mails.
 * The same each time, but for the moment that it leads up to and the API keys. Returns the number
 * of people, or undefined if they exist already: then nothing is changed.
 */
export async function fillSample(
  { db, sealing, sessionRules }: SampleContext,
  now = new Date()
): Promise<number | undefined> {
  if (await hasSample(db)) return undefined
  const newId = createIds()
  const people = makePeople(now, newId)
  return transaction(db, async (tx) => {
    await tx.insert(users).values(people)
    await insertAccess(tx, people, newId, now)
    const protectedOnes = people.filter(({ secondFactor }) => secondFactor)
    await tx.insert(totp).values(
      protectedOnes.map(({ id, createdAt, lastLoginAt }) => ({
        userId: id,
        ...(lastLoginAt && { lastStep: Math.floor(lastLoginAt.getTime() / 30_000) }),
        secret: sealing.seal('totp', id, randomBuffer(20)),
        confirmedAt: createdAt,
        createdAt
      }))
    )
    await insertFlags(tx, now)
    await insertSessions(tx, people, sessionRules, newId, now)
    await insertServices(tx, newId, now)
    const records = makeActivity(now, people, newId, createChance(1))
    for (let n = 0; n < records.length; n += 200) {
      await tx.insert(activity).values(records.slice(n, n + 200))
    }
    await tx.insert(outbox).values(makeMails(now, people, newId, sealing))
    await bump(tx, rolesScope)
    await bump(tx, flagsScope)
    return people.length
  })
}

const hoursBefore = (now: Date, hours: number) => new Date(now.getTime() - hours * 3_600_000)

/** Gives the role `admin` a new version, and returns its id: it gets or loses permissions. */
async function raiseAdmin(tx: Db) {
  const admin = await lockRole(tx, 'admin', 'no key update')
  if (!admin) throw new Error('the role admin is missing: migrate the database')
  await raiseRoles(tx, [admin.id])
  return admin.id
}

async function insertAccess(tx: Db, people: Person[], newId: NewId, now: Date) {
  const createdAt = hoursBefore(now, 312)
  await tx
    .insert(permissions)
    .values(samplePermissions.map(([key, description]) => ({ key, description, createdAt })))
  const made = sampleRoles.map(({ permissions, every, ...role }) => ({
    row: { ...role, id: newId(createdAt), createdAt, updatedAt: createdAt },
    permissions,
    every
  }))
  await tx.insert(roles).values(made.map(({ row }) => row))
  const adminId = await raiseAdmin(tx)
  await tx.insert(rolePermissions).values([
    // As if each had been created in the console.
    ...samplePermissions.map(([permissionKey]) => ({ roleId: adminId, permissionKey })),
    ...made.flatMap(({ row, permissions }) =>
      permissions.map((permissionKey) => ({ roleId: row.id, permissionKey }))
    )
  ])
  const [everybody] = await tx.select({ id: roles.id }).from(roles).where(eq(roles.key, 'user'))
  await tx
    .insert(userRoles)
    .values(
      people.flatMap(({ id: userId }, n) => [
        ...(everybody ? [{ userId, roleId: everybody.id }] : []),
        ...made
          .filter(({ every }) => n % every === 0)
          .map(({ row }) => ({ userId, roleId: row.id }))
      ])
    )
}

/** Sessions whose secret nobody has, begun as every session is and then set back in time. */
async function insertSessions(
  tx: Db,
  people: Person[],
  rules: SessionRules,
  newId: NewId,
  now: Date
) {
  const services = { sessionRules: rules, mail: undefined }
  for (const [n, { id, email, lastLoginAt, secondFactor }] of people.entries()) {
    if (!lastLoginAt) continue
    const actor = { type: 'user', source: 'api', id, label: email, ...whereFrom(n) } as const
    const signIn = await startSession(tx, services, actor, {
      account: { id, credentialVersion: 1 },
      proof: secondFactor ? byTotp : byPassword,
      presented: [],
      charge: []
    })
    const sessionId = signIn?.session?.id
    if (sessionId === undefined) throw new Error('a session of the sample did not begin')
    const later = new Date(lastLoginAt.getTime() + 600_000)
    const times = {
      createdAt: lastLoginAt,
      lastSeenAt: new Date((lastLoginAt.getTime() + now.getTime()) / 2),
      expiresAt: new Date(lastLoginAt.getTime() + rules.absoluteSeconds * 1000),
      ...(n % 5 === 4 && { revokedAt: later, revokeReason: 'logout' as const })
    }
    await tx.update(sessions).set(times).where(eq(sessions.userId, id))
    await tx.update(users).set({ lastLoginAt }).where(eq(users.id, id))
    await tx
      .update(activity)
      .set({ id: newId(lastLoginAt), at: lastLoginAt })
      .where(eq(activity.sessionId, sessionId))
  }
}

/** Deletes what `fillSample` stored, and nothing else. Returns whether there was anything. */
export async function removeSample(db: Db): Promise<boolean> {
  if (!(await hasSample(db))) return false
  return transaction(db, async (tx) => {
    // What belongs to them goes with them: sessions, roles, factors and keys.
    const gone = await tx.delete(users).where(isOfSample(users.id)).returning({ id: users.id })
    const machines = await tx
      .delete(services)
      .where(isOfSample(services.id))
      .returning({ id: services.id })
    await tx.delete(activity).where(isOfSample(activity.id))
    await tx.delete(outbox).where(isOfSample(outbox.id))
    await tx.delete(roles).where(isOfSample(roles.id))
    const ownPermissions = samplePermissions.map(([key]) => key)
    await tx.delete(permissions).where(inArray(permissions.key, ownPermissions))
    await raiseAdmin(tx)
    await deleteFlags(tx)
    await bumpUsers(tx, ...[...gone, ...machines].map(({ id }) => id))
    await bump(tx, rolesScope)
    await bump(tx, flagsScope)
    return true
  })
}

/** Fills the development database with made-up data, or takes it back. Returns what to print. */
export const runSample = async (isOff: boolean, env?: Variables): Promise<string> => {
  const config = loadConfig(env)
  if (!config.development) {
    throw new UsageError('Sample data is for development only. Nothing was changed.')
  }
  return withPortal(
    (portal) => changeSample(portal, isOff),
    () => config
  )
}

async function changeSample({ config, database, db, sessionRules }: Portal, isOff: boolean) {
  if (!database.local) {
    throw new UsageError('Sample data is for a database on this machine only. Nothing was changed.')
  }
  if (isOff) {
    return (await removeSample(db)) ? 'The sample data was removed.' : 'There is no sample data.'
  }
  const sealing = createSealing(config.SECRET_KEYS)
  const people = await fillSample({ db, sealing, sessionRules })
  return people === undefined
    ? 'The sample data exists already.'
    : `The database has ${people} made-up people now, with roles, flags, activity and mail.`
}
