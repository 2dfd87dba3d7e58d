import fp from 'fastify-plugin'
import { toEvaluationProblem } from '../src/ofrep.ts'
import { methodNotAllowed, notFound, problemOf, toProblem } from '../src/problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Refusals 400 and 404 take the shape of the OpenFeature Remote Evaluation Protocol. */
    ofrep?: true
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Turns everything thrown, and the 404 that Fastify sends itself, into a problem document. */
export default fp(async (app) => {
  app.setErrorHandler(async (error, request, reply) => {
    const problem = toProblem(error, request.id)
    if (problem.status === 403) await app.noteRefusal(request, problem.code)
    if (problem.status === 401 && request.tokenProblem) await app.noteRefusal(request, request.tokenProblem)
    if (problem.status === 500) request.log.error({ err: error }, 'request failed')
    if (problem.status === 503) {
      request.log.warn({ err: error }, 'database away')
      reply.header('retry-after', '1')
    }
    if (request.routeOptions.config.ofrep && (problem.status === 400 || problem.status === 404)) {
      return reply.code(problem.status).type('application/json; charset=utf-8').send(JSON.stringify(toEvaluationProblem(problem, request.params)))
    }
    // Sent as text: the document is complete, and needs no route's serializer.
    return reply.code(problem.status).type('application/problem+json; charset=utf-8').send(JSON.stringify(problem))
  })

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const allowed = methods.filter((method) => app.findRoute({ method, url: path }) !== null)
    if (allowed.length === 0) throw problemOf(notFound)
    reply.header('allow', allowed.join(', '))
    throw methodNotAllowed()
  })
}, { name: 'errors', dependencies: ['refusals'] })
