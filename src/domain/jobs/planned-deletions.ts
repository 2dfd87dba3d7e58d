import { setTimeout as sleep } from 'node:timers/promises'
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
import { claimJob, claimSeconds, pause } from './claim.ts'

/** Name of the job. */
export const deletePlanned = 'delete planned accounts'
/** Accounts that one query reads. Each is deleted in a transaction of its own. */
const batchSize = 100

interface Options {
  db: Db
  mail: MailService | undefined
  /** Ends the run after one batch. */
  signal: AbortSignal
  onError(error: unknown): void
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
export async function deletePlannedAccounts({ db, mail, signal, onError }: Options) {
  let total = 0
  try {
    const claim = await claimJob(db, deletePlanned, claimSeconds)
    if (!claim) return total
    let last: Due | undefined
    let done = false
    try {
      do {
        const due = await findDue(db, last)
        for (const { id } of due) {
          const isDeleted = await deleteIfDue(db, mail, id).catch((error: unknown) => {
            onError(error)
            return false
          })
          if (isDeleted) total++
        }
        last = due.at(-1)
        done = due.length < batchSize
        if (!done) await sleep(pause)
      } while (!done && !signal.aborted && (await claim.keep()))
    } finally {
      await (done ? claim.finish() : claim.release())
    }
  } catch (error) {
    onError(error)
  }
  return total
}

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
