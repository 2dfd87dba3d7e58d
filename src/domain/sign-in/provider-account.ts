import type { Db } from '../../../db/engine.ts'
import type { StoredLink } from '../../../db/schema/sessions.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { byProvider } from '../factors/recent-authentication.ts'
import { watchSignIn } from '../mail/unfinished-sign-ins.ts'
import { isOfDomains } from '../providers/identity.ts'
import type { Identity } from '../providers/identity.ts'
import type { Provider } from '../providers/provider.ts'
import type { SessionToken } from '../sessions/sessions.ts'
import type { LockedUser } from '../users/users.ts'
import { applyMappedRoles } from './mapped-roles.ts'
import { findAuthenticationTime } from './provider-return.ts'
import type { Returned } from './provider-return.ts'
import type { Context } from './context.ts'
import { meansOf, sessionProvider } from './session-provider.ts'
import { startSession } from './start-session.ts'

export interface ProviderSignIn extends Returned {
  /** The device cookie of an earlier login in this browser. */
  device: string | undefined
  /** The language of the browser, for a new account. */
  locale: string | undefined
  /** Whether to restore an account whose deletion is planned. */
  restore?: boolean | undefined
  /** Whether the app has admitted the registration. */
  admitted?: boolean
  /** The sessions of the tokens in the request, which the new one replaces. */
  presented: SessionToken[]
}

/** Throws `registration-closed`. */
export function requireCreation(
  { registration }: Pick<Context, 'registration'>,
  { creates }: Provider
) {
  if (creates === 'never') throw new DomainError('registration-closed')
  if (creates === 'registration' && registration === 'closed') {
    throw new DomainError('registration-closed')
  }
}

/** Not every provider sends a name. */
export const nameFor = ({ name }: Identity, email: string) =>
  name ?? email.slice(0, email.lastIndexOf('@'))

interface Entry {
  user: LockedUser
  /** `link`: it is linked with the session. */
  account: { id: string; link?: StoredLink }
}

/** Starts the session of a locked user with one of their provider accounts. */
export async function signInToAccount(
  tx: Db,
  context: Context,
  actor: Actor,
  input: ProviderSignIn,
  { user, account }: Entry
) {
  const { devices, mail, passkeys } = context
  const { provider, identity, presented, charge, restore } = input
  const waits = user.secondFactor && !identity.hasTwoFactors
  if (!account.link || !waits) await applyMappedRoles(tx, user, provider, identity)
  const nonce = devices.nonceFor(user, input.device)
  const provided = sessionProvider(provider, account, isOfDomains(provider, identity))
  const signIn = await startSession(tx, context, asUser(actor, user), {
    account: user,
    proof: byProvider(
      identity.hasTwoFactors,
      await findAuthenticationTime(tx, user, provider, identity)
    ),
    presented,
    charge,
    provided,
    rpId: passkeys?.rpId,
    restores: restore,
    onNewDevice: nonce === undefined ? meansOf(provided) : undefined
  })
  if (!signIn) throw new Error('a locked user could not sign in')
  if (!signIn.session) {
    const { expiresAt } = signIn.login
    if (nonce === undefined) await watchSignIn(tx, mail, actor, { account: user, expiresAt })
    return signIn
  }
  return { ...signIn, device: devices.issue(user, nonce) }
}
