import { isIP } from 'node:net'
import { and, desc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { activity } from '../../db/schema/activity.ts'
import { addressesOf, trustOf } from '../config/addresses.ts'
import type { Config } from '../config/config.ts'
import { findInstances } from '../connected-servers.ts'
import type { Instance } from '../connected-servers.ts'
import { canonicalAddress, isPublic, loopback } from '../domain/networks.ts'
import { createFetch, OutboundError } from '../outbound/fetch.ts'
import { version } from '../version.ts'
import { findingsOf, ok, problem, warning } from './findings.ts'
import type { Finding, Outcome } from './findings.ts'

type Network = Pick<Config, 'HOST' | 'METRICS_PORT' | 'PUBLIC_ORIGIN' | 'TRUST_PROXY'>

const isHere = (address: string) => loopback.test(address) || address === '::1'
const isBehindProxy = ({ PUBLIC_ORIGIN }: Network) => PUBLIC_ORIGIN.startsWith('https:')

/**
 * Checks which proxies the server trusts, and which machines can reach it.
 * @param addresses those on which it listens
 */
export function proxyFindings(config: Network, addresses = addressesOf(config.HOST)): Finding[] {
  const network = isBehindProxy(config) ? exposure(config, addresses) : undefined
  return [...findingsOf('proxy', trust(config)), ...findingsOf('network', network)]
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

type Commands = Pick<Config, 'MACHINE_ADMIN' | 'PUBLIC_ORIGIN'> & {
  MACHINE_LISTEN?: string | undefined
}

/** Whether API keys can manage users through the public proxy. */
export async function commandFindings(config: Commands): Promise<Finding[]> {
  const { MACHINE_ADMIN, MACHINE_LISTEN: door, PUBLIC_ORIGIN: origin } = config
  if (MACHINE_ADMIN === 'off') return []
  if (door === undefined) {
    const finding = `a program with a key can manage users from wherever it reaches ${origin}`
    const todo = 'Set MACHINE_LISTEN, and let only those programs connect to it.'
    return findingsOf('commands', warning(finding, todo))
  }
  const status = await ask(`${origin}/api/machine/roles`).then(
    (response) => response.status,
    () => undefined
  )
  const outcome =
    status === 401
      ? problem(
          `${origin} leads to the commands, although MACHINE_LISTEN serves them`,
          `Remove the way to ${door} from the proxy, and restart the servers that were started ` +
            'without MACHINE_LISTEN.'
        )
      : ok(`served on ${door}${status === 404 ? ' only' : `; ${origin} did not say where else`}`)
  return findingsOf('commands', outcome)
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
        'If that is the proxy, add it to TRUST_PROXY unless it is there, and let it set ' +
          'X-Forwarded-For: until then all users share one rate limit. If all of them are on ' +
          'that machine, nothing is wrong.'
      )
    : ok(`latest sign-ins: ${rows.length}, different addresses: ${addresses.size}`)
}

/** Asks over http as well, but on loopback only. */
const ask = createFetch({ development: true })

/** Whether servers run, in which version, and whether those on this machine take traffic. */
export async function instancesFinding(db: Db, config: Config | undefined): Promise<Outcome> {
  const instances = await findInstances(db)
  if (instances.length === 0) {
    return warning(
      'none is connected to this database',
      "If there should be one, see systemctl status 'portal@*' and the end of its log."
    )
  }
  const versions = [...new Set(instances.map((each) => each.version))]
  const finding = `${instances.length} connected, version ${versions.join(', ')}`
  const here = instances.filter(({ isHere }) => isHere)
  const unready = await Promise.all(here.map((each) => unreadyReason(each, config)))
  const reasons = unready.filter((reason) => reason !== undefined)
  if (reasons.length > 0) {
    return problem(`${finding}; ${reasons.join(', ')}`, 'The end of its log says why.')
  }
  if (versions.some((each) => each !== version)) {
    return warning(
      `${finding}, and this command is of version ${version}`,
      'Restart the instances of another version, one after the other.'
    )
  }
  return ok(here.length === 0 ? finding : `${finding}; ready on this machine: ${here.length}`)
}

/** Undefined as well if it listens on another address than those of this machine alone. */
async function unreadyReason({ port }: Instance, config: Config | undefined) {
  try {
    await ask(`http://${hostOf(config)}:${port}/health`)
  } catch (error) {
    if (!(error instanceof OutboundError) || error.reason === 'insecure') return undefined
    return error.reason.startsWith('status-')
      ? `the one on port ${port} is not ready`
      : `the one on port ${port} does not answer`
  }
}

/** Where a server on this machine listens, as a URL has it. */
function hostOf({ HOST }: Pick<Config, 'HOST'> = { HOST: '127.0.0.1' }) {
  const host = ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST
  return host === '::1' ? '[::1]' : host
}

/** Seconds from which requests notice that the event loop was late. */
const late = { p99: 0.1, max: 1 }

/** How late the event loop of the instance with METRICS_PORT was in its last full minute. */
export async function loopFinding(
  config: Pick<Config, 'HOST' | 'METRICS_PORT'>
): Promise<Outcome | undefined> {
  if (config.METRICS_PORT === undefined) return undefined
  const metrics = await ask(`http://${hostOf(config)}:${config.METRICS_PORT}/metrics`).then(
    (response) => response.text(),
    () => ''
  )
  const read = (figure: keyof typeof late) => {
    const name = `nodejs_eventloop_lag_${figure}_seconds `
    const line = metrics.split('\n').find((each) => each.startsWith(name))
    return Number(line?.slice(name.length))
  }
  const [p99, max] = [read('p99'), read('max')]
  if (Number.isNaN(p99)) return undefined
  const ms = (seconds: number) => `${Math.round(seconds * 1000)} ms`
  const finding = `delay in the last minute: p99 ${ms(p99)}, longest ${ms(max)}`
  return p99 < late.p99 && max < late.max
    ? ok(finding)
    : warning(
        finding,
        'Its log names the routes of the app that block it: look for "the event loop was blocked".'
      )
}
