import { normalizeAddress } from '../config/addresses.ts'
import type { Actor, CommandLine, SignedInActor } from '../domain/actor.ts'
import type { SignedIn } from './authentication.ts'
import type { PresentedKey } from './key-authentication.ts'
import type { Operator } from './operator.ts'

/** The parts of a request that activity records contain. */
interface Sender {
  id: string
  ip: string
  socket: { remoteAddress?: string | undefined }
  headers: { 'user-agent'?: string | undefined }
  arrived: number | undefined
}

const userAgentLength = 256

export const actorOf = (
  { id: requestId, ip, socket, headers, arrived }: Sender,
  principal: SignedIn | null,
  key: PresentedKey | null = null
): Actor => ({
  ...accountOf(principal, key),
  source: 'api',
  keyId: key?.caller.key.id,
  sessionId: principal?.session.id,
  tokenHash: principal?.tokenHash,
  ip: normalizeAddress(ip) ?? normalizeAddress(socket.remoteAddress),
  userAgent: userAgentOf(headers),
  requestId,
  arrived
})

const userAgentOf = (headers: Sender['headers']) =>
  headers['user-agent']?.replace(/\p{Cc}/gu, '').slice(0, userAgentLength)

/** The request names the browser; its address is that of this machine, and says nothing. */
export const operatorActorOf = (
  { id: requestId, headers, arrived }: Pick<Sender, 'id' | 'headers' | 'arrived'>,
  { actor }: Operator
): CommandLine => ({ ...actor, userAgent: userAgentOf(headers), requestId, arrived })

/** The user who is signed in, or the owner of the key. */
function accountOf(principal: SignedIn | null, key: PresentedKey | null) {
  if (principal) {
    return { type: 'user' as const, id: principal.user.id, label: principal.user.email }
  }
  return key?.caller.owner ?? { type: 'anonymous' as const }
}

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
