import { lookup as resolve } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import type { IncomingMessage, RequestOptions } from 'node:http'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { isPublic, loopback, parseNetworks } from '../domain/networks.ts'
import type { Answer, Sender } from '../domain/webhooks/message.ts'
import { connectionReason } from './fetch.ts'

/** Where requests to URLs may go that people of the portal have entered. */
export interface UrlRules {
  development: boolean
  /** Networks that are allowed although they are not public, as `canonicalNetwork` writes them. */
  networks: readonly string[]
  /** Tests replace it. */
  resolve?: typeof resolve
}

/** Bytes and milliseconds. */
const limits = { bytes: 64 * 1024, time: 5000 }

const refusals = {
  malformed: 'Must be a URL such as https://example.com/hooks',
  insecure: 'Must begin with https://; in development also http:// to this machine',
  credentials: 'Must not contain a user name or a password',
  'host-name': 'Has a host name that does not resolve: correct it, or create the name first',
  address:
    'Leads to an address that is not public: choose another host, or allow its network with ' +
    'WEBHOOK_NETWORKS'
} as const

/** Why no request may be sent to a URL. */
class Refused extends Error {
  readonly code: keyof typeof refusals

  constructor(code: Refused['code']) {
    super(refusals[code])
    this.code = code
  }
}

/** Why nothing may be sent to a URL, as a sentence for those who enter it. Undefined if it may. */
export async function judgeUrl(text: string, rules: UrlRules): Promise<string | undefined> {
  try {
    const { host } = parsed(text, rules)
    await lookupOnce(judgedLookup(rules), host)
  } catch (error) {
    return error instanceof Refused ? error.message : refusals['host-name']
  }
}

/** @throws Refused */
function parsed(text: string, { development }: UrlRules) {
  if (!URL.canParse(text)) throw new Refused('malformed')
  const url = new URL(text)
  const { protocol, hostname, username, password } = url
  const isPlain = development && protocol === 'http:' && loopback.test(hostname)
  if (protocol !== 'https:' && !isPlain) throw new Refused('insecure')
  if (username !== '' || password !== '') throw new Refused('credentials')
  return { url, host: hostname.replace(/^\[|\]$/g, '') }
}

/**
 * Resolves a name or an address, and refuses it unless all of its addresses are allowed. A
 * connection that is made with it leads to an address that was judged: a name cannot resolve to
 * another one in between.
 */
function judgedLookup({ development, networks, resolve: ask = resolve }: UrlRules): LookupFunction {
  const isAllowed = parseNetworks(networks)
  const isUsable = (address: string) =>
    isPublic(address) ||
    isAllowed(address) ||
    (development && loopback.test(isIP(address) === 6 ? `[${address}]` : address))
  return (host, options, callback) => {
    ask(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const areUsable = !error && addresses.every(({ address }) => isUsable(address))
      const [first] = areUsable ? addresses : []
      if (!first) callback(error ?? new Refused('address'), '', 0)
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

/**
 * Sends what people have asked the portal to send. A request takes at most five seconds with the
 * reading of its response, of which at most 64 KiB are read, and follows no redirect. It has a
 * connection of its own, so that each one is judged, and none goes through a proxy, which would
 * resolve the name again.
 */
export function createSender(rules: UrlRules): Sender {
  const post: Sender['post'] = async (text, headers, body) => {
    const { url, host } = parsed(text, rules)
    const lookup = judgedLookup(rules)
    // Node looks up names only.
    if (isIP(host) !== 0) await lookupOnce(lookup, host)
    const { request } =
      url.protocol === 'https:' ? await import('node:https') : await import('node:http')
    const signal = AbortSignal.timeout(limits.time)
    const options: RequestOptions = { method: 'POST', headers, agent: false, lookup, signal }
    const sent = request(url, options)
    sent.end(body)
    try {
      // The signal here as well: after an upgrade that nobody asked for, the request has no event.
      const [response] = (await once(sent, 'response', { signal })) as [IncomingMessage]
      return answerOf(response.statusCode ?? 0, await readSome(response))
    } catch (error) {
      if (signal.aborted) return { error: 'timeout' }
      throw error
    } finally {
      // An error after this one has no listener.
      sent.on('error', () => {}).destroy()
    }
  }
  return {
    judge: (url) => judgeUrl(url, rules),
    post: (...message) =>
      post(...message).catch((error: unknown) => ({
        error: error instanceof Refused ? error.code : connectionReason(error)
      }))
  }
}

const lookupOnce = (lookup: LookupFunction, host: string) =>
  new Promise<void>((resolve, reject) => {
    lookup(host, { all: true }, (error) => (error ? reject(error) : resolve()))
  })

/** Reads to the end of a body, or as much as it may have. */
async function readSome(response: IncomingMessage) {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response) {
    parts.push(part as Buffer)
    size += (part as Buffer).length
    if (size > limits.bytes) break
  }
  return Buffer.concat(parts).subarray(0, limits.bytes).toString()
}

function answerOf(status: number, body: string): Answer {
  if (status < 100 || status > 599) return { error: 'unreachable' } // it is not HTTP
  if (status >= 200 && status < 300) return { status, body }
  return { status, error: status >= 300 && status < 400 ? 'redirect' : `status-${status}` }
}
