import { and, eq, gt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { registrations } from '../../../db/schema/tokens.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { Mail } from '../outbox/claim.ts'
import { replacePayload } from '../outbox/complete-delivery.ts'
import { inMail, isRequest, readerOf, withoutName } from '../outbox/enqueue.ts'
import type {
  MailRequest,
  PreparedMail,
  Recipient,
  RecoveryRequest,
  RegistrationRequest,
  StoredContent
} from '../outbox/enqueue.ts'
import type { Sealing } from '../sealing.ts'
import { linkLifetimes } from '../tokens/lifetimes.ts'
import { createLinkToken } from '../tokens/tokens.ts'
import { findReserved } from '../users/emails.ts'
import { isPresent, recipient } from '../users/users.ts'
import { forUnfinishedSignIn } from './unfinished-sign-ins.ts'

/**
 * Returns the mail for a claimed row, undefined for none. A request is replaced by its mail in the
 * transaction that creates the token. Throws LeaseLost.
 */
export async function prepareMail(
  db: Db,
  sealing: Sealing,
  mail: Mail
): Promise<PreparedMail | undefined> {
  const { payload } = mail
  if (!isRequest(payload)) return payload
  return transaction(db, async (tx) => {
    const prepared = await decide(tx, payload)
    if (!prepared) return undefined
    const { userId, ...toSend } = prepared
    await replacePayload(tx, sealing, mail, { payload: toSend, userId })
    return toSend
  })
}

/** With the owner of the account, if there is one, so that operators can see whose mail it is. */
type Prepared = PreparedMail & { userId?: string }

function decide(tx: Db, payload: MailRequest): Promise<Prepared | undefined> {
  switch (payload.request) {
    case 'registration':
      return forRegistration(tx, payload)
    case 'recovery':
      return forRecovery(tx, payload)
    case 'unfinished-sign-in':
      return forUnfinishedSignIn(tx, payload)
  }
}

async function forRegistration(
  tx: Db,
  { registrationId, origin }: RegistrationRequest
): Promise<Prepared | undefined> {
  const [registration] = await tx
    .select({
      email: registrations.email,
      emailNormalized: registrations.emailNormalized,
      locale: registrations.locale,
      provider: registrations.provider,
      expiresIn: sql`extract(epoch from ${registrations.expiresAt} - now())::float8`.mapWith(Number)
    })
    .from(registrations)
    .where(and(eq(registrations.id, registrationId), gt(registrations.expiresAt, sql`now()`)))
  if (!registration) return undefined
  const { email, locale, provider, expiresIn } = registration
  const toStranger = (content: StoredContent) => ({ to: email, reader: { locale }, content })
  const owner = await findOwner(tx, registration.emailNormalized)
  await record(tx, { ...byStranger, ...origin }, 'auth.register-request', { userId: owner?.id })
  if (owner) {
    await tx.delete(registrations).where(eq(registrations.id, registrationId))
    return isPresent(owner) ? toOwner(owner, { kind: 'already-registered' }) : undefined
  }
  const [until] = [...(await findReserved(tx, [registration.emailNormalized])).values()]
  if (until) {
    await tx.delete(registrations).where(eq(registrations.id, registrationId))
    return toStranger({ kind: 'address-kept', until: until.toISOString() })
  }
  const link = await createLinkToken(tx, {
    purpose: 'confirm',
    owner: { registrationId },
    email,
    expiresIn // with the registration, however late its mail is prepared
  })
  if (!link) return undefined
  return toStranger({ kind: 'confirm', ...(provider !== null && { provider }), ...inMail(link) })
}

async function forRecovery(
  tx: Db,
  { emailNormalized, origin }: RecoveryRequest
): Promise<Prepared | undefined> {
  const owner = await findOwner(tx, emailNormalized)
  if (owner?.status !== 'active') return undefined
  const link = await createLinkToken(tx, {
    purpose: 'password-reset',
    owner: { userId: owner.id },
    email: owner.email,
    expiresIn: linkLifetimes.recovery
  })
  if (!link) return undefined
  await record(tx, { ...byStranger, ...origin }, 'auth.recovery-request', { userId: owner.id })
  return toOwner(owner, { kind: 'recovery', ...inMail(link) })
}

const byStranger = { type: 'anonymous', source: 'api' } as const

async function findOwner(tx: Db, emailNormalized: string) {
  const [owner] = await tx
    .select({ ...recipient, status: users.status, deleteAt: users.deleteAt })
    .from(users)
    .where(eq(users.emailNormalized, emailNormalized))
  return owner
}

const toOwner = (owner: Recipient, content: StoredContent): Prepared => ({
  to: owner.email,
  reader: owner.emailVerifiedAt ? readerOf(owner) : withoutName(owner),
  content,
  userId: owner.id
})
