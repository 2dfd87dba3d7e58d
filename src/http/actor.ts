import { normalizeAddress } from '../config/addresses.ts'
import type { Actor, SignedInActor } from '../domain/actor.ts'
import type { SignedIn } from './authentication.ts'

/** The parts of a request that activity records contain. */
interface Sender {
  id: string
  ip: string
  socket: { remoteAddress?: string | undefined }
  headers: { 'user-agent'?: string | undefined }
}

const userAgentLength = 256

export const actorOf = (
  { id: requestId, ip, socket, headers }: Sender,
  principal: SignedIn | null
): Actor => ({
  type: principal ? 'user' : 'anonymous',
  source: 'api',
  id: principal?.user.id,
  label: principal?.user.email,
  sessionId: principal?.session.id,
  tokenHash: principal?.tokenHash,
  ip: normalizeAddress(ip) ?? normalizeAddress(socket.remoteAddress),
  userAgent: headers['user-agent']?.replace(/\p{Cc}/gu, '').slice(0, userAgentLength),
  requestId
})

export const signedInActorOf = (sender: Sender, principal: SignedIn): SignedInActor => ({
  ...actorOf(sender, principal),
  type: 'user',
  id: principal.user.id,
  sessionId: principal.session.id,
  tokenHash: principal.tokenHash
})

/** The signed-in user of a request that needs none. */
export const ownActorOf = (request: Sender & { principal: SignedIn | null }) =>
  request.principal ? signedInActorOf(request, request.principal) : undefined
