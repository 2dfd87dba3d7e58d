import { pause } from '../../src/domain/jobs/claim.ts'
import { batchSize } from '../../src/domain/jobs/sweep.ts'
import type { Assumptions } from './assumptions.ts'
import type { Costs } from './costs.ts'
import { eventsOf, readsOf } from './rates.ts'
import type { Daily } from './rates.ts'
import { sourcesOf, totalOf } from './sources.ts'

/** Where the primary's processor time, connections and WAL go in the busiest hour. */
export function model(a: Assumptions, costs: Costs) {
  const daily = eventsOf(a, costs)
  const reads = readsOf(a, costs, daily)
  const sources = sourcesOf(a, costs, daily, reads)
  const tables = tablesOf(a, costs, daily)
  return { daily, reads, sources, total: totalOf(sources), tables, sweep: sweepOf(a, costs, daily) }
}

/** Days for which ended sessions, rate limits and mails are kept. */
const kept = { sessions: 30, throttle: 1, outbox: 7 }

/** The large tables once they have stopped growing, with their indexes as freshly filled. */
function tablesOf(a: Assumptions, { bytesPerRow, throttlesPerLogin }: Costs, daily: Daily) {
  const { logins, registrations, mails, records } = daily
  const table = (name: keyof typeof bytesPerRow, rows: number, newDaily: number) => ({
    table: name,
    rows,
    gigabytes: (rows * bytesPerRow[name]) / 1e9,
    newDaily
  })
  const attempts = (logins + daily.failedLogins) * throttlesPerLogin
  return [
    table('users', a.users, registrations),
    table('sessions', logins * (a.sessionDays + kept.sessions), logins),
    table('activity', records * a.retentionDays, records),
    table('throttle', attempts * kept.throttle, attempts),
    table('outbox', mails * kept.outbox, mails)
  ]
}

/** Seconds of each second that the deletion of old rows takes, one batch after another. */
function sweepOf(a: Assumptions, { events }: Costs, { oldRecords, oldOthers }: Daily) {
  // A statement that deletes, and one that keeps the claim.
  const batch = (pause + 2 * a.roundTrip + 2 * a.flush) / 1e3
  const busy =
    ((oldRecords + oldOthers) / batchSize) * batch +
    (oldRecords * events.oldRecord.microseconds + oldOthers * events.oldSession.microseconds) / 1e6
  return busy / 86_400
}
