import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import type { UserRow } from '../../../db/schema/users.ts'
import { requireOtherAdmin } from '../access/last-admin.ts'
import { changeAs } from '../access/rights.ts'
import { record } from '../activity/record.ts'
import type { Actor, Permitted } from '../actor.ts'
import { userNotFound } from '../errors.ts'
import { endPendingLogins } from '../factors/pending-logins.ts'
import { requireProofIfOwn } from '../factors/recent-authentication.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { notify, factsOf } from '../mail/notices.ts'
import { requireRevision } from '../revisions.ts'
import type { Expected } from '../revisions.ts'
import { revoke } from '../sessions/sessions.ts'
import { deleteLinkTokens } from '../tokens/tokens.ts'
import { cancelDeletion } from '../sign-in/restoration.ts'
import { lockUser } from '../users/lock.ts'
import type { LockedUser } from '../users/lock.ts'
import { plannedDeletion } from '../users/presence.ts'
import { findUser, userRevision, writeUser } from '../users/users.ts'
import { cleanChanges, writeChanges } from '../accounts/changes.ts'
import type { Changes } from '../accounts/changes.ts'
import { revertPurposes } from '../mail/revert-links.ts'
import type { Services } from '../sign-in/services.ts'

interface UserUpdate {
  id: string
  changes: Changes & { status?: UserRow['status'] | undefined }
  expected?: Expected
}

/**
 * Changes a user. Throws `exceeds-own-permissions` for the address or status of a user who has more
 * permissions than the actor, `reauthentication-required` for those of the actor, `email-taken`,
 * `last-admin` and `precondition-failed`.
 */
export async function updateUser(
  { db, mail }: Pick<Services, 'db' | 'mail'>,
  actor: Actor,
  { id, changes, expected }: UserUpdate
) {
  const { status, ...data } = changes
  const columns = await cleanChanges(data)
  const lock = (tx: Db) => lockUser(tx, id)
  return changeAs(db, actor, 'users:update', lock, async (tx, by, target) => {
    if (!target) throw userNotFound()
    requireRevision(userRevision(target), expected)
    // An operator's deactivation replaces the user's plan, which the user could cancel.
    const isNew = status !== target.status || target.deleteAt !== null
    const newStatus = status !== undefined && isNew ? status : undefined
    if (newStatus || (columns.email !== undefined && columns.email !== target.email)) {
      by.requireAll(target.permissions)
      await requireProofIfOwn(tx, by, target)
    }

    const changed = await writeChanges(tx, by, target, columns)
    // A new address waits for another user who is about to get it.
    if (changed && columns.email) await by.judgeAgain()
    if (
      columns.emailNormalized !== undefined &&
      columns.emailNormalized !== target.emailNormalized
    ) {
      // Without a link to restore it, and without those of changes before: an operator may have
      // moved the account away from a mailbox that was taken over.
      await deleteLinkTokens(tx, [...revertPurposes], { userId: id })
      await notify(tx, mail, target, { kind: 'email-changed', ...factsOf(by) })
    }
    if (newStatus === 'deactivated') await deactivate(tx, by, target)
    if (newStatus === 'active') {
      // Its mail is for the address of after the change: the old one may be somebody else's by now.
      const restored = plannedDeletion(target) ? await lockUser(tx, id) : undefined
      if (restored) await cancelDeletion(tx, mail, by, restored)
      else await reactivate(tx, by, target)
    }
    if (changed || newStatus) await bumpUsers(tx, id)
    return findUser(tx, id)
  })
}

async function reactivate(tx: Db, by: Permitted, { id }: LockedUser) {
  await writeUser(tx, id, { status: 'active', deleteAt: null })
  await record(tx, by, 'user.reactivate', { userId: id })
}

async function deactivate(tx: Db, by: Permitted, user: LockedUser) {
  await requireOtherAdmin(tx, user)
  await writeUser(tx, user.id, { status: 'deactivated', deleteAt: null })
  await deleteLinkTokens(tx, ['restore'], { userId: user.id })
  await endPendingLogins(tx, user.id)
  const { length: revoked } = await revoke(tx, 'deactivated', eq(sessions.userId, user.id))
  await record(tx, by, 'user.deactivate', { userId: user.id, details: { revoked } })
}
