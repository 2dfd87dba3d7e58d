import type { Db } from '../../../db/engine.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import type { MailService } from '../outbox/enqueue.ts'
import { countRecent } from '../outbox/list.ts'
import { guessesUntilSlow } from '../throttling/buckets.ts'
import type { Charge } from '../throttling/throttles.ts'
import type { LockedUser } from '../users/users.ts'

/**
 * Records a wrong code. From 20 in a row on, the owner gets a mail, at most one a day: somebody who
 * knows the password is guessing (OWASP ASVS 6.3.5). Call it with the user locked. The caller must
 * not roll back.
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
    userId: user.id
  })
  const kind = 'second-factor-guessed'
  if (!charge.some(({ fails = 0 }) => fails >= guessesUntilSlow)) return
  if ((await countRecent(tx, user.id, kind)) > 0) return
  await notify(tx, mail, user, { kind, ...factsOf(actor) })
}
