import { transaction } from '../../../db/transaction.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { byPassword } from '../factors/recent-authentication.ts'
import { join, lockInvitation, readInvitation } from '../scopes/invitations.ts'
import type { SessionToken } from '../sessions/sessions.ts'
import { insertConfirmed } from '../sign-in/confirmation.ts'
import type { Context } from '../sign-in/context.ts'
import { admitRegistration } from '../sign-in/registration.ts'
import { startSession } from '../sign-in/start-session.ts'
import { throttled } from '../throttling/admission.ts'

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
  const wanted = context.buckets.source(actor.ip)
  const found = await throttled(context, { wanted }, () => readInvitation(context.db, token))
  if (!found) throw new DomainError('invalid-token')
  const input = { ...account, email: found.email, isInvited: true }
  return admitRegistration(context, actor, input, (values) =>
    transaction(context.db, async (tx) => {
      const invitation = await lockInvitation(tx, token)
      if (!invitation) throw new DomainError('invalid-token')
      const made = await insertConfirmed(tx, actor, values)
      if (!made) throw new DomainError('email-taken')
      const author = asUser(actor, made)
      const attempt = { account: made, proof: byPassword, presented, charge: [] }
      const signIn = await startSession(tx, context, author, attempt)
      if (!signIn) throw new Error('the new account could not sign in')
      await join(tx, author, invitation, made)
      return signIn.session ? { ...signIn, device: context.devices.issue(made) } : signIn
    })
  )
}
