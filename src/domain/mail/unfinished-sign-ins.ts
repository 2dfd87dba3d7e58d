import { and, eq, gte, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { activity } from '../../../db/schema/activity.ts'
import type { Actor } from '../actor.ts'
import { loginSeconds } from '../factors/pending-logins.ts'
import { enqueue, factsOf, readerOf } from '../outbox/enqueue.ts'
import type { MailService, PreparedMail, UnfinishedSignIn } from '../outbox/enqueue.ts'
import { countRecent } from '../outbox/list.ts'
import { hours } from '../tokens/lifetimes.ts'
import { lockUser } from '../users/users.ts'

const kind = 'sign-in-unfinished'

/**
 * Seconds after which a pending login has ended: a transaction that completes it may have begun
 * just before it expired.
 */
const endsIn = loginSeconds + 60

interface PendingSignIn {
  account: { id: string; credentialVersion: number }
  /** Age of the pending login, by the clock of the database. */
  expiresAt: Date
}

/**
 * Lets the worker find out later whether a pending login was completed, and report it to the owner
 * if not: somebody else may know the password (OWASP ASVS 6.3.5). Call it in the transaction of the
 * pending login, with the user locked.
 */
export async function watchSignIn(
  tx: Db,
  mail: MailService | undefined,
  { ip, userAgent, requestId }: Actor,
  { account: { id, credentialVersion }, expiresAt }: PendingSignIn
) {
  if (!mail?.signInNotices || (await countRecent(tx, id, kind)) > 0) return
  const payload: UnfinishedSignIn = {
    request: 'unfinished-sign-in',
    userId: id,
    credentialVersion,
    begunAt: new Date(expiresAt.getTime() - loginSeconds * 1000).toISOString(),
    origin: { ip, userAgent, requestId }
  }
  await enqueue(tx, mail.sealing, { kind, payload, dueIn: endsIn, expiresIn: hours(72) })
}

/**
 * The mail for an unfinished sign-in, at most one a day. Undefined when a sign-in was completed
 * from the same network address with the same browser since: the user has begun again, or used a
 * passkey. Locks the user, so that two workers do not send two.
 */
export async function forUnfinishedSignIn(
  tx: Db,
  { userId, credentialVersion, begunAt, origin }: UnfinishedSignIn
): Promise<(PreparedMail & { userId: string }) | undefined> {
  const user = await lockUser(tx, userId)
  if (user?.status !== 'active' || !user.emailVerifiedAt) return undefined
  // The password is a new one by now.
  if (user.credentialVersion !== credentialVersion) return undefined
  if (await wasCompleted(tx, userId, { begunAt, origin })) return undefined
  if ((await countRecent(tx, userId, kind)) > 0) return undefined
  const at = begunAt
  return {
    userId,
    to: user.email,
    reader: readerOf(user),
    content: { kind, ...factsOf({ type: 'user', source: 'api', ...origin }), at }
  }
}

async function wasCompleted(
  tx: Db,
  userId: string,
  { begunAt, origin: { ip, userAgent } }: Pick<UnfinishedSignIn, 'begunAt' | 'origin'>
) {
  const completed = and(
    eq(activity.actorId, userId),
    gte(activity.at, new Date(begunAt)),
    eq(activity.action, 'auth.login'),
    eq(activity.outcome, 'success'),
    ip === undefined ? isNull(activity.ip) : eq(activity.ip, ip),
    userAgent === undefined ? isNull(activity.userAgent) : eq(activity.userAgent, userAgent)
  )
  return (await tx.$count(activity, completed)) > 0
}
