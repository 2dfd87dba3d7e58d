import { and, asc, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { activity } from '../../../db/schema/activity.ts'
import { flagRevisions } from '../../../db/schema/flags.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { runJob } from './claim.ts'
import type { JobRun } from './claim.ts'
import { batchSize } from './sweep.ts'

/** Name of the job. */
export const forgetDeleted = 'forget addresses'

const { details } = activity
/** Without what `details` of an action on a user may say about the address. */
const withoutAddress = sql`${details} - 'email' - 'before' - 'after' #- '{changes,email}'`
const hasAddress = sql`${details} <> ${withoutAddress}`
/** The record of a deletion keeps the address until all others are done. */
const isDeletion = and(eq(activity.action, 'user.delete'), eq(activity.targetType, 'user'))

/**
 * Removes the e-mail addresses of deleted users from the activity, in batches. Skips a run that
 * another instance is doing or has just done. Never rejects. Returns the number of users.
 */
export const forgetAddresses = (run: Omit<JobRun, 'name'>) =>
  runJob({ ...run, name: forgetDeleted }, async () => {
    const id = await findDeleted(run.db)
    if (id === null) return { count: 0, next: undefined }
    await forget(run.db, id)
    return { count: 1, next: {} }
  })

/** A user who was deleted, and not imported again with the same id since. */
async function findDeleted(db: Db) {
  // The cast lets the primary key find the user. Targets of other types have other ids.
  const user = sql`case when ${activity.targetType} = 'user' then ${activity.targetId}::uuid end`
  const [found] = await db
    .select({ id: activity.targetId })
    .from(activity)
    .leftJoin(users, sql`${users.id} = ${user}`)
    .where(and(isDeletion, hasAddress, isNull(users.id)))
    .orderBy(asc(activity.at), asc(activity.id))
    .limit(1)
  return found?.id ?? null
}

async function forget(db: Db, id: string) {
  const isTarget = and(eq(activity.targetId, id), eq(activity.targetType, 'user'), hasAddress)
  const isActor = and(sql`${activity.actorId} = ${id}::uuid`, isNotNull(activity.actorLabel))
  await overwrite(db, isActor, { actorLabel: null })
  await forgetActor(db, id)
  await overwrite(db, and(isTarget, ne(activity.action, 'user.delete')), {
    details: withoutAddress
  })
  await overwrite(db, isTarget, { details: withoutAddress })
}

/**
 * In the history of flags, which is short. The id goes as well: the sweep finds old authors by
 * their labels, and records of the same changes have it.
 */
const forgetActor = (db: Db, id: string) =>
  transaction(db, (tx) =>
    tx
      .update(flagRevisions)
      .set({ actorId: null, actorLabel: null })
      .where(eq(flagRevisions.actorId, id))
  )

async function overwrite(
  db: Db,
  which: SQL | undefined,
  values: { actorLabel: null } | { details: SQL }
) {
  // With `at`, by which the table may be partitioned.
  const rows = db.select({ at: activity.at, id: activity.id }).from(activity).where(which)
  const isNext = sql`(${activity.at}, ${activity.id}) in ${rows.limit(batchSize)}`
  let count: number
  do {
    const done = await transaction(db, (tx) =>
      tx.update(activity).set(values).where(isNext).returning({ id: activity.id })
    )
    count = done.length
  } while (count === batchSize)
}
