import type { IncomingMessage } from 'node:http'
import { isPublic, maskAddress, trustOf } from '../config/addresses.ts'
import { canonicalAddress } from '../domain/networks.ts'

/**
 * Maximum number of peers to check: an instance has few proxies, and anybody can send the header.
 */
const most = 20

/** The parts of a request that the check reads. */
interface Forwarded {
  headers: IncomingMessage['headers']
  socket: Pick<IncomingMessage['socket'], 'remoteAddress'>
}

/**
 * Notices a peer that forwards the addresses of clients without being trusted, once for each peer.
 * Otherwise the only symptom of a wrong TRUST_PROXY is that all clients share one address.
 * @param onUntrusted gets the address, or the network of a public one, which may be a client's
 */
export function watchForwarding(proxies: string[], onUntrusted: (peer: string) => void) {
  const isTrusted = trustOf(proxies)
  const known = new Set<string>()
  let untrusted = 0
  return {
    untrusted: () => untrusted,
    look({ headers, socket }: Forwarded) {
      if (headers['x-forwarded-for'] === undefined || known.size >= most) return
      const { remoteAddress = '' } = socket
      if (known.has(remoteAddress)) return
      known.add(remoteAddress)
      const peer = canonicalAddress(remoteAddress)
      if (peer === undefined || isTrusted(peer)) return
      untrusted++
      onUntrusted(isPublic(peer) ? String(maskAddress(peer)) : peer)
    }
  }
}
