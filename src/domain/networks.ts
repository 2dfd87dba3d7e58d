import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { invalidFields } from './errors.ts'

/** Host names, as in a URL, that lead to this machine. */
export const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Bits of an IPv6 address that name its network: a client has a /64 at least, a site a /48. */
export const prefixBits = { client: 64, site: 48 } as const

/**
 * The canonical form of an IP address: without a zone, in lowercase, and IPv4 for an IPv4-mapped
 * IPv6 address. Undefined when the text is not an IP address.
 */
export function canonicalAddress(text = ''): string | undefined {
  const family = isIP(text) // ipaddr.js also accepts 127.1 and octal numbers
  if (family === 0) return undefined
  if (family === 4) return text
  const [address = ''] = text.split('%', 1) // a zone names an interface of one machine
  return ipaddr.process(address).toString()
}

/**
 * The canonical form of an address or of a network in CIDR notation. A network of one address is
 * that address. Undefined for any other text.
 */
export function canonicalNetwork(text: string): string | undefined {
  const [host = '', bits, ...rest] = text.split('/')
  const address = canonicalAddress(host)
  if (address === undefined || rest.length > 0) return undefined
  if (bits === undefined) return address
  const width = isIP(address) === 4 ? 32 : 128
  // A range of IPv4-mapped addresses counts the 96 bits before those of IPv4.
  const length = Number(bits) - (width === 32 && isIP(host) === 6 ? 96 : 0)
  if (!/^\d{1,3}$/.test(bits) || length < 0 || length > width) return undefined
  return length === width ? address : `${address}/${length}`
}

/** The network of a filter of a list. Throws a refusal that names `ip`. */
export function networkOf(ip: string | undefined) {
  if (ip === undefined) return undefined
  const network = canonicalNetwork(ip)
  if (network !== undefined) return network
  throw invalidFields({
    pointer: '/query/ip',
    code: 'malformed',
    message: 'Must be an IP address, or a network such as 203.0.113.0/24'
  })
}

/**
 * The networks by which a client is counted. An IPv4 address is one client. An IPv6 /64 is one
 * client, because a client that has one of its addresses has all of them, and its /48 has ten times
 * the budget. Requests without an address count as one client called unknown.
 */
export function networksOf(text: string | undefined): [own: string, site?: string] {
  const address = canonicalAddress(text)
  if (address === undefined) return ['unknown']
  if (isIP(address) === 4) return [address]
  const groups = ipaddr.IPv6.parse(address).parts.map((group) => group.toString(16))
  const network = (bits: number) => `${groups.slice(0, bits / 16).join(':')}::/${bits}`
  return [network(prefixBits.client), network(prefixBits.site)]
}

/**
 * A check whether an address is in one of these networks, as `canonicalNetwork` writes them. An
 * unknown address is in none.
 */
export function parseNetworks(networks: readonly string[]) {
  const ranges = networks.map((each) => {
    const [address = '', bits] = each.split('/')
    const parsed = ipaddr.parse(address)
    return [parsed, Number(bits ?? (parsed.kind() === 'ipv4' ? 32 : 128))] as const
  })
  return (text: string | undefined): boolean => {
    const canonical = canonicalAddress(text)
    if (canonical === undefined) return false
    const address = ipaddr.parse(canonical)
    return ranges.some(
      ([range, bits]) => range.kind() === address.kind() && address.match(range, bits)
    )
  }
}

/**
 * Whether an address is on the internet, as that of a person may be. Of IPv6 that is 2000::/3 (RFC
 * 4291) without what is special there: no address in it contains one of IPv4 under another name.
 */
export function isPublic(text: string): boolean {
  const canonical = canonicalAddress(text)
  if (canonical === undefined) return false
  const address = ipaddr.parse(canonical)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(ipaddr.parseCIDR('2000::/3'))
}
