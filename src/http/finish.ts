import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { completeFlow, requireProvider } from '../domain/accounts/provider-flows.ts'
import { DomainError } from '../domain/domain-error.ts'
import type { CallbackParams } from '../domain/providers/client.ts'
import { flowExpired } from '../domain/providers/errors.ts'
import { flowName } from '../domain/providers/flows.ts'
import type { Flow } from '../domain/providers/flows.ts'
import { ownActorOf } from './actor.ts'
import { defaultErrorTo, errorTarget, findFlow } from './flows.ts'
import { logRefusal } from './logging.ts'
import { toRefusal } from './problems.ts'
import { answerSignedIn } from './sign-in.ts'

/**
 * Completes a way through a provider, and returns where the browser is led. A refusal leads to the
 * error target as well, because the user has left the app: nobody would read a problem document.
 */
export async function finish(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, params }: { key: string; params: CallbackParams }
): Promise<string> {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw new DomainError('cross-site')
  const provider = requireProvider(app.services, key)
  const flow = findFlow(app, request, { key, state: params.state })
  const errorTo = flow?.errorTo ?? defaultErrorTo(app.config)
  try {
    if (!flow) throw flowExpired()
    const result = await completeFlow(app.services, request.actor, {
      self: ownActorOf(request),
      provider,
      flow,
      params,
      device: request.portalCookie('device'),
      locale: request.mailLocale(),
      presented: request.presentedTokens()
    })
    reply.clearPortalCookie(`flow_${flowName(flow.state)}`)
    return target(app, reply, flow, result)
  } catch (error) {
    const refusal = toRefusal(error)
    if (refusal.code === 'internal-error') throw error
    if (flow && refusal.statusCode < 500) reply.clearPortalCookie(`flow_${flowName(flow.state)}`)
    if (refusal.code === 'deletion-pending') reply.setPortalCookie('led', refusal.code)
    if (refusal.statusCode === 429) void app.noteRefusal(request, refusal.code, refusal.details)
    logRefusal(request, error, refusal, key)
    return errorTarget(errorTo, refusal.code, key, refusal.deleteAt)
  }
}

/** Sets the cookies of a result. */
function target(
  app: FastifyInstance,
  reply: FastifyReply,
  { provider, returnTo, errorTo }: Flow,
  result: Awaited<ReturnType<typeof completeFlow>>
) {
  if (!result) return returnTo
  if ('renewed' in result) {
    const { session, secret } = result.renewed
    reply.setPortalCookie('session', app.sessionTokens.sign(session, secret))
    return returnTo
  }
  if (result.session) {
    answerSignedIn(app, reply, result)
    return returnTo
  }
  reply.setPortalCookie('login', result.login.secret)
  return errorTarget(errorTo, 'second-factor-due', provider)
}
