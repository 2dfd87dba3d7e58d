import { and, eq, ne } from 'drizzle-orm'
import { sessions } from '../../../db/schema/sessions.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { SignedInActor } from '../actor.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { countKeys } from '../keys/keys.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import { revoke } from '../sessions/sessions.ts'
import type { Context } from '../sign-in/context.ts'
import { confirmOwnUser } from '../sign-in/own-account.ts'
import { renewSecret } from '../sign-in/reauthentication.ts'
import { giveBack } from '../throttling/throttles.ts'
import { planDeletion, removeUser, requireOwnAddress } from './deletion.ts'
import { findOwner, findWaysLeft, writePassword } from './recovery-links.ts'

/**
 * Sets a new password, ends every other session and gives the current one a new secret, so that
 * copied tokens become invalid. A recent authentication does not replace the old password, unless
 * there is none. Returns the content of the new session token and device cookie, and the number of
 * API keys, which go on. Throws
 * `wrong-password`, `reauthentication-required`, and a refusal that names `newPassword`.
 */
export async function changePassword(
  context: Context,
  actor: SignedInActor,
  { currentPassword, newPassword }: { currentPassword?: string; newPassword: string }
) {
  const { db, passwords, devices, mail } = context
  await passwords.check(newPassword, 'newPassword', await findOwner(db, actor.id))
  const confirmation = {
    password: currentPassword,
    action: 'auth.password-change',
    needsPassword: true
  } as const
  return confirmOwnUser(context, actor, confirmation, async (confirmed) => {
    const { charge, credentialVersion, lock, requireTime } = confirmed
    const passwordHash = await passwords.hash(newPassword, 'known')
    requireTime()
    return transaction(db, async (tx) => {
      const user = await lock(tx)
      await writePassword(tx, user.id, passwordHash)
      const others = and(eq(sessions.userId, user.id), ne(sessions.id, actor.sessionId))
      const { length: revoked } = await revoke(tx, 'password-change', others)
      const { session, secret } = await renewSecret(tx, actor)
      await record(tx, actor, 'auth.password-change', { userId: user.id, details: { revoked } })
      await giveBack(tx, charge, 'success')
      const keys = await countKeys(tx, { type: 'user', id: user.id })
      const ways = await findWaysLeft(tx, context, user)
      await notify(tx, mail, user, { kind: 'password-changed', ...factsOf(actor), keys, ...ways })
      await bumpUsers(tx, user.id)
      const account = { id: user.id, credentialVersion: credentialVersion + 1 }
      return { session, secret, device: devices.issue(account), keys }
    })
  })
}

/**
 * Deletes the account, or plans it where users can restore theirs: then returns when it is deleted.
 * Throws `wrong-password`, `reauthentication-required`, `deletion-waits` and `last-admin`.
 */
export async function deleteOwnAccount(
  context: Context,
  actor: SignedInActor,
  { currentPassword }: { currentPassword?: string }
) {
  const confirmation = { password: currentPassword, action: 'user.delete' } as const
  const { db, mail, graceDays: days } = context
  return confirmOwnUser(context, actor, confirmation, async ({ lock }) =>
    transaction(db, async (tx): Promise<Date | undefined> => {
      const user = await lock(tx)
      await requireOwnAddress(tx, user)
      if (days > 0) return planDeletion(tx, mail, actor, { user, days })
      await removeUser(tx, mail, actor, user)
    })
  )
}
