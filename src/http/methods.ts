import type { FastifyReply, FastifyRequest } from 'fastify'

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a request with this method changes nothing (RFC 9110, section 9.2.1). */
export const isSafe = (method: string) => safe.has(method)

/** Whether a route has such methods only. */
export const isRead = ({ method }: { method: string | string[] }) => [method].flat().every(isSafe)

/** Whether a route is one of @fastify/websocket. */
export const isWebSocket = (route: object) => 'websocket' in route && route.websocket === true

/**
 * Closes the connection behind a response that refuses an upgrade. Once a plugin handles upgrades,
 * Node has given the socket away: it would stay open without any time limit, and delay the end.
 */
export function closeUnlessUpgraded({ headers, raw }: FastifyRequest, reply: FastifyReply) {
  if (headers.upgrade === undefined) return
  reply.header('connection', 'close')
  reply.raw.once('finish', () => raw.socket.destroySoon())
}
