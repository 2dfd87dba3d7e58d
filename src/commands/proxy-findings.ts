import { isIP } from 'node:net'
import { and, desc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { activity } from '../../db/schema/activity.ts'
import { addressesOf, isPublic, trustOf } from '../config/addresses.ts'
import { loopback } from '../domain/networks.ts'
import type { Config } from '../config/config.ts'
import { canonicalAddress } from '../domain/networks.ts'
import { named, ok, warning } from './findings.ts'
import type { Finding, Outcome } from './findings.ts'

type Network = Pick<Config, 'HOST' | 'METRICS_PORT' | 'PUBLIC_ORIGIN' | 'TRUST_PROXY'>

const isHere = (address: string) => loopback.test(address) || address === '::1'
const isBehindProxy = ({ PUBLIC_ORIGIN }: Network) => PUBLIC_ORIGIN.startsWith('https:')

/**
 * Checks which proxies the server trusts, and which machines can reach it.
 * @param addresses those on which it listens
 */
export function proxyFindings(config: Network, addresses = addressesOf(config.HOST)): Finding[] {
  const trusted = named('proxy', trust(config))
  return isBehindProxy(config)
    ? [trusted, named('network', exposure(config, addresses))]
    : [trusted]
}

function trust(config: Network): Outcome {
  const { HOST, TRUST_PROXY } = config
  if (isBehindProxy(config) && TRUST_PROXY.length === 0) {
    return warning(
      'PUBLIC_ORIGIN is https and TRUST_PROXY is empty: all clients seem to have the address of ' +
        'the proxy',
      'Set TRUST_PROXY to the addresses of the proxies in front.'
    )
  }
  const own = HOST === 'localhost' ? ['127.0.0.1', '::1'] : [HOST]
  if (isBehindProxy(config) && isHere(HOST) && !own.some(trustOf(TRUST_PROXY))) {
    return warning(
      `HOST is ${HOST}, so the proxy is on this machine, and TRUST_PROXY does not contain its ` +
        'address: all clients seem to have the address of the proxy',
      `Set TRUST_PROXY=${own.join()}`
    )
  }
  return ok(TRUST_PROXY.length === 0 ? 'none' : `trusted: ${TRUST_PROXY.join(', ')}`)
}

function exposure({ HOST, METRICS_PORT, TRUST_PROXY }: Network, addresses: string[]): Outcome {
  const others = addresses.filter(
    (each) => !isHere(each) && (HOST !== '0.0.0.0' || isIP(each) === 4)
  )
  if (others.length === 0) return ok('only this machine can connect')
  const open = others.filter((each) => isIP(each) !== 0 && isPublic(each))
  const onlyHere = TRUST_PROXY.length > 0 && TRUST_PROXY.every(isHere)
  if (open.length === 0 && !onlyHere) {
    return ok(`other machines can connect to ${others.join(', ')}`)
  }
  const ports = METRICS_PORT === undefined ? '' : ', and METRICS_PORT as well'
  return warning(
    `HOST is ${HOST}: clients can go around the proxy, to ` +
      `${(open.length > 0 ? open : others).join(', ')}${ports}`,
    'With the proxy on this machine, set HOST=127.0.0.1. Otherwise let only the proxy connect: ' +
      'set HOST to a private address, or use a firewall.'
  )
}

/** The number of latest sign-ins to compare, and the minimum for a finding. */
const compared = { most: 20, fewest: 10 }

/**
 * Whether sign-ins have addresses of clients. If a server does not trust its proxy, or the proxy
 * forwards no addresses, all have that of the proxy.
 */
export async function clientsFinding(db: Db, config: Network): Promise<Outcome> {
  const rows = await db
    .select({ ip: activity.ip })
    .from(activity)
    .where(
      and(
        eq(activity.action, 'auth.login'),
        gt(activity.at, sql`now() - interval '7 days'`),
        isNotNull(activity.ip)
      )
    )
    .orderBy(desc(activity.at), desc(activity.id))
    .limit(compared.most)
  const addresses = new Set(rows.map(({ ip }) => canonicalAddress(ip ?? '')))
  const [address] = addresses
  const isSuspicious =
    isBehindProxy(config) &&
    rows.length >= compared.fewest &&
    addresses.size === 1 &&
    address !== undefined &&
    !isPublic(address)
  return isSuspicious
    ? warning(
        `the latest ${rows.length} sign-ins all have the address ${address}`,
        'If that is the proxy, add it to TRUST_PROXY, and let it set X-Forwarded-For: until then ' +
          'all users share one rate limit.'
      )
    : ok(`latest sign-ins: ${rows.length}, different addresses: ${addresses.size}`)
}
