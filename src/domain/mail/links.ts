import type { Db } from '../../../db/engine.ts'
import { createLinkToken } from '../tokens/tokens.ts'
import { enqueueMail, hours, readerOf, withoutName } from './enqueue.ts'
import type { MailService, Recipient } from './enqueue.ts'

/** Mails with a link for the owner of an account, and the purpose of its token. */
export const links = {
  /** For an account that exists. The link of a registration is created in preparation.ts. */
  confirm: { purpose: 'confirm', expiresIn: hours(24) },
  'email-verify': { purpose: 'email-change', expiresIn: hours(24) },
  'email-change': { purpose: 'email-change', expiresIn: hours(24) },
  'factor-enrolment': { purpose: 'factor-enrolment', expiresIn: hours(24) },
  invitation: { purpose: 'password-reset', expiresIn: hours(72) }
} as const

/** Mails to addresses that are not confirmed yet. */
const unconfirmed: (keyof typeof links)[] = ['confirm', 'email-verify', 'email-change']

/** The part of a mail's content that is a link. */
export const inMail = ({ token, expiresAt }: { token: string; expiresAt: Date }) => ({
  token,
  expiresAt: expiresAt.toISOString()
})

type LinkReader = Omit<Recipient, 'emailVerifiedAt'> & {
  /** Key of the one that confirms the address, instead of the password. */
  provider?: string
}

/**
 * Sends a link with a new token to an address of a user: the current one, unless `to` names
 * another. Call it in a transaction that has locked the user, or has just created them.
 */
export async function sendLink(
  tx: Db,
  mail: MailService,
  kind: keyof typeof links,
  { id, email, provider, ...recipient }: LinkReader,
  to = email
) {
  const { purpose, expiresIn } = links[kind]
  const owner = { userId: id }
  const created = await createLinkToken(tx, { purpose, owner, email: to, expiresIn })
  if (!created) return
  const content =
    kind === 'confirm'
      ? { kind, ...(provider !== undefined && { provider }), ...inMail(created) }
      : { kind, ...inMail(created) }
  const reader = unconfirmed.includes(kind) ? withoutName(recipient) : readerOf(recipient)
  await enqueueMail(tx, mail, { to, reader, content }, { userId: id, expiresIn })
}
