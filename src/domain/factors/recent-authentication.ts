import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { ofSeconds } from '../../../db/intervals.ts'
import { authenticatedAt, sessions } from '../../../db/schema/sessions.ts'
import type { Assurance } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import type { LockedUser } from '../access/rights.ts'
import type { SignedInActor } from '../activity/record.ts'
import { findRequiringRoles } from './enrolment.ts'
import { reauthenticationRequired } from './errors.ts'
import { factorsOf } from './methods.ts'

/** Seconds for which a proof of who the user is counts as recent. */
const recentSeconds = 600

/**
 * The assurance that changes of the account need. 2 where the account needs a second factor to sign
 * in, or a role of the user requires one and there is one: otherwise a thief with the password
 * could replace it by their own.
 */
export async function neededAssurance(
  db: Db,
  { id, secondFactor }: Pick<LockedUser, 'id' | 'secondFactor'>
): Promise<Assurance> {
  if (secondFactor) return 2
  const isRequired = (await findRequiringRoles(db, id)).length > 0
  return isRequired && (await factorsOf(db, id)).length > 0 ? 2 : 1
}

/**
 * Requires that the user has proved in this session, at most ten minutes ago, who they are: with a
 * second factor where `neededAssurance` says so. In the transaction of the change that depends on
 * it, with the user locked, so that the state at that moment decides. Throws
 * `reauthentication-required`, which names what the user can prove.
 */
export async function requireRecentAuthentication(
  tx: Db,
  actor: SignedInActor,
  user: Pick<LockedUser, 'id' | 'secondFactor'>,
  given?: Assurance
) {
  const least = given ?? (await neededAssurance(tx, user))
  const [session] = await tx
    .select({
      recent: sql<boolean>`${authenticatedAt} > now() - ${ofSeconds(recentSeconds)}`,
      assurance: sessions.assurance
    })
    .from(sessions)
    .where(eq(sessions.id, actor.sessionId))
  if (session?.recent && session.assurance >= least) return
  throw await refuseUnproved(tx, user.id, least)
}

/**
 * The refusal `reauthentication-required`, with what this user can prove.
 * @param maxAge seconds for which a proof is recent
 */
export async function refuseUnproved(
  db: Db,
  userId: string,
  least: Assurance,
  maxAge = recentSeconds
) {
  const factors = await factorsOf(db, userId)
  // Where a second factor is needed, the password proves nothing new: a thief may know it.
  const password = least === 1 && (await hasPassword(db, userId))
  return reauthenticationRequired(password ? ['password', ...factors] : factors, maxAge)
}

async function hasPassword(db: Db, userId: string) {
  const [user] = await db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, userId))
  return typeof user?.passwordHash === 'string'
}
