import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { withSlack } from '../db/transaction.ts'
import { maskAddress, trustOf } from '../src/config/addresses.ts'
import { overloaded } from '../src/domain/errors.ts'
import { canonicalAddress, isPublic } from '../src/domain/networks.ts'
import { createGuard, loopbackOnly } from '../src/http/guard.ts'
import { closeUnlessUpgraded, isSafe } from '../src/http/methods.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For probes of load balancers and supervisors: any host name, or none, is accepted. */
    probe?: true
    /** Providers send long parameters: a URL of 8 KiB is accepted. */
    longUrl?: true
  }
  interface FastifyRequest {
    /** From performance.now(), where the time to answer is limited. */
    arrived: number | undefined
  }
  interface FastifyInstance {
    /** The number of peers that forward addresses and are not in TRUST_PROXY, up to a limit. */
    untrustedProxies(): number
  }
}

/**
 * Milliseconds. Longer than a request may take to arrive, or a slow body would get two responses.
 */
const changeLimit = 15_000

/**
 * Responds with 503 if a change takes too long, and says since when. Not Fastify's
 * `handlerTimeout`, which ends as soon as the body has been read.
 */
function limitTime(request: FastifyRequest, reply: FastifyReply) {
  request.arrived = performance.now()
  const timer = setTimeout(() => {
    if (!reply.sent && !reply.raw.headersSent) reply.send(overloaded())
  }, withSlack(changeLimit))
  reply.raw.once('close', () => clearTimeout(timer))
}

export default fp(
  async (app) => {
    // It has no proxy, and everybody on its machine could write to the terminal of the operator.
    const isConsole = app.surface === 'console'
    const guard = createGuard(isConsole ? loopbackOnly : app.config)
    const forwarding = watchForwarding(app.config.TRUST_PROXY, (peer) => {
      app.log.warn(
        { peer },
        'X-Forwarded-For is ignored, because TRUST_PROXY does not contain this peer: its clients ' +
          'share its address. If it is your proxy, add it to TRUST_PROXY'
      )
    })
    app.decorate('untrustedProxies', forwarding.untrusted)
    app.decorateRequest('arrived', undefined)
    app.addHook('onRequest', function guardTransport(request, reply, done) {
      if (!isConsole) forwarding.look(request.raw)
      // Reads end by the deadlines of their statements. This timer would be most of the cost of a
      // session check.
      if (!isSafe(request.method)) limitTime(request, reply)
      closeUnlessUpgraded(request, reply)
      const problem = guard(request)
      // Later requests on this connection cannot be trusted either.
      if (problem) {
        reply.headers({ ...app.corsHeaders(request.headers.origin), connection: 'close' })
      }
      done(problem)
    })
  },
  { name: 'guard', dependencies: ['config', 'helmet'] }
)

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
function watchForwarding(proxies: string[], onUntrusted: (peer: string) => void) {
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
