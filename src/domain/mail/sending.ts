import type { Db } from '../../../db/engine.ts'
import { enqueue } from '../outbox/enqueue.ts'
import type { NewMail } from '../outbox/enqueue.ts'
import type { PreparedMail } from '../outbox/payload.ts'
import type { Sealing } from '../sealing.ts'

/** The domain's access to mail. Production without a mail server has none. */
export interface MailService {
  sealing: Sealing
  /** False in development without a mail server, where mail is only shown. */
  delivers: boolean
  /**
   * `required`: an account exists once its address is confirmed. `optional`: users may confirm
   * theirs. `off`: users are not asked.
   */
  verification: 'off' | 'optional' | 'required'
  /** Whether owners are notified of sign-ins from new devices. */
  signInNotices: boolean
}

/** Seconds. */
export const hours = (count: number) => count * 3600

/** Seconds after which a notice expires. */
const noticeExpiry = hours(72)

/** Puts a mail into the outbox, in the transaction of its change. The worker sends it. */
export const enqueueMail = (
  tx: Db,
  { sealing }: MailService,
  mail: PreparedMail,
  { userId, expiresIn = noticeExpiry }: Partial<Pick<NewMail, 'userId' | 'expiresIn'>>
) => enqueue(tx, sealing, { kind: mail.content.kind, userId, payload: mail, expiresIn })
