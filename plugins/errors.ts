import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { pagePolicy } from '../src/html.ts'
import { logRefusal } from '../src/http/logging.ts'
import { refusalPage } from '../src/http/pages/start-page.ts'
import { toAnswer, toProblem, toRefusal } from '../src/http/problems.ts'
import { patchTypes } from '../src/schemas/primitives.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Refusals with 400 and 404 have the format of the OpenFeature Remote Evaluation Protocol. */
    ofrep?: true
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Whether somebody looks at a page, or at an address that nothing has, and not at the API. */
const isOpenedInBrowser = ({ method, headers, is404, routeOptions }: FastifyRequest) =>
  method === 'GET' &&
  (headers.accept ?? '').includes('text/html') &&
  (is404 || routeOptions.schema?.hide === true)

/** Turns every thrown error, and Fastify's own 404, into a problem document. */
export default fp(
  async (app) => {
    app.setErrorHandler(async (error, request, reply) => {
      const refusal = toRefusal(error)
      const problem = toProblem(refusal, request.id, app.config.providers)
      if (problem.status === 403) await app.noteRefusal(request, problem.code, refusal.details)
      // Not awaited, because the response time would reveal whether an account exists.
      if (problem.status === 429 || problem.status === 428 || problem.code === 'hook-failed') {
        void app.noteRefusal(request, problem.code, refusal.details)
      }
      if (problem.status === 401 && request.tokenProblem) {
        await app.noteRefusal(request, request.tokenProblem)
      }
      if (problem.status === 500) app.log.error({ reqId: request.id, err: error }, 'request failed')
      if (problem.status !== 500) logRefusal(request, error, refusal)
      if (problem.status === 415 && request.method === 'PATCH') {
        reply.header('accept-patch', patchTypes.join(', '))
      }
      if (refusal.retryAfter !== undefined) reply.header('retry-after', refusal.retryAfter)
      if (app.surface === 'development' && isOpenedInBrowser(request)) {
        return reply
          .code(problem.status)
          .header('content-security-policy', pagePolicy)
          .type('text/html; charset=utf-8')
          .send(refusalPage(problem, app.config.MAIL_URL === undefined))
      }
      const { ofrep } = request.routeOptions.config
      const { type, body } = toAnswer(problem, ofrep && request.params)
      return reply.code(problem.status).type(type).send(body)
    })

    app.setNotFoundHandler((request, reply) => {
      const path = request.url.split('?', 1)[0] ?? ''
      const constraints = app.isAtDoor?.(request.raw) ? [{}, { door: 'machine' }] : [{}]
      const allowed = methods.filter((method) =>
        constraints.some((each) => app.findRoute({ method, url: path, constraints: each }) !== null)
      )
      // If the method is among them, the route exists and itself reports a missing resource.
      if (allowed.length === 0 || allowed.some((method) => method === request.method)) {
        return reply.notFound()
      }
      return reply.header('allow', allowed.join(', ')).methodNotAllowed()
    })
  },
  { name: 'errors', dependencies: ['refusals', 'sensible'] }
)
