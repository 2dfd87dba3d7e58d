import type { FastifyContextConfig, FastifySchema } from 'fastify'
import type { OwnProblem } from '../../domain/vocabulary.ts'
import {
  permissionOf,
  requiresKey,
  requiresSession,
  scopeSourceOf
} from '../../domain/permissions.ts'
import type { ProblemCode } from '../../problems/list.ts'
import { headers } from '../../schemas/primitives.ts'
import { challenged, passingProblem, problem, tooMany } from '../../schemas/problem.ts'
import type { ProblemResponse } from '../../schemas/problem.ts'
import { proofHeader } from '../../schemas/proofs.ts'
import { isSafe } from '../methods.ts'
import type { Surface } from '../surface.ts'

export interface Route {
  method: string
  config: FastifyContextConfig
  surface: Surface
}
type Responses = Record<string, object>

/** The responses that a route declares, and the refusals that every route of its kind can send. */
export function completeResponses(schema: FastifySchema, route: Route): Responses {
  const responses = { ...(schema.response as Responses) }
  for (const [status, common] of Object.entries(commonResponses(schema, route))) {
    const own = responses[status] as ProblemResponse | undefined
    responses[status] = own?.codes ? both(own, common) : (own ?? common)
  }
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      'codes' in response ? withCodes(withHeaders(response as ProblemResponse, route)) : response
    ])
  )
}

function commonResponses(schema: FastifySchema, { method, config, surface }: Route) {
  const { access, acceptsKeys, probe, ofrep, form, changesNothing, fromElsewhere } = config
  const inConsole = surface === 'console'
  const writes = !isSafe(method)
  const withSession = requiresSession(access)
  const withKey = requiresKey(access) || acceptsKeys === true
  const isScoped = scopeSourceOf(access) !== undefined
  const needsPermission = permissionOf(access) !== undefined
  const { querystring, params, headers: ofRequest, body } = schema
  const isList = 'cursor' in ((querystring as { properties?: object })?.properties ?? {})
  const requestCodes: ProblemCode[] = [
    'malformed-request',
    ...(querystring || params || ofRequest || body || isScoped
      ? (['invalid-request'] as const)
      : []),
    ...(isList ? (['invalid-cursor'] as const) : []),
    ...(writes && !form ? (['malformed-json'] as const) : []),
    ...(ofrep ? (['host-not-allowed'] as const) : [])
  ]
  const forbidden: (ProblemCode | OwnProblem)[] = [
    ...(needsPermission ? (['permission-denied'] as const) : []),
    ...(withKey ? (['key-network'] as const) : []),
    ...(inConsole && writes && !changesNothing ? (['read-only'] as const) : []),
    ...(fromElsewhere ? [] : (['cross-site'] as const)) // also for reads: an upgrade to a WebSocket
  ]
  const refusals: Record<number, ProblemResponse> = {
    400: problem('The request is not valid; `errors` lists the fields to correct', ...requestCodes),
    ...(withSession && {
      401: inConsole
        ? problem('The token is not that of the page', 'console-ended')
        : problem('The caller is not signed in', 'unauthenticated')
    }),
    ...(requiresKey(access) && {
      401: problem('There is no valid API key in `Authorization`', 'unauthenticated')
    }),
    ...(forbidden.length > 0 && {
      403: problem(
        [
          ...(needsPermission ? ['The caller lacks the permission in `x-access`'] : []),
          ...(withKey ? ['the API key is not valid in the network of the client'] : []),
          ...(forbidden.includes('read-only') ? ['the console is read-only'] : []),
          ...(forbidden.includes('cross-site') ? [crossSite] : [])
        ].join(', or '),
        ...forbidden
      )
    }),
    ...((withSession || access === 'optional') &&
      !acceptsKeys &&
      !inConsole && {
        409: problem('The session is not that of the user in Portal-User', 'other-user')
      }),
    ...(isScoped && {
      404: problem('The caller has no role in the scope', 'scope-not-found')
    }),
    408: problem('The request took too long to arrive', 'request-timeout'),
    ...(writes && {
      413: problem('The body is too large', 'body-too-large'),
      415: {
        ...problem(
          `The body is not ${form ? 'application/x-www-form-urlencoded' : 'application/json'}`,
          'unsupported-media-type'
        ),
        ...(method === 'PATCH' && { headers: headers.acceptPatch })
      }
    }),
    414: problem('The URL is too long', 'uri-too-long'),
    417: problem(
      'The Expect header asks for something other than 100-continue',
      'expectation-failed'
    ),
    ...(!probe &&
      !ofrep && {
        421: problem('The portal does not serve the host in the Host header', 'host-not-allowed')
      }),
    ...(ofRequest === proofHeader && { 428: challenged }),
    ...(((writes && withSession) || withKey) && { 429: tooMany }),
    431: problem('The headers are too large or too many', 'headers-too-large'),
    500: problem('The portal failed unexpectedly', 'internal-error'),
    505: problem('The request has another version than HTTP/1.1', 'http-version'),
    ...((writes || access !== 'public') && {
      503: passingProblem(
        'The database is unavailable or the portal is overloaded; Retry-After says when to try ' +
          'again',
        'database-unavailable',
        'overloaded'
      )
    })
  }
  return refusals
}

const crossSite = 'a page of another site sent the request'

/** The words of the route, with the codes of both. */
const both = (own: ProblemResponse, common: ProblemResponse): ProblemResponse => ({
  ...own,
  description: common.codes.includes('cross-site')
    ? `${own.description}, or ${crossSite}`
    : own.description,
  codes: [...new Set([...own.codes, ...common.codes])]
})

const withHeaders = (
  refusal: ProblemResponse,
  { config: { refusalHeaders } }: Route
): ProblemResponse =>
  refusalHeaders ? { ...refusal, headers: { ...refusal.headers, ...refusalHeaders } } : refusal

/** The response with its codes as an enum, by which generated types narrow. */
const withCodes = ({ codes, content, description, ...response }: ProblemResponse) => ({
  ...response,
  description: description.charAt(0).toUpperCase() + description.slice(1),
  content: Object.fromEntries(
    Object.entries(content).map(([type, { schema }]) => [
      type,
      {
        schema: {
          allOf: [
            schema,
            { type: 'object', properties: { code: { type: 'string', enum: codes.toSorted() } } }
          ]
        }
      }
    ])
  )
})
