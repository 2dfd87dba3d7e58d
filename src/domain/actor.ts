import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { actorTypes, sources } from '../../db/schema/activity.ts'
import { sessions } from '../../db/schema/sessions.ts'

/** The user, command or job that acts, and where the action comes from. */
export interface Actor {
  type: (typeof actorTypes)[number]
  source: (typeof sources)[number]
  id?: string | undefined
  label?: string | undefined
  /** The API key with which a user or a service acts, instead of a session. */
  keyId?: string | undefined
  /** The Idempotency-Key of a request with an API key, and what it asks for. Not recorded. */
  once?: { key: string; request: string } | undefined
  /** The session of the acting user. */
  sessionId?: string | undefined
  /** Hash of the secret in the request, in hexadecimal: see `isSessionOf`. Not recorded. */
  tokenHash?: string | undefined
  ip?: string | undefined
  userAgent?: string | undefined
  requestId?: string | undefined
  /**
   * When the request arrived for whose response somebody waits, from performance.now(). Undefined
   * when nobody does. Not recorded.
   */
  arrived?: number | undefined
}

/** A user who acts on their own account. */
export interface UserActor extends Actor {
  type: 'user'
  id: string
}

export interface SignedInActor extends UserActor {
  sessionId: string
  tokenHash: string
}

/** The owner of an API key, who acts on their own account. */
interface KeyActor extends Actor {
  type: 'user' | 'service'
  id: string
}

/** The command line, which may do everything. */
export interface CommandLine extends Actor {
  type: 'cli'
}

/** The portal itself, which may do everything. */
interface Job extends Actor {
  type: 'system'
}
export const job: Job = { type: 'system', source: 'job' }

/**
 * An actor whose permission was judged after the locks of the change. Only `authorized` creates it.
 * The current permissions of the actor bound what they may grant and whom they may act on.
 */
export interface AuthorizedActor extends Actor {
  /** Throws `exceeds-own-permissions` when the actor lacks one of these permissions. */
  requireAll(permissions: readonly string[]): void
  /**
   * Throws `exceeds-own-permissions` when the actor has this role but has not proved the second
   * factor that it requires.
   */
  requireUnsuspended(role: string): void
  /** Judges again, after a change that may have waited. */
  recheck(): Promise<void>
}

/** Who can be recorded as the author of a change. Any other `Actor` may lack the permission. */
export type Author = AuthorizedActor | UserActor | KeyActor | CommandLine | Job

/** The command line and jobs, which may do everything. */
export const isTrusted = ({ type }: Actor) => type === 'cli' || type === 'system'

/** The actor as this user. A session that the caller has with another account is left out. */
export const asUser = (actor: Actor, user: { id: string; email: string }): UserActor => ({
  ...actor,
  sessionId: actor.id === user.id ? actor.sessionId : undefined,
  type: 'user',
  id: user.id,
  label: user.email
})

/**
 * The session of a request, unless it has ended or its secret was replaced since. Found by its id
 * alone, a request with a copied cookie and a late body would get the assurance that the owner has
 * proved in the meantime. Ignores idle time: the session was active when the headers of the request
 * arrived.
 */
export const isSessionOf = ({
  id,
  sessionId,
  tokenHash
}: Pick<Actor, 'id' | 'sessionId' | 'tokenHash'>) =>
  id === undefined || sessionId === undefined || tokenHash === undefined
    ? sql`false`
    : and(
        eq(sessions.id, sessionId),
        eq(sessions.userId, id),
        eq(sessions.tokenHash, Buffer.from(tokenHash, 'hex')),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql`now()`)
      )
