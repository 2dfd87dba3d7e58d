import { eq, inArray } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { activity } from '../../db/schema/activity.ts'
import { flagsScope, rolesScope } from '../../db/schema/epochs.ts'
import { flagEvaluations, flagRevisions, flags, segments } from '../../db/schema/flags.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { permissions, roles } from '../../db/schema/roles.ts'
import { services } from '../../db/schema/services.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { transaction } from '../../db/transaction.ts'
import { UsageError } from '../commands/errors.ts'
import { withPortal } from '../commands/portal.ts'
import type { Portal } from '../commands/portal.ts'
import { loadConfig } from '../config/config.ts'
import type { Variables } from '../config/read-environment.ts'
import { lockRole, raiseRoles } from '../domain/access/roles.ts'
import { bump, bumpUsers } from '../domain/freshness/epochs.ts'
import { createSealing } from '../domain/sealing.ts'
import type { Sealing } from '../domain/sealing.ts'
import { revoke } from '../domain/sessions/sessions.ts'
import type { SessionRules } from '../domain/sessions/sessions.ts'
import { startSession } from '../domain/sign-in/start-session.ts'
import { createAccess, samplePermissions, sampleRoles, sampleServices } from './access.ts'
import { personActor, recordActivity } from './activity.ts'
import { createFlags, sampleFlags, sampleSegment } from './flags.ts'
import { createIds, day, isOfSample, isSampleRecord, setBack } from './history.ts'
import { writeMails } from './mails.ts'
import { importPeople, makePeople } from './people.ts'

interface SampleContext {
  db: Db
  sealing: Sealing
  sessionRules: SessionRules
}

/** By the records as well, because anything else can be deleted in the console. */
const hasSample = async (db: Db) =>
  (await db.$count(users, isOfSample(users.id))) + (await db.$count(activity, isSampleRecord)) > 0

/**
 * Stores made-up people with roles and sessions, services, flags, two weeks of activity, and mails:
 * equal ones each time, but for the moment that they lead up to and the API keys. Returns how many
 * people there are, or undefined if they exist already: then nothing is changed. After an
 * interruption, `removeSample` removes the rest.
 */
export async function fillSample(
  { db, sealing, sessionRules }: SampleContext,
  now = new Date()
): Promise<number | undefined> {
  if (await hasSample(db)) return undefined
  const newId = createIds()
  const operatorAt = (daysAgo: number) => {
    const requestId = newId(new Date(now.getTime() - daysAgo * day))
    return { type: 'cli', source: 'cli', label: 'sample', requestId } as const
  }
  const people = makePeople(now, newId)
  await createAccess(db, operatorAt)
  await importPeople(db, people, sealing, operatorAt)
  await createFlags(db, operatorAt, now)
  await transaction(db, async (tx) => {
    await recordActivity(tx, people, now, newId)
    for (const [n, person] of people.entries()) {
      const { id, lastLoginAt, proof } = person
      if (!lastLoginAt) continue
      const actor = { ...personActor(n, person), requestId: newId(lastLoginAt) }
      const attempt = { account: { id, credentialVersion: 1 }, proof, presented: [], charge: [] }
      await startSession(tx, { sessionRules, mail: undefined }, actor, attempt)
      if (n % 5 === 4) await revoke(tx, 'logout', eq(sessions.userId, id))
    }
    await setBack(tx)
    await writeMails(tx, sealing, people, now)
  })
  return people.length
}

/** Deletes what `fillSample` stored, and nothing else. Returns whether there was anything. */
export async function removeSample(db: Db): Promise<boolean> {
  if (!(await hasSample(db))) return false
  const keysOf = (all: readonly { key: string }[]) => all.map(({ key }) => key)
  return transaction(db, async (tx) => {
    const admin = await lockRole(tx, 'admin', 'no key update')
    // Their sessions, roles, factors and keys go with them.
    const gone = await tx.delete(users).where(isOfSample(users.id)).returning({ id: users.id })
    const machines = await tx
      .delete(services)
      .where(inArray(services.key, keysOf(sampleServices)))
      .returning({ id: services.id })
    await tx.delete(activity).where(isSampleRecord)
    await tx.delete(outbox).where(isOfSample(outbox.userId))
    await tx.delete(roles).where(inArray(roles.key, keysOf(sampleRoles)))
    await tx.delete(permissions).where(inArray(permissions.key, samplePermissions))
    if (admin) await raiseRoles(tx, [admin.id])
    const named = [...sampleFlags, sampleSegment]
    await tx.delete(flags).where(inArray(flags.key, named))
    await tx.delete(flagEvaluations).where(inArray(flagEvaluations.flagKey, named))
    await tx.delete(segments).where(inArray(segments.key, named))
    await tx.delete(flagRevisions).where(inArray(flagRevisions.key, named))
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
