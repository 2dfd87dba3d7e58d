import { eq, sql } from 'drizzle-orm'
import { registrations } from '../../../db/schema/tokens.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { byPassword } from '../factors/recent-authentication.ts'
import { findInvitation, join, lockInvitation } from '../scopes/invitations.ts'
import type { SessionToken } from '../sessions/sessions.ts'
import type { Context } from '../sign-in/context.ts'
import { admitRegistration } from '../sign-in/registration.ts'
import { startSession } from '../sign-in/start-session.ts'
import { throttled } from '../throttling/admission.ts'
import { insertUser } from '../users/users.ts'

interface InvitedRegistration {
  token: string
  name: string
  password: string
  locale?: string | undefined
  /** The verified session tokens of the request. The new session replaces theirs. */
  presented: SessionToken[]
}

/**
 * Creates an account for the address of an invitation, accepts it and signs in. The address is
 * confirmed, because the link was sent there. Throws as `registerUser` and `join` do.
 */
export async function registerInvited(
  context: Context,
  actor: Actor,
  { token, presented, ...account }: InvitedRegistration
) {
  const wanted = context.buckets.tokens(actor.ip)
  const find = () => findInvitation(context.db, token)
  const { email } = await throttled(context, { wanted }, find)
  const input = { ...account, email, isInvited: true }
  return admitRegistration(context, actor, input, (values) =>
    transaction(context.db, async (tx) => {
      const invitation = await lockInvitation(tx, token)
      if (!invitation) throw new DomainError('invalid-token')
      const { emailNormalized } = invitation
      const id = await insertUser(
        tx,
        { ...values, email, emailNormalized, emailVerifiedAt: sql`now()` },
        ['user']
      )
      if (!id) throw new DomainError('email-taken')
      await tx.delete(registrations).where(eq(registrations.emailNormalized, emailNormalized))
      const made = { id, email, credentialVersion: 1 }
      const author = asUser(actor, made)
      await record(tx, author, 'auth.register', { userId: id })
      const attempt = { account: made, proof: byPassword, presented, charge: [] }
      const signIn = await startSession(tx, context, author, attempt)
      if (!signIn) throw new Error('the new account could not sign in')
      await join(tx, author, invitation, made)
      return signIn.session ? { ...signIn, device: context.devices.issue(made) } : signIn
    })
  )
}
