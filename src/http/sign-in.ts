import type { FastifyInstance, FastifyReply } from 'fastify'
import type { FactorDue, NewSession } from '../domain/sign-in/start-session.ts'

type SignedIn = NewSession & { device: string }

/** Sets the cookies of a new session and returns the body of the response. */
export function answerSignedIn(
  app: FastifyInstance,
  reply: FastifyReply,
  { user, session, secret, device }: SignedIn
) {
  reply.setPortalCookie('session', app.sessionTokens.sign(session, secret))
  reply.setPortalCookie('device', device)
  return { user, session }
}

/**
 * The same, unless a second factor is needed: then the status becomes 202, and the only cookie is
 * the one that the second step needs.
 */
export function answerSignIn(
  app: FastifyInstance,
  reply: FastifyReply,
  signIn: SignedIn | FactorDue
) {
  if (signIn.session) return answerSignedIn(app, reply, signIn)
  const { secret, methods, expiresAt } = signIn.login
  reply.code(202).setPortalCookie('login', secret)
  return { next: 'second-factor' as const, methods, expiresAt }
}
