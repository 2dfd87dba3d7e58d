import type { IncomingMessage } from 'node:http'
import { hostsOf, inUrl } from '../config/addresses.ts'
import type { Config } from '../config/config.ts'
import { DomainError } from '../domain/errors.ts'
import { canonicalAddress, loopback } from '../domain/networks.ts'

const limits = { url: 2048, longUrl: 8192, headers: 100 }
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']
const localName = /^[a-z0-9.-]+\.localhost$/

/** For a process that serves this machine only, also through a tunnel that has another port. */
export const loopbackOnly = {
  HOST: '127.0.0.1',
  PUBLIC_ORIGIN: 'http://localhost',
  ALLOWED_HOSTS: [],
  development: false,
  hostDetail:
    'The console answers to the names of this machine only. Open the link that its terminal ' +
    'printed, as http://127.0.0.1 or http://localhost.'
}

/** The parts of a request that the guard reads. */
export interface Guarded {
  raw: Pick<IncomingMessage, 'httpVersion' | 'method' | 'url' | 'headers' | 'rawHeaders'>
  routeOptions: { config: { probe?: true; ofrep?: true; longUrl?: true } }
}
interface GuardConfig extends Pick<
  Config,
  'HOST' | 'PUBLIC_ORIGIN' | 'ALLOWED_HOSTS' | 'development'
> {
  /** The detail of the refusal of another host name. */
  hostDetail?: string
}

/**
 * Rejects requests that Node and Fastify accept but ordinary clients never send. They aim at making
 * two parsers of a message disagree (request smuggling), or at reaching the portal under the host
 * name of an attacker (DNS rebinding).
 */
export function createGuard(config: GuardConfig) {
  const isOurs = hostCheck(config)
  return ({ raw, routeOptions }: Guarded): DomainError | undefined => {
    const { rawHeaders, headers, method, url = '' } = raw
    if (raw.httpVersion !== '1.1' && raw.httpVersion !== '1.0') {
      return new DomainError('http-version')
    }
    if (!url.startsWith('/') || url.includes('#')) return new DomainError('malformed-request')
    const longest = routeOptions.config.longUrl ? limits.longUrl : limits.url
    if (url.length > longest) return new DomainError('uri-too-long')
    if (rawHeaders.length > 2 * limits.headers) return new DomainError('headers-too-large')
    const encoding = headers['transfer-encoding']
    if (encoding !== undefined && encoding !== 'chunked') {
      return new DomainError('malformed-request')
    }
    const length = headers['content-length']
    if (
      (method === 'GET' || method === 'HEAD') &&
      (encoding !== undefined || (length !== undefined && length !== '0'))
    ) {
      return new DomainError('malformed-request')
    }
    const hosts = countHosts(rawHeaders)
    if (hosts > 1) return new DomainError('malformed-request')
    // Some load balancers ask for health in HTTP/1.0, without it. HTTP/1.1 requires it (RFC 9112,
    // 3.2).
    const needsHost = raw.httpVersion === '1.1' || !routeOptions.config.probe
    if (hosts === 0 && needsHost) return new DomainError('malformed-request')
    if (isOurs(headers.host ?? '') || routeOptions.config.probe) return undefined
    // OFREP's clients read the body of 400 and 404 only.
    return new DomainError('host-not-allowed', {
      ...(routeOptions.config.ofrep && { status: 400 }),
      ...(config.hostDetail !== undefined && { detail: config.hostDetail })
    })
  }
}

function countHosts(rawHeaders: string[]) {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') count++
  }
  return count
}

/**
 * Compares host names and ignores the port, which does not change the owner. On loopback every
 * local name is allowed. In development the address in HOST is allowed as well, or every address of
 * this machine when HOST stands for all of them.
 */
function hostCheck({ HOST, PUBLIC_ORIGIN, ALLOWED_HOSTS, development }: GuardConfig) {
  const own = new URL(PUBLIC_ORIGIN).hostname
  const local = development || loopbackHosts.includes(own)
  const ours = new Set([
    own,
    ...ALLOWED_HOSTS,
    ...(local ? loopbackHosts : []),
    ...(development ? hostsOf(HOST) : [])
  ])
  /** Browsers send the same host with each request, so the last valid one is remembered. */
  let last = own
  return (host: string) => {
    if (host === last) return true
    const name = nameOf(host)
    const good = ours.has(name) || (local && localName.test(name))
    if (good) last = host
    return good
  }
}

const nameOf = (host: string) => host.replace(/:\d{1,5}$/, '').toLowerCase()

/** Proxies and tunnels add these. They may forward requests of other machines as `localhost`. */
const forwarding = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via']

/**
 * Whether a request was sent on this machine, to a name that every machine has for itself. Neither
 * another machine nor a page of another site can send one, even if its name resolves to this
 * machine.
 */
export function isFromHere({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>) {
  const name = nameOf(headers.host ?? '')
  const sender = canonicalAddress(socket.remoteAddress) ?? ''
  return (
    (loopback.test(name) || localName.test(name)) &&
    loopback.test(inUrl(sender)) &&
    forwarding.every((header) => headers[header] === undefined)
  )
}

export const mailNotShown = () =>
  new DomainError('host-not-allowed', {
    detail:
      'Mail is shown on this machine only. Open /mail on the machine that runs the portal, at ' +
      'http://localhost, without a proxy in between.'
  })
