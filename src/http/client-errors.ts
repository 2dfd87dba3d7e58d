import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomId } from '../domain/crypto.ts'
import { DomainError } from '../domain/domain-error.ts'
import { toAnswer, toProblem, toRefusal } from './problems.ts'

const reasons: Record<string, () => DomainError> = {
  HPE_HEADER_OVERFLOW: () => new DomainError('headers-too-large'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new DomainError('request-timeout')
}

/**
 * Responds to a message that Node could not parse, for which there is a socket but no request.
 * Fastify calls this with itself as `this`.
 */
export function onClientError(this: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const refusal = reasons[error.code ?? '']?.() ?? new DomainError('malformed-request')
  const { problem, headers, body } = answer(this, refusal)
  const lines = Object.entries({ ...headers, date: new Date().toUTCString() })
  // The client may never read the whole response, so unsent data is dropped.
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      ...lines.map(([name, value]) => `${name}: ${value}`),
      '',
      body
    ].join('\r\n'),
    () => socket.destroy()
  )
}

/** Responds to `Expect` headers other than 100-continue, for which Node would send an empty 417. */
export function onExpectation(
  app: FastifyInstance,
  _request: IncomingMessage,
  response: ServerResponse
) {
  const { problem, headers, body } = answer(app, new DomainError('expectation-failed'))
  response.writeHead(problem.status, headers).end(body)
}

/**
 * Responds to URLs that the router rejects before any hook: malformed, or with an overlong segment.
 */
export function onUnroutable(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const problem = toProblem(toRefusal(error), request.id)
  reply
    .code(problem.status)
    .headers({ ...request.server.securityHeaders, 'x-request-id': request.id })
  const { type, body } = toAnswer(problem)
  reply.type(type).send(body)
}

function answer(app: FastifyInstance, error: DomainError) {
  const id = randomId()
  const problem = toProblem(error, id)
  const { type, body } = toAnswer(problem)
  return {
    problem,
    body,
    headers: {
      ...app.securityHeaders,
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'x-request-id': id,
      connection: 'close'
    }
  }
}
