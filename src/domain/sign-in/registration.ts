import { sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { registrations } from '../../../db/schema/tokens.ts'
import { ofSeconds } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { checkAll, DomainError } from '../errors.ts'
import { sendLink } from '../mail/links.ts'
import { expiry, requestMail } from '../outbox/enqueue.ts'
import type { MailService } from '../outbox/enqueue.ts'
import { refuseManaged } from '../providers/provider.ts'
import { cleanName } from '../texts.ts'
import { throttled } from '../throttling/admission.ts'
import { normalizeEmail, requireEmail } from '../users/emails.ts'
import { findCurrentUser, insertUser } from '../users/users.ts'
import type { Context } from './context.ts'

interface RegistrationInput {
  email: string
  password: string
  name: string
  /** The language of the mail, from the browser. */
  locale?: string | undefined
}

type NewAccount = Omit<RegistrationInput, 'password'> & {
  emailNormalized: string
  passwordHash: string
}

/**
 * Creates an account with the role `user` without signing in. The hash is computed before the
 * e-mail address is looked up, so that a registered address takes the same time. Throws
 * `registration-closed`, `email-taken`, `provider-required`, `rate-limited`, `overloaded`, what the
 * app throws before a registration, and refusals that name a field.
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
    transaction(context.db, async (tx) => {
      const id = uuid()
      await tx.insert(registrations).values({
        ...account,
        id,
        ip: actor.ip,
        expiresAt: sql`now() + ${ofSeconds(expiry.registration)}`
      })
      await requestMail(tx, context.mail, actor, {
        request: 'registration',
        registrationId: id
      })
    })
  )

/** Checks and counts a registration, and hashes the password before the work begins. */
async function admitRegistration<T>(
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
  passwords.assertRoom() // under load a rejected registration must not query the database
  const sendsMail = mail !== undefined && mail.verification !== 'off'
  const wanted = buckets.register(actor.ip, sendsMail ? emailNormalized : undefined)
  return throttled(context, { wanted }, async (_, requireTime) => {
    await beforeRegister?.({ email: input.email, name, ip: actor.ip })
    const passwordHash = await passwords.hash(input.password)
    requireTime()
    const { email, locale } = input
    return work({ email, emailNormalized, name, passwordHash, locale })
  })
}
