import type { actorTypes, sources } from '../../db/schema/activity.ts'

/** The user, command or job that acts, and where the action comes from. */
export interface Actor {
  type: (typeof actorTypes)[number]
  source: (typeof sources)[number]
  id?: string | undefined
  label?: string | undefined
  /** The session of the acting user. */
  sessionId?: string | undefined
  /** Of the secret that came with the request, in hexadecimal: see `isSessionOf`. Not recorded. */
  tokenHash?: string | undefined
  ip?: string | undefined
  userAgent?: string | undefined
  requestId?: string | undefined
}

/** A signed-in user, who acts on their own account. */
export interface SignedInActor extends Actor {
  type: 'user'
  id: string
  sessionId: string
  tokenHash: string
}

/** A session that the caller has with another account is not the user's. */
export const asUser = (actor: Actor, user: { id: string; email: string }) => ({
  ...actor,
  sessionId: actor.id === user.id ? actor.sessionId : undefined,
  type: 'user' as const,
  id: user.id,
  label: user.email
})
