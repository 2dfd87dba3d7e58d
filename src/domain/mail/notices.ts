import type { Db } from '../../../db/engine.ts'
import type { UserRow } from '../../../db/schema/users.ts'
import type { Actor } from '../actor.ts'
import type { NoticeFacts, Reader, StoredContent } from '../outbox/contents.ts'
import type { recipient } from '../users/users.ts'
import { enqueueMail } from './sending.ts'
import type { MailService } from './sending.ts'

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
  content: StoredContent
) {
  if (!mail || !emailVerifiedAt) return
  await enqueueMail(tx, mail, { to: email, reader: readerOf(reader), content }, { userId: id })
}
