import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { passkeys } from '../../../db/schema/passkeys.ts'
import type { PasskeyRow } from '../../../db/schema/passkeys.ts'
import { asUser, record } from '../activity/record.ts'
import type { Actor } from '../activity/record.ts'
import { spendChallenge } from '../factors/challenges.ts'
import type { Challenge } from '../factors/challenges.ts'
import { notify, occasionOf } from '../mail/notices.ts'
import type { MailService } from '../mail/sending.ts'
import type { LockedUser } from '../users/lock.ts'

interface Use {
  passkey: Pick<PasskeyRow, 'id'>
  challenge: Challenge
  assertion: { counter: number; backedUp: boolean }
}

/**
 * Accepts a verified assertion, in the transaction of what it allows and with the user locked. A
 * counter that did not grow means that somebody has a copy of the key: the owner gets a mail, and
 * the passkey stays, because the device may have been restored from a backup. The caller must not
 * roll back what it refuses, so that no answer is judged twice.
 */
export async function usePasskey(
  tx: Db,
  mail: MailService | undefined,
  actor: Actor,
  user: LockedUser,
  { passkey, challenge, assertion }: Use
): Promise<'used' | 'removed' | 'repeated' | 'copied'> {
  const [stored] = await tx
    .select({ counter: passkeys.counter, name: passkeys.name })
    .from(passkeys)
    .where(eq(passkeys.id, passkey.id))
    .for('no key update')
  if (!stored) return 'removed'
  if (!(await spendChallenge(tx, challenge))) return 'repeated'
  const { counter, backedUp } = assertion
  if (stored.counter > 0 && counter <= stored.counter) {
    await record(tx, asUser(actor, user), 'auth.passkey-clone', {
      outcome: 'failure',
      target: { type: 'user', id: user.id },
      details: { name: stored.name }
    })
    await notify(tx, mail, user, { kind: 'passkey-copied', ...occasionOf(actor) })
    return 'copied'
  }
  await tx
    .update(passkeys)
    .set({ counter, backedUp, lastUsedAt: sql`now()` })
    .where(eq(passkeys.id, passkey.id))
  return 'used'
}
