import { eq, inArray } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { activity } from '../../db/schema/activity.ts'
import { flagsScope, rolesScope } from '../../db/schema/epochs.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { permissions } from '../../db/schema/permissions.ts'
import { rolePermissions, roles, userRoles } from '../../db/schema/roles.ts'
import { totp } from '../../db/schema/second-factors.ts'
import { services } from '../../db/schema/services.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { transaction } from '../../db/transaction.ts'
import { lockRole, raiseRoles } from '../domain/access/roles.ts'
import { randomBuffer } from '../domain/crypto.ts'
import { byPassword, byTotp } from '../domain/factors/proofs.ts'
import { bump, bumpUsers } from '../domain/freshness/epochs.ts'
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
import { insertServices } from './services.ts'

interface SampleServices {
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
  { db, sealing, sessionRules }: SampleServices,
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
