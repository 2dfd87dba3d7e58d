import type { FastifyRequest } from 'fastify'
import { DomainError } from '../domain/errors.ts'
import { namesScopes } from '../domain/flags/caller-settings.ts'
import {
  contextAt,
  contextOfUser,
  contextOfVisitor,
  evaluate,
  evaluateAll
} from '../domain/flags/evaluation.ts'
import type { FlagState } from '../domain/flags/evaluation.ts'

/** The context that a caller sends. For a signed-in user, id and roles take precedence. */
type Given = Record<string, unknown> & { targetingKey?: string }

/**
 * The flags of now, and the context of the caller of a request.
 * @param scope what the evaluation is about, which counts if the caller has a role in it
 */
export async function flagsFor(
  request: FastifyRequest,
  { targetingKey, ...attributes }: Given = {},
  scope?: string
) {
  const { server: app, principal } = request
  const state = await app.readFlags()
  const caller = principal
    ? contextOfUser(principal.user, attributes, {
        appSettings: await app.callerSettings(state, principal.user),
        scope: await heldScope(request, state, scope)
      })
    : contextOfVisitor(targetingKey, attributes)
  return { flags: state.flags, context: contextAt(caller, state) }
}

/** Nothing is read unless rules name scopes. */
async function heldScope(request: FastifyRequest, state: FlagState, scope: string | undefined) {
  if (scope === undefined || !namesScopes(state)) return undefined
  const { roles } = await request.server.rightsIn(request, scope)
  return roles.length > 0 ? scope : undefined
}

/**
 * Evaluates a flag for the caller of a request, and counts it. Throws `flag-not-found` and
 * `targeting-key-missing`.
 */
export async function evaluateFlag(
  request: FastifyRequest,
  key: string,
  given: Given = {},
  scope?: string
) {
  const { flags, context } = await flagsFor(request, given, scope)
  const found = evaluate(flags, key, context)
  request.server.countEvaluations('single', [found ?? { key }])
  if (!found) throw new DomainError('targeting-key-missing')
  return found
}

/** Evaluates every flag that the caller of a request may see, and counts them. */
export async function evaluateFlags(request: FastifyRequest, given: Given = {}, scope?: string) {
  const { flags, context } = await flagsFor(request, given, scope)
  const { flags: evaluated } = evaluateAll(flags, context)
  request.server.countEvaluations('bulk', evaluated)
  return evaluated
}
