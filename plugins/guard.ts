import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { hostsOf } from '../src/config/addresses.ts'
import type { Config } from '../src/config/config.ts'
import {
  headersTooLarge,
  hostNotAllowed,
  malformedRequest,
  uriTooLong
} from '../src/http/refusals.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For probes of balancers and supervisors: any name of the host, or none (HTTP/1.0 has none), and no rate limit. */
    probe?: true
  }
}

const limits = { url: 2048, headers: 100 }
/** Longer than a request may take to arrive, else a slow body gets two answers. */
const handlerTimeout = 15_000
const loopback = ['localhost', '127.0.0.1', '[::1]']

/**
 * What Node and Fastify let through and no client of ours sends: it is there to make two readers of one message disagree
 * (request smuggling), or to reach the portal under a name that somebody else owns (DNS rebinding).
 */
export default fp(
  async (app) => {
    const isOurs = hostCheck(app.config)

    app.addHook('onRoute', (route) => {
      // Reading ends by the deadlines of its statements; this timer would be most of what a session check costs.
      if (!['GET', 'HEAD'].includes(String(route.method))) route.handlerTimeout = handlerTimeout
    })
    app.addHook('onRequest', (request, reply, done) => {
      const problem = refusal(request)
      if (problem) reply.header('connection', 'close') // what follows on this connection is not to be trusted either
      done(problem)
    })

    function refusal(request: FastifyRequest) {
      const { raw } = request
      const { rawHeaders, headers, method, url = '' } = raw
      if (raw.httpVersionMajor < 1 || !url.startsWith('/') || url.includes('#')) {
        return malformedRequest()
      }
      if (url.length > limits.url) return uriTooLong()
      if (rawHeaders.length > 2 * limits.headers) return headersTooLarge()
      const encoding = headers['transfer-encoding']
      if (encoding !== undefined && encoding !== 'chunked') return malformedRequest()
      const length = headers['content-length']
      if (
        (method === 'GET' || method === 'HEAD') &&
        (encoding !== undefined || (length !== undefined && length !== '0'))
      ) {
        return malformedRequest()
      }
      const hosts = countHosts(rawHeaders)
      if (hosts > 1) return malformedRequest()
      if (isOurs(headers.host ?? '') || request.routeOptions.config.probe) return
      return hosts === 0 ? malformedRequest() : hostNotAllowed()
    }
  },
  { name: 'guard', dependencies: ['config', 'helmet'] }
)

function countHosts(rawHeaders: string[]) {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') count++
  }
  return count
}

/**
 * By name, whatever the port: a port makes no other owner. On loopback every name of this machine is allowed, and in
 * development also the address that HOST names, or every address of this machine when HOST is all of them.
 */
function hostCheck({ HOST, PUBLIC_ORIGIN, ALLOWED_HOSTS, development }: Config) {
  const own = new URL(PUBLIC_ORIGIN).hostname
  const local = development || loopback.includes(own)
  const ours = new Set([
    own,
    ...ALLOWED_HOSTS,
    ...(local ? loopback : []),
    ...(development ? hostsOf(HOST) : [])
  ])
  /** Browsers send one and the same: what it was last time needs no second look. */
  let last = own
  return (host: string) => {
    if (host === last) return true
    const name = host.replace(/:\d{1,5}$/, '').toLowerCase()
    const good = ours.has(name) || (local && /^[a-z0-9.-]+\.localhost$/.test(name))
    if (good) last = host
    return good
  }
}
