import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { hasActiveAdmin } from '../access/last-admin.ts'
import { removeUser } from '../accounts/deletion.ts'
import { job } from '../actor.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import type { MailService } from '../outbox/enqueue.ts'
import { cancelDeletion } from '../sign-in/restoration.ts'
import { lockUser } from '../users/users.ts'
import { runJob } from './claim.ts'
import type { JobRun } from './claim.ts'

/** Name of the job. */
export const deletePlanned = 'delete planned accounts'
/** Accounts that one query reads. Each is deleted in a transaction of its own. */
const batchSize = 100

interface Options extends Omit<JobRun, 'name'> {
  mail: MailService | undefined
}

const isDue = and(
  eq(users.status, sql`'deactivated'`),
  isNotNull(users.deleteAt),
  sql`${users.deleteAt} <= now()`
)

/**
 * Deletes the accounts whose planned deletion is due, the oldest first, all in one run. An account
 * that fails is reported, and tried again in the next run. Skips a run that another instance is
 * doing or has just done. Never rejects. Returns the number of deleted accounts.
 */
export const deletePlannedAccounts = ({ mail, ...run }: Options) =>
  runJob<Due>({ ...run, name: deletePlanned }, async (last) => {
    const due = await findDue(run.db, last)
    let count = 0
    for (const { id } of due) {
      const isDeleted = await deleteIfDue(run.db, mail, id).catch((error: unknown) => {
        run.onError(error)
        return false
      })
      if (isDeleted) count++
    }
    return { count, next: due.length < batchSize ? undefined : due.at(-1) }
  })

interface Due {
  id: string
  /** A text, to compare it exactly. */
  deleteAt: string
}

/** The next accounts after `last`, which may be one that could not be deleted. */
const findDue = (db: Db, last: Due | undefined): Promise<Due[]> =>
  db
    .select({ id: users.id, deleteAt: sql<string>`${users.deleteAt}::text` })
    .from(users)
    .where(
      and(
        isDue,
        last && sql`(${users.deleteAt}, ${users.id}) > (${last.deleteAt}::timestamptz, ${last.id})`
      )
    )
    .orderBy(asc(users.deleteAt), asc(users.id))
    .limit(batchSize)

/**
 * False when the user has restored the account meanwhile, and for the last administrator, who can
 * only be one after a change by hand: that account is restored, because nobody else could do it.
 */
const deleteIfDue = (db: Db, mail: MailService | undefined, id: string) =>
  transaction(db, async (tx) => {
    const user = await lockUser(tx, id)
    if (!user || (await tx.$count(users, and(eq(users.id, id), isDue))) === 0) return false
    if (user.roles.includes('admin') && !(await hasActiveAdmin(tx))) {
      await cancelDeletion(tx, mail, job, user, 'last-admin')
      await bumpUsers(tx, id)
      return false
    }
    await removeUser(tx, mail, job, user)
    return true
  })
