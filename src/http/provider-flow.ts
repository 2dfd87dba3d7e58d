import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { targetLength } from '../../db/schema/provider-accounts.ts'
import { withSlack } from '../../db/transaction.ts'
import type { Config } from '../config/config.ts'
import { completeFlow, requireProvider } from '../domain/accounts/provider-flows.ts'
import { DomainError, invalidFields, overloaded } from '../domain/errors.ts'
import type { CallbackParams } from '../domain/providers/client.ts'
import { flowName, mostFlows, openFlow, sealFlow } from '../domain/providers/flow-cookie.ts'
import type { Flow } from '../domain/providers/flow-cookie.ts'
import type { Provider } from '../domain/providers/provider.ts'
import { escapeHtml } from '../domain/texts.ts'
import { ownActorOf } from './actor.ts'
import { answerSignedIn } from './cookies.ts'
import { logRefusal } from './logging.ts'
import { returnTarget } from './pages/return-target.ts'
import { toRefusal } from './problems.ts'

/** Milliseconds to complete a way through a provider, which takes several calls of it. */
const flowLimit = 15_000

/**
 * Completes a way through a provider, and returns where the browser is led. A refusal leads to the
 * error target as well, because the user has left the app: nobody would read a problem document. So
 * does the end of the time, after which nothing is committed any more.
 */
export async function completeProviderFlow(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, params }: { key: string; params: CallbackParams }
): Promise<string> {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw new DomainError('cross-site')
  const provider = requireProvider(app.context, key)
  const flow = findFlow(app, request, { key, state: params.state })
  const errorTo = flow?.errorTo ?? defaultErrorTo(app.config)
  const { elapsedTime } = reply
  request.arrived = performance.now() - elapsedTime
  try {
    if (!flow) throw new DomainError('flow-expired')
    const work = completeFlow(app.context, request.actor, {
      self: ownActorOf(request),
      provider,
      flow,
      params,
      device: request.portalCookie('device'),
      locale: request.mailLocale(),
      presented: request.presentedTokens()
    })
    const result = await inTime(work, withSlack(flowLimit) - elapsedTime)
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

/** Settles as the work does, or rejects with `overloaded` after `ms`. */
async function inTime<T>(work: Promise<T>, ms: number) {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(overloaded()), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
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

/** The flows of this browser, the oldest first, and the names of cookies that are not valid. */
function flowsOf(app: FastifyInstance, request: FastifyRequest) {
  const invalid: string[] = []
  const flows = request.flowNames().flatMap((name) => {
    const content = request.portalCookie(`flow_${name}`)
    const flow = content === undefined ? undefined : openFlow(app.context.sealing, name, content)
    if (!flow) invalid.push(name)
    return flow ? [flow] : []
  })
  return { flows: flows.toSorted((a, b) => a.expiresAt - b.expiresAt), invalid }
}

/** Sets the cookie of a new flow. Of too many, the oldest are cleared. */
export function keepFlow(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  flow: Flow
) {
  const { flows, invalid } = flowsOf(app, request)
  const tooMany = flows.slice(0, Math.max(0, flows.length - mostFlows + 1))
  for (const name of [...invalid, ...tooMany.map(({ state }) => flowName(state))]) {
    reply.clearPortalCookie(`flow_${name}`)
  }
  reply.setPortalCookie(`flow_${flowName(flow.state)}`, sealFlow(app.context.sealing, flow))
}

/** The flow of this state at this provider, if it began in this browser. */
function findFlow(
  app: FastifyInstance,
  request: FastifyRequest,
  { key, state }: { key: string; state: string | undefined }
): Flow | undefined {
  if (state === undefined) return undefined
  const { flows } = flowsOf(app, request)
  return flows.find((flow) => flow.state === state && flow.provider === key)
}

interface Targets {
  returnTo?: string | undefined
  errorTo?: string | undefined
}

/** Where a flow leads. Foreign targets are replaced, as by the account pages. */
export function targetsOf(config: Config, { returnTo, errorTo }: Targets) {
  const targets = {
    returnTo: returnTarget(returnTo, config),
    errorTo: errorTo === undefined ? defaultErrorTo(config) : returnTarget(errorTo, config)
  }
  for (const name of ['returnTo', 'errorTo'] as const) {
    // The cookie has it in JSON, where a backslash takes two characters.
    if (JSON.stringify(targets[name]).length - 2 > targetLength) throw tooLong(name)
  }
  return targets
}

const tooLong = (name: string) =>
  invalidFields({
    pointer: `/${name}`,
    code: 'too-long',
    message: `At most ${targetLength} characters with its origin`
  })

/** The page to sign in, or the app if that has its own. */
const defaultErrorTo = (config: Config) =>
  config.ACCOUNT_PAGES === 'on'
    ? `${config.PUBLIC_ORIGIN}/account/sign-in`
    : returnTarget(undefined, config)

/**
 * @param problem a code, or `second-factor-due`
 * @param deleteAt of `deletion-pending`
 */
function errorTarget(errorTo: string, problem: string, provider: string, deleteAt?: Date) {
  const url = new URL(errorTo)
  url.searchParams.set('problem', problem)
  url.searchParams.set('provider', provider)
  if (deleteAt) url.searchParams.set('deleteAt', deleteAt.toISOString())
  return url.href
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a form instead of JSON. */
    form?: true
  }
}

export const formType = 'application/x-www-form-urlencoded'

/**
 * Lets the routes of a scope take forms, and nothing else: providers send them. A name that is
 * repeated becomes a list, which no schema accepts.
 */
export function addFormParser(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    formType,
    { parseAs: 'string' },
    async (_request: unknown, body: string) => {
      const fields = new Map<string, string | string[]>()
      for (const [name, value] of new URLSearchParams(body)) {
        const known = fields.get(name)
        fields.set(name, known === undefined ? value : [known, value].flat())
      }
      return Object.fromEntries(fields)
    }
  )
}

const pathOf = (key: string, what: 'callback' | 'finish') => `/api/auth/providers/${key}/${what}`

/** The redirect URI of a provider: its own, so that no other provider answers there (RFC 9700). */
export const callbackOf = (origin: string, key: string) => `${origin}${pathOf(key, 'callback')}`

/** Error codes (RFC 6749, 4.1.2.1). What else a provider sends is not repeated. */
const errorForm = /^[a-z_]{1,50}$/

/**
 * A page that leads on to `finish`. A provider leads back from another site, and browsers do not
 * send strict cookies along, not even after a redirect. The request that this page causes is from
 * the portal itself, so it carries them.
 */
export function callbackPage(key: string, params: CallbackParams) {
  const query = new URLSearchParams()
  for (const name of ['code', 'state', 'iss', 'error'] as const) {
    const value = params[name]
    if (value === undefined) continue
    query.set(name, name === 'error' && !errorForm.test(value) ? 'error' : value)
  }
  const url = escapeHtml(`${pathOf(key, 'finish')}?${query.toString()}`)
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign-in</title>' +
    `<meta http-equiv="refresh" content="0;url=${url}"><a href="${url}">Continue</a></html>`
  )
}

/** A provider as operators see it, without its secret. */
export const configuredProvider =
  (origin: string) =>
  ({ key, kind, name, issuer, domains, required, listed }: Provider) => ({
    ...{ key, kind, name, issuer, domains: [...domains], required, listed },
    redirectUri: callbackOf(origin, key)
  })
