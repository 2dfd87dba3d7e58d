import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { activity } from '../../../db/schema/activity.ts'
import type { ActivityRow } from '../../../db/schema/activity.ts'
import { tokens } from '../../../db/schema/tokens.ts'
import { users } from '../../../db/schema/users.ts'
import { authorizedOn } from '../access/authorize.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { needsEnrolmentToken } from '../factors/enrolment.ts'
import { findRequired } from '../providers/provider.ts'
import type { Context } from '../sign-in/context.ts'
import { deleteCodeThrottles, deleteThrottles } from '../throttling/buckets.ts'
import { findFull } from '../throttling/throttles.ts'
import { plannedDeletion } from '../users/users.ts'
import { canSignIn } from './operator-links.ts'

/** Keeps a user from signing in, or from a role that they have. */
interface Obstacle {
  code:
    | 'deactivated'
    | 'deletion-planned'
    | 'too-many-attempts'
    | 'invited'
    | 'no-password'
    | 'email-unverified'
    | 'second-factor-missing'
  since: Date | null
  /** When it ends by itself; for an invitation, when the last link expires. */
  until: Date | null
  /** Who caused it. */
  by: Pick<ActivityRow, 'actorType' | 'actorId' | 'actorLabel'> | null
  /** Wrong passwords or codes since the last success. */
  attempts: number | null
}

const obstacle = (code: Obstacle['code'], known: Partial<Obstacle> = {}): Obstacle => ({
  ...{ since: null, until: null, by: null, attempts: null },
  ...known,
  code
})

/**
 * Everything that keeps a user from signing in, or from a role that they have, the newest first.
 * Attempts at known devices are not judged, because their limits have names that only the devices
 * know. Throws `user-not-found`.
 */
export async function findObstacles(
  context: Pick<Context, 'buckets' | 'db' | 'mail' | 'providers'>,
  { userId }: { userId: string }
): Promise<Obstacle[]> {
  const { db, mail, providers } = context
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user) throw new DomainError('user-not-found')
  const { createdAt: since, emailNormalized, emailVerifiedAt, passwordHash, status } = user
  const found: Obstacle[] = await findLimits(context, user)
  const until = plannedDeletion(user)
  if (until) {
    found.push(
      obstacle('deletion-planned', {
        ...(await lastRecord(db, userId, 'user.deletion-plan')),
        until
      })
    )
  } else if (status === 'deactivated') {
    found.push(obstacle('deactivated', await lastRecord(db, userId, 'user.deactivate')))
  }
  // A domain that must sign in with its provider needs neither a password nor a link.
  if (status === 'active' && !findRequired(providers, emailNormalized)) {
    if (!(await canSignIn(db, userId))) {
      const invited = await lastRecord(db, userId, 'user.invite')
      found.push(
        invited
          ? obstacle('invited', { ...invited, until: await lastExpiry(db, userId) })
          : obstacle('no-password', { since })
      )
    } else if (passwordHash && !emailVerifiedAt && mail?.verification === 'required') {
      found.push(obstacle('email-unverified', { since }))
    }
  }
  if (status === 'active' && (await needsEnrolmentToken(db, user))) {
    found.push(obstacle('second-factor-missing'))
  }
  return found.toSorted((a, b) => Number(b.since) - Number(a.since))
}

const lastRecord = async (db: Db, userId: string, action: ActivityRow['action']) => {
  const { actorType, actorId, actorLabel } = activity
  const [found] = await db
    .select({ since: activity.at, actorType, actorId, actorLabel })
    .from(activity)
    .where(and(eq(activity.targetId, userId), eq(activity.action, action)))
    .orderBy(desc(activity.at), desc(activity.id))
    .limit(1)
  return found && { since: found.since, by: found }
}

async function lastExpiry(db: Db, userId: string) {
  const isLink = and(eq(tokens.userId, userId), eq(tokens.purpose, 'password-reset'))
  const [found] = await db
    .select({ expiresAt: tokens.expiresAt })
    .from(tokens)
    .where(and(isLink, gt(tokens.expiresAt, sql`now()`)))
    .orderBy(desc(tokens.expiresAt))
    .limit(1)
  return found?.expiresAt ?? null
}

/** Sign-ins of a day whose addresses are asked about. */
const recent = 200

/** The limits of wrong passwords and codes that are used up: the one that lasts longest. */
async function findLimits(
  { db, buckets }: Pick<Context, 'buckets' | 'db'>,
  { id, emailNormalized }: { id: string; emailNormalized: string }
) {
  const failures = await db
    .select({ since: activity.at, ip: activity.ip })
    .from(activity)
    .where(
      and(
        eq(activity.targetId, id),
        eq(activity.action, 'auth.login'),
        eq(activity.outcome, 'failure'),
        gt(activity.at, sql`now() - interval '1 day'`)
      )
    )
    .orderBy(desc(activity.at))
    .limit(recent)
  const addresses = new Set(failures.map(({ ip }) => ip ?? undefined))
  const full = await findFull(db, buckets.signIns(emailNormalized, id, [...addresses]))
  const [longest] = full.toSorted((a, b) => b.seconds - a.seconds)
  if (!longest) return []
  const { seconds, fails: attempts } = longest
  const until = new Date(Date.now() + seconds * 1000)
  return [
    obstacle('too-many-attempts', { since: failures[0]?.since ?? new Date(), until, attempts })
  ]
}

/**
 * Resets the rate limits of an account, on every instance. Limits of addresses stay. Returns how
 * many were used. Throws `user-not-found` and `exceeds-own-permissions`.
 */
export const resetLimits = (
  { db, buckets }: Pick<Context, 'buckets' | 'db'>,
  actor: Actor,
  { userId }: { userId: string }
) =>
  authorizedOn(db, actor, 'users:update', { id: userId }, async (tx, by, target) => {
    const keys = buckets.accountKeys(target.emailNormalized, target.id)
    const deleted = (await deleteThrottles(tx, keys)) + (await deleteCodeThrottles(tx, keys))
    if (deleted > 0) await record(tx, by, 'throttle.reset', { userId: target.id })
    return deleted
  })
