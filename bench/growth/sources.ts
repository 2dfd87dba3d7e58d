import type { Assumptions } from './assumptions.ts'
import { many } from './costs.ts'
import type { Cost, Costs } from './costs.ts'
import { atPeak } from './rates.ts'
import type { Daily, Reads } from './rates.ts'

/** A demand on the primary in the busiest hour. */
interface Source {
  source: string
  perSecond: number
  cores: number
  /** MB a second, without and with images of pages. */
  wal: number
  walFull: number
  /** GB a day, with images of pages. */
  walDaily: number
  /** Busy connections of all instances, on average. */
  connections: number
  /** Whether it uses the two connections for session checks. */
  checks: boolean
}

/** All demands on the primary. */
export function sourcesOf(a: Assumptions, costs: Costs, daily: Daily, reads: Reads): Source[] {
  const { events } = costs
  const source = (
    name: string,
    cost: Cost,
    perSecond: number,
    perDay: number,
    { checks = false, images = perSecond } = {}
  ): Source => {
    const seconds =
      (cost.statements * a.roundTrip + cost.commits * a.flush) / 1e3 + cost.microseconds / 1e6
    const imagesShare = perSecond > 0 ? images / perSecond : 0
    const walFull = cost.wal + imagesShare * (cost.walFull - cost.wal)
    return {
      source: name,
      perSecond,
      cores: (perSecond * cost.microseconds) / 1e6,
      wal: (perSecond * cost.wal) / 1e6,
      walFull: (perSecond * walFull) / 1e6,
      walDaily: (perDay * walFull) / 1e9,
      connections: perSecond * seconds,
      checks
    }
  }
  /** `statements` of each instance, which together read this number of `things`. */
  const read = (name: string, cost: Cost, statements: number, things = statements, each = 0) => {
    const more = statements > 0 ? (things / statements - 1) * each : 0
    const microseconds = cost.microseconds + more
    return source(name, { ...cost, microseconds }, statements * a.instances, 0, { checks: true })
  }
  const ofUsers = (name: string, cost: Cost, perDay: number) =>
    source(name, cost, atPeak(a, perDay), perDay)
  const allDay = (name: string, cost: Cost, perDay: number) =>
    source(name, cost, perDay / 86_400, perDay)

  const changed = reads.epochs * reads.epochsChanged
  const seen = reads.lastSeen * a.instances
  const perShard = slope(events.shard, events.shards, 1, many.shards)
  const perPrincipal = slope(events.principal, events.principals, many.principals, many.principals)
  return [
    read('reads of the epochs', events.epochs, reads.epochs - changed),
    read('reads of changed epochs', events.epochsChanged, changed),
    read('reads of shards', events.shard, reads.shardStatements, reads.shards, perShard),
    read(
      'reads of principals',
      events.principal,
      reads.principalStatements,
      reads.principals,
      perPrincipal
    ),
    source('times of last use', events.lastSeen, seen, (seen * 3600) / a.peakShare, {
      images: Math.min(seen, reads.firstSeen)
    }),
    ofUsers('sign-ins', events.login, daily.logins),
    ofUsers('failed sign-ins', events.failedLogin, daily.failedLogins),
    ofUsers('sign-outs', events.logout, daily.logouts),
    ofUsers('other ends of sessions', events.revocation, daily.revocations),
    ofUsers('changes of settings', events.setting, daily.settings),
    ofUsers('registrations', events.registration, daily.registrations),
    ofUsers('mails', events.mail, daily.mails),
    // Each instance looks every second.
    allDay('looks at the outbox', events.outboxLook, a.instances * 86_400),
    allDay('old activity records', events.oldRecord, daily.oldRecords),
    allDay('other old rows', events.oldSession, daily.oldOthers)
  ]
}

/**
 * Processor time of one more thing in a statement, from statements with one and with `count`.
 * @param units things of the second cost
 */
export const slope = (one: Cost, several: Cost, units: number, count: number) =>
  Math.max(0, (several.microseconds * units - one.microseconds) / (count - 1))

export const totalOf = (sources: readonly Source[]) => {
  const sum = (value: (source: Source) => number) =>
    sources.reduce((total, source) => total + value(source), 0)
  return {
    perSecond: sum((each) => each.perSecond),
    cores: sum((each) => each.cores),
    wal: sum((each) => each.wal),
    walFull: sum((each) => each.walFull),
    walDaily: sum((each) => each.walDaily),
    connections: sum((each) => each.connections)
  }
}
