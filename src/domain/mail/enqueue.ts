import type { Db } from '../../../db/engine.ts'
import type { OutboxRow } from '../../../db/schema/outbox.ts'
import type { UserRow } from '../../../db/schema/users.ts'
import type { Actor } from '../actor.ts'
import { enqueue, kindOf } from '../outbox/enqueue.ts'
import type {
  NewMail,
  NoticeFacts,
  Origin,
  OwnContent,
  PreparedMail,
  Reader,
  StoredContent
} from '../outbox/enqueue.ts'
import type { Sealing } from '../sealing.ts'
import { commitInTime } from '../time-left.ts'
import type { recipient } from '../users/users.ts'

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
) => {
  // The column has kinds that only another version of the portal or the app knows.
  const kind = kindOf(mail.content) as OutboxRow['kind']
  return enqueue(tx, sealing, { kind, userId, payload: mail, expiresIn })
}

/** The fields of a user that a mail needs. */
export type Recipient = Pick<UserRow, keyof typeof recipient>

type KnownReader = Pick<Recipient, 'name' | 'locale' | 'timeZone'>
export const readerOf = ({ name, locale, timeZone }: KnownReader): Reader => ({
  name,
  locale,
  timeZone
})

/**
 * The reader of a mail to an address that is not confirmed. A stranger may have chosen the name: it
 * must not be in a mail to somebody else.
 */
export const withoutName = (recipient: KnownReader): Reader => readerOf({ ...recipient, name: '' })

/** Where a change came from, as its notice shows it. */
export const factsOf = ({ ip, userAgent }: Actor): NoticeFacts => ({
  at: new Date().toISOString(),
  ip: ip ?? null,
  userAgent: userAgent ?? null
})

/**
 * Reports a change to the owner of the account, at the address that they have now. Only confirmed
 * addresses get notices: otherwise anybody could register with the address of somebody else and
 * send them mail.
 */
export async function notify(
  tx: Db,
  mail: MailService | undefined,
  { id, email, emailVerifiedAt, ...reader }: Recipient,
  content: StoredContent | OwnContent
) {
  if (!mail || !emailVerifiedAt) return
  await enqueueMail(tx, mail, { to: email, reader: readerOf(reader), content }, { userId: id })
}

// Mail requested without signing in. The request writes the same row whether an account exists or
// not, so that neither its response nor its duration reveals it. The worker decides what to send.

/** Seconds after which a registration, and the link of a recovery, expire. */
export const expiry = { registration: hours(24), recovery: hours(0.5) }

const originOf = ({ ip, userAgent, requestId }: Actor): Origin => ({ ip, userAgent, requestId })

export const requestConfirmation = (
  tx: Db,
  { sealing }: MailService,
  actor: Actor,
  registrationId: string
) => {
  commitInTime(tx, actor)
  return enqueue(tx, sealing, {
    kind: 'confirm',
    payload: { request: 'registration', registrationId, origin: originOf(actor) },
    expiresIn: expiry.registration
  })
}

export const requestRecoveryMail = (
  tx: Db,
  { sealing }: MailService,
  actor: Actor,
  emailNormalized: string
) => {
  commitInTime(tx, actor)
  return enqueue(tx, sealing, {
    kind: 'recovery',
    payload: { request: 'recovery', emailNormalized, origin: originOf(actor) },
    expiresIn: expiry.recovery
  })
}
