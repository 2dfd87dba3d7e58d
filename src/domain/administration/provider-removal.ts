import type { Actor } from '../actor.ts'
import { actOn } from '../access/rights.ts'
import { unlink } from '../accounts/provider-links.ts'
import { requireProofIfOwn } from '../factors/recent-authentication.ts'
import type { Services } from '../sign-in/services.ts'

/**
 * Unlinks a provider account of a user, also the only way to sign in, and ends the sessions that
 * began with it. Throws `user-not-found`, `provider-account-not-found`, `exceeds-own-permissions`,
 * and for the actor's own `reauthentication-required`.
 */
export const unlinkUserProvider = (
  services: Pick<Services, 'db' | 'mail' | 'providers'>,
  actor: Actor,
  { userId, id }: { userId: string; id: string }
) =>
  actOn(services.db, actor, 'users:update', { id: userId }, async (tx, by, user) => {
    await requireProofIfOwn(tx, by, user)
    await unlink(tx, services, by, { user, id })
  })
