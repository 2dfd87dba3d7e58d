import { capacity } from '../../src/domain/sessions/principals.ts'
import type { Assumptions } from './assumptions.ts'
import type { Costs } from './costs.ts'
import {
  batches,
  changedShare,
  shardsRead,
  sharedReads,
  shareFirst,
  shareReadAgain
} from './sharing.ts'

export type Daily = ReturnType<typeof eventsOf>
export type Reads = ReturnType<typeof readsOf>

/** The events of a day. As many rows are deleted as are written. */
export function eventsOf(a: Assumptions, { throttlesPerLogin }: Pick<Costs, 'throttlesPerLogin'>) {
  const active = a.users * a.activeShare
  const logins = active * a.logins
  const events = {
    logins,
    failedLogins: logins * a.failedLogins,
    logouts: logins * a.logouts,
    revocations: logins * a.revocations,
    settings: active * a.settings,
    registrations: a.registrations
  }
  // Each of them is recorded.
  const records = Object.values(events).reduce((sum, each) => sum + each, 0)
  const mails = active * a.mails
  const throttles = (logins + events.failedLogins) * throttlesPerLogin
  return {
    ...events,
    mails,
    records,
    oldRecords: records * a.deletedRecords,
    oldOthers: logins + throttles + mails
  }
}

/** Per second in the busiest hour. */
export const atPeak = (a: Assumptions, daily: number) => (daily * a.peakShare) / 3600

/** The reads of one instance per second in the busiest hour. */
export function readsOf(a: Assumptions, { events }: Pick<Costs, 'events'>, daily: Daily) {
  const changes = atPeak(a, daily.logouts + daily.revocations + daily.settings)
  const roleChanges = a.roleChanges / 86_400
  const spread = Math.min(a.instances, a.sessionInstances)
  const present = (a.users * a.activeShare * a.peakShare * a.visits * a.visitMinutes) / 60
  const sessions = (present * spread) / a.instances
  const checksOfSession = 1 / a.checkSeconds / spread
  const checks = sessions * checksOfSession

  const duration = a.roundTrip / 1e3 + events.epochs.microseconds / 1e6
  const epochs = sharedReads(checks, duration)
  const shards = shardsRead(checks, changes)
  const first = shareFirst((a.visitMinutes * 60) / a.checkSeconds, spread)
  const again = shareReadAgain({
    checks: checksOfSession,
    sessions,
    capacity,
    changes,
    roleChanges
  })
  const share = first + (1 - first) * again
  const principals = checks * share
  return {
    changes,
    checks,
    epochs,
    epochsChanged: changedShare(epochs, changes + roleChanges),
    shards,
    shardStatements: batches(shards, epochs, duration),
    /** Checks that read the principal: the first on an instance, and later ones. */
    shares: { first, again, all: share },
    principals,
    principalStatements: batches(principals, epochs, duration),
    /** Sessions whose time of last use is written: once a minute by each instance. */
    lastSeen: (sessions * (1 - Math.exp(-60 * checksOfSession))) / 60,
    /** Sessions on all instances that are used for the first time since a checkpoint. */
    firstSeen: present * (1 / (60 * a.checkpointMinutes) + 1 / (60 * a.visitMinutes))
  }
}
