import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { targetLength } from '../../db/schema/provider-accounts.ts'
import type { Config } from '../config/config.ts'
import { invalidFields } from '../domain/domain-error.ts'
import { flowName, mostFlows, openFlow, sealFlow } from '../domain/providers/flows.ts'
import type { Flow } from '../domain/providers/flows.ts'
import { returnTarget } from './pages/return-target.ts'

/** The flows of this browser, the oldest first, and the names of cookies that are not valid. */
function flowsOf(app: FastifyInstance, request: FastifyRequest) {
  const invalid: string[] = []
  const flows = request.flowNames().flatMap((name) => {
    const content = request.portalCookie(`flow_${name}`)
    const flow = content === undefined ? undefined : openFlow(app.services.sealing, name, content)
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
  reply.setPortalCookie(`flow_${flowName(flow.state)}`, sealFlow(app.services.sealing, flow))
}

/** The flow of this state at this provider, if it began in this browser. */
export function findFlow(
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
export const defaultErrorTo = (config: Config) =>
  config.ACCOUNT_PAGES === 'on'
    ? `${config.PUBLIC_ORIGIN}/account/sign-in`
    : returnTarget(undefined, config)

/**
 * @param problem a code, or `second-factor-due`
 * @param deleteAt of `deletion-pending`
 */
export function errorTarget(errorTo: string, problem: string, provider: string, deleteAt?: Date) {
  const url = new URL(errorTo)
  url.searchParams.set('problem', problem)
  url.searchParams.set('provider', provider)
  if (deleteAt) url.searchParams.set('deleteAt', deleteAt.toISOString())
  return url.href
}
