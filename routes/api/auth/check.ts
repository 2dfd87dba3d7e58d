import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { cannotReauthenticate, DomainError } from '../../../src/domain/errors.ts'
import { unionOf } from '../../../src/domain/keys/rights.ts'
import { aheadSeconds, refuseUnproved } from '../../../src/domain/factors/recent-authentication.ts'
import {
  assertionOf,
  keyAssertionOf,
  unknownAudience
} from '../../../src/domain/sessions/assertions.ts'
import { requirePrincipal } from '../../../src/http/authentication.ts'
import {
  isOriginalWriting,
  keyHeaders,
  portalHeaders,
  problemHeader
} from '../../../src/http/forward-auth.ts'
import { keyDenied } from '../../../src/http/key-authentication.ts'
import { checkAnswer, checkHeaders, checkQuery, checkRefusal } from '../../../src/schemas/checks.ts'
import { NoContent } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

export default (async (app) => {
  const { ASSERTION_AUDIENCES: audiences, PUBLIC_ORIGIN: issuer } = app.config

  app.get('/check', {
    config: {
      access: 'session',
      fromMemory: true,
      acceptsKeys: true,
      counts: 'checks',
      refusalHeaders: checkRefusal,
      tag: 'auth',
      order: 140
    },
    schema: {
      operationId: 'checkSession',
      summary: 'Check a request to another service',
      description:
        'For proxies and services behind the same host: says whether the request that is ' +
        'described by the headers comes from a signed-in user, and who they are. Pass on ' +
        '`Cookie`, `Origin` and `Sec-Fetch-Site` of the original request, and name its method. ' +
        'With `accept=key`, also pass on `Authorization`: an API key in it is admitted in place ' +
        'of a session. ' +
        'The response is valid for this moment only: do not cache it. Proxies drop the body of ' +
        'a refusal, so the header `Portal-Problem` repeats it.',
      querystring: checkQuery,
      headers: checkHeaders,
      response: {
        204: NoContent('The request is allowed; the headers identify the user', checkAnswer),
        400: problem(
          'The original method is missing, the query is not valid, or there are a session and an ' +
            'API key',
          'original-method-missing',
          'two-credentials'
        ),
        403: problem(
          'The user lacks a permission, must authenticate again, or a page of another ' +
            'site sent the original request',
          'permission-denied',
          'reauthentication-required',
          'cross-site'
        )
      }
    },
    onSend: (_request, reply, payload, done) => {
      if (reply.statusCode >= 400 && typeof payload === 'string') {
        reply.headers(problemHeader(payload))
      }
      done()
    },
    handler: async (request, reply) => {
      const { presentedKey } = request
      const { permission = [], scope, assurance = 1, maxAge, audience } = request.query
      if (isOriginalWriting(request.headers) && app.isCrossSite(request.headers)) {
        throw new DomainError('cross-site')
      }
      if (audience !== undefined && !audiences.includes(audience)) throw unknownAudience()
      const here = scope === undefined ? undefined : await app.rightsIn(request, scope)
      const isRefused = (permissions: string[]) =>
        permission.length > 0
          ? permission.some((each) => !permissions.includes(each))
          : here?.isMember === false
      if (presentedKey) {
        const { now } = presentedKey
        const caller = unionOf(presentedKey.caller, here)
        if (isRefused(caller.permissions)) throw keyDenied(caller)
        if (assurance > 1 || maxAge !== undefined) throw cannotReauthenticate()
        reply.headers(keyHeaders(caller))
        if (scope !== undefined) reply.header('portal-scope', scope)
        if (audience !== undefined) {
          const claims = keyAssertionOf(caller, { issuer, audience, now, scope })
          reply.header('portal-assertion', app.signAssertion(claims))
        }
        return
      }
      const principal = requirePrincipal(request)
      const { session, now } = principal
      const user = unionOf(principal.user, here)
      if (isRefused(user.permissions)) throw new DomainError('permission-denied')
      const age = (now - Date.parse(session.authenticatedAt)) / 1000
      const isOld = maxAge !== undefined && (age > maxAge || age < -aheadSeconds)
      if (session.assurance < assurance || isOld) {
        const least = assurance === 2 ? 2 : 1
        const proved = session.assurance
        throw await refuseUnproved(app.db, user.id, { least, proved, maxAge })
      }
      reply.headers(portalHeaders({ user, session }))
      if (scope !== undefined) reply.header('portal-scope', scope)
      if (audience !== undefined) {
        const claims = assertionOf({ user, session }, { issuer, audience, now, scope })
        reply.header('portal-assertion', app.signAssertion(claims))
      }
    }
  })
}) satisfies FastifyPluginAsyncTypebox
