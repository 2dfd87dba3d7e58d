import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { passkeys } from '../../../db/schema/passkeys.ts'
import type { PasskeyRow } from '../../../db/schema/passkeys.ts'
import { record } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { spendChallenge } from '../factors/challenges.ts'
import type { Challenge } from '../factors/challenges.ts'
import { notify, factsOf } from '../mail/notices.ts'
import type { MailService } from '../mail/sending.ts'
import { countRecent } from '../outbox/list.ts'
import type { LockedUser } from '../users/lock.ts'

interface Use {
  passkey: Pick<PasskeyRow, 'id'>
  challenge: Challenge
  assertion: Pick<PasskeyRow, 'counter' | 'deviceType' | 'backedUp'>
}

/** Why a verified assertion is not accepted. */
export type Misuse =
  | 'unknown-passkey'
  | 'repeated'
  | 'expired-challenge'
  | 'other-device-type'
  | 'copied'

/**
 * Accepts a verified assertion, in the transaction of what it allows and with the user locked. A
 * counter that did not grow means that somebody has a copy of the key: the owner gets a mail, at
 * most one a day, and the passkey stays, because the device may have been restored from a backup.
 * Whether a key can be copied to other devices never changes (WebAuthn level 3, 7.2). The caller
 * must not roll back after a rejection, so that no assertion is checked twice.
 */
export async function usePasskey(
  tx: Db,
  mail: MailService | undefined,
  actor: Actor,
  user: LockedUser,
  { passkey, challenge, assertion }: Use
): Promise<'used' | Misuse> {
  const [stored] = await tx
    .select({ counter: passkeys.counter, deviceType: passkeys.deviceType, name: passkeys.name })
    .from(passkeys)
    .where(eq(passkeys.id, passkey.id))
    .for('no key update')
  if (!stored) return 'unknown-passkey'
  const spent = await spendChallenge(tx, challenge)
  if (spent !== 'used') return spent === 'expired' ? 'expired-challenge' : spent
  const { counter, deviceType, backedUp } = assertion
  if (deviceType !== stored.deviceType) return 'other-device-type'
  if (stored.counter > 0 && counter <= stored.counter) {
    await record(tx, asUser(actor, user), 'auth.passkey-clone', {
      outcome: 'failure',
      userId: user.id,
      details: { name: stored.name }
    })
    const kind = 'passkey-copied'
    if ((await countRecent(tx, user.id, kind)) === 0) {
      await notify(tx, mail, user, { kind, ...factsOf(actor) })
    }
    return 'copied'
  }
  await tx
    .update(passkeys)
    .set({ counter, backedUp, lastUsedAt: sql`now()` })
    .where(eq(passkeys.id, passkey.id))
  return 'used'
}
