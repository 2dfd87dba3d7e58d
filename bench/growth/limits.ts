import { manyRecords } from '../../src/commands/schema-findings.ts'
import { batchSize } from '../../src/domain/sessions/principals.ts'
import type { Assumptions } from './assumptions.ts'
import { many } from './costs.ts'
import type { Costs } from './costs.ts'
import { model } from './model.ts'
import { atPeak } from './rates.ts'
import { slope } from './sources.ts'

/** Connections of an instance for session checks: one reads the epochs, one what has changed. */
const forChecks = 2
/** Connections of a `portal` command. */
const forCommand = 4

interface Limit {
  what: string
  unit: string
  used: number
  limit: number
}

/** The resources in use, and how much of each there is. */
export function limitsOf(a: Assumptions, costs: Costs): Limit[] {
  const { daily, reads, sources, total, tables, sweep } = model(a, costs)
  const busy =
    sources.filter(({ checks }) => !checks).reduce((sum, { connections }) => sum + connections, 0) /
    a.instances
  const hashes = atPeak(a, daily.logins + daily.failedLogins + daily.registrations)
  const records = tables.find(({ table }) => table === 'activity')?.rows ?? 0
  const limit = (what: string, used: number, limit: number, unit = '') => ({
    what,
    unit,
    used,
    limit
  })
  return [
    limit('processor of the primary', total.cores, a.cores, 'cores'),
    limit(
      'connections of the primary',
      a.instances * (a.poolMax + forChecks) + forCommand,
      a.maxConnections
    ),
    limit('WAL', total.walFull, a.walLimit, 'MB/s'),
    limit('connections of an instance', busy, a.poolMax, 'busy'),
    limit('its reads of principals', reads.principals * secondsOfPrincipal(a, costs), 1, 'busy'),
    limit('its processor for requests', (reads.checks * a.requestMicroseconds) / 1e6, 1, 'cores'),
    limit(
      'its processor for passwords',
      (hashes / a.instances) * (costs.hashMilliseconds / 1e3),
      a.hashThreads,
      'cores'
    ),
    limit('deletion of old rows', 60 * sweep, 60, 'min an hour'),
    // Partitions make room for more: then this is no limit.
    ...(a.deletedRecords > 0
      ? [limit('activity records in one table', records / 1e6, manyRecords / 1e6, 'million')]
      : [])
  ]
}

/** The shortest time of one principal: in the largest statement, of which one runs at a time. */
function secondsOfPrincipal(a: Assumptions, { events }: Costs) {
  const each = slope(events.principal, events.principals, many.principals, many.principals)
  const statement = events.principal.microseconds - each + a.roundTrip * 1e3
  return (each + statement / batchSize) / 1e6
}

export interface End extends Limit {
  /** The number of users or instances with which the limit is reached, if there is one. */
  reachedAt?: { users: number } | { instances: number }
}

/** Far beyond all people. */
const most = 1e11

/** The limits, the nearest first. */
export function endsOf(a: Assumptions, costs: Costs): End[] {
  const isOver = (n: number, changes: Partial<Assumptions>) => {
    const found = limitsOf({ ...a, ...changes }, costs)[n]
    return found !== undefined && found.used > found.limit
  }
  const ends = limitsOf(a, costs).map((limit, n): End => {
    for (const name of ['users', 'instances'] as const) {
      const reachedAt = lastBelow((value) => isOver(n, { [name]: value }))
      if (reachedAt !== undefined) {
        return { ...limit, reachedAt: { [name]: reachedAt } as End['reachedAt'] & object }
      }
    }
    return limit
  })
  return ends.sort((one, other) => other.used / other.limit - one.used / one.limit)
}

/** The largest whole number that is not over; undefined if all or none are. */
function lastBelow(isOver: (value: number) => boolean) {
  if (!isOver(most) || isOver(1)) return undefined
  let [under, over] = [1, most]
  for (let step = 0; step < 60; step++) {
    const middle = (under + over) / 2
    if (isOver(middle)) over = middle
    else under = middle
  }
  return Math.floor(under)
}
