import type { Db } from '../../../db/engine.ts'
import type { Actor } from '../activity/record.ts'
import { record } from '../activity/record.ts'
import type { MailService } from '../mail/sending.ts'
import { notify, occasionOf } from '../mail/notices.ts'
import { guessesUntilSlow } from '../throttling/buckets.ts'
import type { Charge } from '../throttling/throttles.ts'
import type { LockedUser } from '../users/lock.ts'

/**
 * Records a wrong code. After 20 in a row the owner gets a mail, once: somebody who knows the
 * password is guessing (OWASP ASVS 6.3.5). The caller must not roll back.
 */
export async function reportWrongCode(
  tx: Db,
  mail: MailService | undefined,
  actor: Actor,
  user: LockedUser,
  charge: Charge
) {
  await record(tx, actor, 'auth.second-factor', {
    outcome: 'failure',
    reason: 'wrong-code',
    target: { type: 'user', id: user.id }
  })
  if (charge.some(({ fails }) => fails === guessesUntilSlow)) {
    await notify(tx, mail, user, { kind: 'second-factor-guessed', ...occasionOf(actor) })
  }
}
