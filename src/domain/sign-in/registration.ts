import { sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { registrations } from '../../../db/schema/tokens.ts'
import { ofSeconds } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import type { Rank } from '../bulkhead.ts'
import { checkAll, DomainError } from '../errors.ts'
import { throttledWithProof } from '../guard/guard.ts'
import type { Presented } from '../guard/guard.ts'
import { sendLink } from '../mail/links.ts'
import { requestMail } from '../outbox/enqueue.ts'
import type { MailService } from '../outbox/enqueue.ts'
import { refuseManaged } from '../providers/provider.ts'
import { cleanName } from '../texts.ts'
import { throttled } from '../throttling/admission.ts'
import type { Charge } from '../throttling/throttles.ts'
import { linkLifetimes } from '../tokens/lifetimes.ts'
import { normalizeEmail, requireEmail } from '../users/emails.ts'
import { findCurrentUser, insertUser } from '../users/users.ts'
import type { Context } from './context.ts'

interface RegistrationInput extends Presented {
  email: string
  password: string
  name: string
  /** The language of the mail, from the browser. */
  locale?: string | undefined
  /** The address is that of an invitation, whose link has proved it: no mail is sent. */
  isInvited?: boolean
}

type NewAccount = Omit<RegistrationInput, 'password' | 'isInvited' | keyof Presented> & {
  emailNormalized: string
  passwordHash: string
}

/**
 * Creates an account with the role `user` without signing in. The hash is computed before the
 * e-mail address is looked up, so that a registered address takes the same time. Throws
 * `registration-closed`, `domain-refused`, `email-taken`, `provider-required`,
 * `challenge-required`, `rate-limited`, `overloaded`, what a hook throws, and refusals that name a
 * field.
 */
export const registerUser = (context: Context, actor: Actor, input: RegistrationInput) =>
  admitRegistration(context, actor, input, async ({ locale, ...account }) => {
    const user = await transaction(context.db, async (tx) => {
      const id = await insertUser(tx, account, ['user'])
      const made = id && (await findCurrentUser(tx, id))
      if (!made) {
        await record(tx, actor, 'auth.register', {
          outcome: 'failure',
          reason: 'email-taken',
          details: { email: account.email }
        })
        return undefined
      }
      await record(tx, asUser(actor, made), 'auth.register', { userId: made.id })
      if (context.mail?.verification === 'optional') {
        const { id, email, name } = made
        const recipient = { id, email, name, locale: locale ?? null, timeZone: null }
        await sendLink(tx, context.mail, 'email-verify', recipient)
      }
      return made
    })
    if (!user) throw new DomainError('email-taken')
    return user
  })

/**
 * Sends a link to a visitor, who gets an account by confirming the address. Nothing is looked up,
 * so that a registered address gets the same response in the same time. Throws like registerUser,
 * but never `email-taken`.
 */
export const requestAccount = (
  context: Context & { mail: MailService },
  actor: Actor,
  input: RegistrationInput
) =>
  admitRegistration(context, actor, input, (account) =>
    transaction(context.db, (tx) => addRegistration(tx, context.mail, actor, account))
  )

/** Stores a registration, and requests the mail with its link. */
export async function addRegistration(
  tx: Db,
  mail: MailService,
  actor: Actor,
  account: Omit<typeof registrations.$inferInsert, 'id' | 'ip' | 'expiresAt'>
) {
  const id = uuid()
  const expiresAt = sql`now() + ${ofSeconds(linkLifetimes.registration)}`
  await tx.insert(registrations).values({ ...account, id, ip: actor.ip, expiresAt })
  await requestMail(tx, mail, actor, { request: 'registration', registrationId: id })
}

/**
 * Judges the domain of an address before its account is looked up, so that the refusal reveals
 * nothing about one. Throws `domain-refused`.
 */
export function refuseDomain({ refusesDomain }: Pick<Context, 'refusesDomain'>, email: string) {
  if (refusesDomain?.(email)) throw new DomainError('domain-refused')
}

/** Checks and counts a registration, and hashes the password before the work begins. */
export async function admitRegistration<T>(
  context: Context,
  actor: Actor,
  input: RegistrationInput,
  work: (account: NewAccount) => Promise<T>
) {
  const { passwords, buckets, registration, mail, providers, beforeRegister } = context
  if (registration === 'closed') throw new DomainError('registration-closed')
  refuseManaged(providers, normalizeEmail(input.email))
  const [emailNormalized, name] = await checkAll(
    () => requireEmail(input.email),
    () => cleanName(input.name),
    () => passwords.check(input.password, 'password', input)
  )
  refuseDomain(context, emailNormalized)
  const sendsMail = !input.isInvited && mail !== undefined && mail.verification !== 'off'
  // Under load a rejected registration must not query the database, unless it leads to a challenge.
  if (!sendsMail) passwords.assertRoom()
  const admitted = async (_: Charge, requireTime: () => void, rank: Rank) => {
    await beforeRegister?.({ email: input.email, name, ip: actor.ip })
    const passwordHash = await passwords.hash(input.password, rank)
    requireTime()
    const { email, locale } = input
    return work({ email, emailNormalized, name, passwordHash, locale })
  }
  const wanted = buckets.register(actor.ip)
  if (!sendsMail) return throttled(context, { wanted }, admitted)
  const { proof, device } = input
  const asked = { purpose: 'registration', email: emailNormalized, proof, device } as const
  return throttledWithProof(context, actor, { ...asked, isBusy: passwords.isBusy }, admitted)
}
