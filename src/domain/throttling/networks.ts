import { isIP } from 'node:net'

/**
 * The networks a client is counted by: an IPv4 address is one client; of IPv6 a /64 is one, because whoever has one address
 * has all of it, and a /48 is what a site has, with ten times the budget. No address counts as one client called unknown.
 */
export function networksOf(address: string | undefined): [own: string, site?: string] {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address ?? '')?.[1]
  if (mapped !== undefined || isIP(address ?? '') === 4) return [mapped ?? address ?? '']
  if (isIP(address ?? '') !== 6) return ['unknown']
  const groups = expand(address?.split('%', 1)[0] ?? '')
  return [`${groups.slice(0, 4).join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`]
}

/** The eight groups of an IPv6 address, without leading zeros. */
function expand(address: string): string[] {
  // The URL parser writes an address in its one canonical form, an IPv4 tail as groups too.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [head, tail ?? ''].map((part) =>
    part.split(':').filter((group) => group !== '')
  ) as [string[], string[]]
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}
