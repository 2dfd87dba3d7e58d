import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { users } from '../../../db/schema/users.ts'
import { factorsOf } from '../factors/methods.ts'
import { aheadSeconds } from '../factors/recent-authentication.ts'
import type { Identity } from '../providers/identity.ts'
import { findRequiredOf, timeless } from '../providers/provider.ts'
import type { Provider } from '../providers/provider.ts'
import type { LockedUser } from '../users/lock.ts'

/** For an authentication that nobody knows the time of: never recent. */
const longAgo = new Date(0)

/**
 * When somebody authenticated at a provider; undefined for now. A browser with a session at the
 * provider comes back at once, so the time of the return proves nothing. Some kinds never say the
 * time: their round trip counts as an authentication only for users who have nothing else.
 */
export async function findAuthenticationTime(
  tx: Db,
  user: LockedUser,
  provider: Provider,
  { authenticatedAt: at }: Identity
): Promise<Date | undefined> {
  if (at) return at.getTime() < Date.now() + aheadSeconds * 1000 ? at : longAgo
  return timeless.includes(provider.kind) && (await isAlone(tx, user, provider))
    ? undefined
    : longAgo
}

/** Whether the user has neither a password that is accepted nor a second factor. */
async function isAlone(tx: Db, user: LockedUser, provider: Provider) {
  const withPassword = and(eq(users.id, user.id), isNotNull(users.passwordHash))
  const isRequired = findRequiredOf([provider], user) !== undefined
  return (
    (isRequired || (await tx.$count(users, withPassword)) === 0) &&
    (await factorsOf(tx, user.id)).length === 0
  )
}
