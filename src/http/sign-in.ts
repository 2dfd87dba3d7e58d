import type { FastifyInstance, FastifyReply } from 'fastify'
import type { FactorDue, NewSession } from '../domain/sign-in/start-session.ts'

type StartedSession = NewSession & { device: string }

/** Sets the cookies of a new session and returns the body of the response. */
export function answerSignedIn(
  app: FastifyInstance,
  reply: FastifyReply,
  { user, session, secret, device }: StartedSession
) {
  reply.setPortalCookie('session', app.sessionTokens.sign(session, secret))
  reply.setPortalCookie('device', device)
  if (app.config.providers.length > 0) reply.clearPortalCookie('left')
  return { user, session }
}

/**
 * Answers with a new session or, if a second factor is needed, with status 202 and only the login
 * cookie.
 */
export function answerFirstStep(
  app: FastifyInstance,
  reply: FastifyReply,
  signIn: StartedSession | FactorDue
) {
  if (signIn.session) return answerSignedIn(app, reply, signIn)
  const { secret, methods, expiresAt } = signIn.login
  reply.code(202).setPortalCookie('login', secret)
  return { next: 'second-factor' as const, methods, expiresAt }
}
