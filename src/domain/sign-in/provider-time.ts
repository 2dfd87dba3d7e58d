import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { users } from '../../../db/schema/users.ts'
import { factorsOf } from '../factors/methods.ts'
import { aheadSeconds } from '../factors/recent-authentication.ts'
import type { Identity } from '../providers/identity.ts'
import { timeless } from '../providers/provider.ts'
import type { Provider } from '../providers/provider.ts'

/** For an authentication that nobody knows the time of: never recent. */
const longAgo = new Date(0)

/**
 * When somebody authenticated at a provider; undefined for now. A browser with a session at the
 * provider comes back at once, so the time of the return proves nothing. Some kinds never say the
 * time: their round trip counts as an authentication only for users who have nothing else.
 */
export async function findAuthenticationTime(
  tx: Db,
  userId: string,
  { kind }: Provider,
  { authenticatedAt: at }: Identity
): Promise<Date | undefined> {
  if (at) return at.getTime() < Date.now() + aheadSeconds * 1000 ? at : longAgo
  return timeless.includes(kind) && (await isAlone(tx, userId)) ? undefined : longAgo
}

/** Whether the user has neither a password nor a second factor. */
async function isAlone(tx: Db, userId: string) {
  const withPassword = and(eq(users.id, userId), isNotNull(users.passwordHash))
  return (await tx.$count(users, withPassword)) === 0 && (await factorsOf(tx, userId)).length === 0
}
