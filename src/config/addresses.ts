import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import {
  canonicalAddress,
  canonicalNetwork,
  loopback,
  parseNetworks,
  prefixBits
} from '../domain/networks.ts'

/** The items of a list that is separated by commas. */
export const list = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** The mistakes of variables that have origins, hosts and networks. */
export const addressProblems = (values: Record<AddressVariable, string>, development: boolean) =>
  [
    ['PUBLIC_ORIGIN', originProblem(values.PUBLIC_ORIGIN, development)],
    ['CORS_ORIGINS', originListProblem(list(values.CORS_ORIGINS), development)],
    ['ALLOWED_HOSTS', hostListProblem(list(values.ALLOWED_HOSTS))],
    ['TRUST_PROXY', proxyListProblem(list(values.TRUST_PROXY))],
    ['WEBHOOK_NETWORKS', networkListProblem(list(values.WEBHOOK_NETWORKS))]
  ] as const
type AddressVariable =
  | 'PUBLIC_ORIGIN'
  | 'CORS_ORIGINS'
  | 'ALLOWED_HOSTS'
  | 'TRUST_PROXY'
  | 'WEBHOOK_NETWORKS'

/** Describes a mistake of PUBLIC_ORIGIN, or returns undefined. */
export function originProblem(text: string | undefined, development: boolean): string | undefined {
  if (text === undefined) return
  const form = 'must be an origin: https://host or https://host:port, without a path'
  if (!URL.canParse(text)) return form
  const url = new URL(text)
  if (url.origin !== text || text.includes('*') || !/^https?:$/.test(url.protocol)) return form
  if (url.protocol === 'http:' && !development && !loopback.test(url.hostname)) {
    return 'must be https (http only on loopback)'
  }
}

/**
 * Describes a mistake of CORS_ORIGINS. Only exact origins are accepted, because a pattern
 * or `null` admits more than intended.
 */
function originListProblem(origins: string[], development: boolean): string | undefined {
  if (origins.some((origin) => originProblem(origin, development) !== undefined)) {
    return (
      'must be origins like https://app.example.com, separated by commas: https (http only on ' +
      'loopback), without a path or *'
    )
  }
}

/** Describes a mistake of the URL of a page of ours: ACCOUNT_URL or APP_URL. */
export function ownUrlProblem(text: string, origins: string[], example: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || /[?#@]/.test(text)) {
    return `must be a URL ${example}, without a query, fragment or user`
  }
  if (!origins.includes(url.origin)) {
    return 'must be at PUBLIC_ORIGIN or at one of the CORS_ORIGINS'
  }
}

/** Describes a mistake of ALLOWED_HOSTS, or returns undefined. */
function hostListProblem(hosts: string[]): string | undefined {
  const isHost = (text: string) =>
    URL.canParse(`http://${text}`) &&
    new URL(`http://${text}`).hostname === text &&
    !text.includes('*')
  if (!hosts.every(isHost)) {
    return 'must be host names like portal.internal, separated by commas: no scheme, port or *'
  }
}

/**
 * Describes a mistake of TRUST_PROXY. A hop count is not accepted, because clients that
 * reach the server directly could forge it.
 */
function proxyListProblem(proxies: string[]): string | undefined {
  if (proxies.some((each) => /\/0$/.test(canonicalNetwork(each) ?? '/0'))) {
    return (
      'must be IP addresses and CIDR ranges, separated by commas; a number, true and a range ' +
      'of all addresses are not allowed'
    )
  }
}

/** Describes a mistake of WEBHOOK_NETWORKS. */
function networkListProblem(networks: string[]): string | undefined {
  if (networks.some((each) => canonicalNetwork(each) === undefined)) {
    return 'must be IP addresses and CIDR ranges, separated by commas'
  }
}

/** Some gateways forward an address so: `192.0.2.7:5678`, `[2001:db8::1]:443`, `[2001:db8::1]`. */
const withPort = /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5})$/

/** The canonical form of an address that may have a port, else undefined. */
export function normalizeAddress(text = ''): string | undefined {
  const [, six, four] = withPort.exec(text) ?? []
  if (six !== undefined && isIP(six) !== 6) return undefined
  return canonicalAddress(six ?? four ?? text)
}

/**
 * Says of an address, with or without a port, whether it is one of these proxies.
 * @param proxies addresses and ranges in the form that proxyListProblem accepts
 */
export function trustOf(proxies: string[]): (address: string) => boolean {
  const isProxy = parseNetworks(proxies.flatMap((each) => canonicalNetwork(each) ?? []))
  return (text) => isProxy(normalizeAddress(text))
}

/** For logs: the network without the host, /24 of IPv4 and the site of IPv6. */
export function maskAddress(text: string | undefined): string | undefined {
  const address = normalizeAddress(text)
  if (address === undefined) return undefined
  if (isIP(address) === 4) return address.replace(/\d{1,3}$/, '0')
  return ipaddr.IPv6.networkAddressFromCIDR(`${address}/${prefixBits.site}`).toString()
}

/** True for a HOST that listens on every address of this machine. */
export const isEveryAddress = (host: string) => /^(0\.0\.0\.0|::)$/.test(host)

/** An address or name as a URL has it. */
export const inUrl = (host: string) => (isIP(host) === 6 ? `[${host}]` : host.toLowerCase())

/**
 * The host parts of URLs for a server that listens on `host`: the host itself, or every address of
 * this machine.
 */
export const hostsOf = (host: string): string[] => addressesOf(host).map(inUrl)

/** Where a server that listens on `host` can be reached. */
export function addressesOf(host: string): string[] {
  if (!isEveryAddress(host)) return [host]
  return Object.values(networkInterfaces()).flatMap((each = []) =>
    each.map(({ address }) => address)
  )
}
