import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from './domain/errors.ts'
import { toProblem } from './problems.ts'

const reasons: Record<string, () => DomainError> = {
  HPE_HEADER_OVERFLOW: () => new DomainError(431, 'headers-too-large', 'The headers are too large', 'Send fewer or shorter headers.'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new DomainError(408, 'request-timeout', 'The request took too long to arrive', 'Send it again without pauses.')
}
const malformed = () => new DomainError(400, 'malformed-request', 'The request cannot be read', 'The address or the message is malformed.')

/** Answers what Node could not parse: there is no request yet, only a socket. */
export function onClientError (error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const id = randomUUID()
  const problem = toProblem((reasons[error.code ?? ''] ?? malformed)(), id)
  const body = JSON.stringify(problem)
  socket.end([
    `HTTP/1.1 ${problem.status} ${problem.code}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
    '',
    body
  ].join('\r\n'))
}

/** Answers what the router refuses before any hook has run: an address that cannot be decoded, a part of it too long. */
export function onUnroutable (error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const problem = toProblem(error, request.id)
  reply.code(problem.status).headers({ 'x-request-id': request.id, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(problem))
}
