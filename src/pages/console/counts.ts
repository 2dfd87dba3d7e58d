import type { Schemas } from '../shared/client.ts'
import { formatIn } from '../shared/time-format.ts'

type Summary = Schemas['ActivitySummary']

/** Milliseconds. */
export const lengthOf = { hour: 3_600_000, day: 86_400_000 }

const hour = formatIn({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
const day = formatIn({ dateStyle: 'medium', timeZone: 'UTC' })

/** Hours in the time zone of the reader. Days begin at midnight in UTC, as the portal counts. */
export const formats = {
  hour: (at: number) => hour().format(at),
  day: (at: number) => day().format(at)
}

/** The time in UTC at which a bucket starts that is `ago` buckets before that of `at`. */
export const startOf = (bucket: Summary['bucket'], at: number, ago = 0) =>
  (Math.floor(at / lengthOf[bucket]) - ago) * lengthOf[bucket]

/** The records of a summary over time, empty buckets included, to plot. */
export function countsOf({ bucket, from, to, items }: Summary) {
  const starts: number[] = []
  const end = Date.parse(to)
  for (let at = startOf(bucket, Date.parse(from)); at < end; at += lengthOf[bucket]) {
    starts.push(at)
  }
  return {
    times: starts,
    format: formats[bucket],
    /** How often it happened in each bucket. */
    valuesOf(matches: (item: Summary['items'][number]) => boolean) {
      const counts = new Map(starts.map((start) => [start, 0]))
      for (const item of items.filter(matches)) {
        const start = Date.parse(item.start)
        counts.set(start, (counts.get(start) ?? 0) + item.occurrences)
      }
      return starts.map((start) => counts.get(start) ?? 0)
    }
  }
}

export interface EventCounts {
  /** New ones less those that were deleted. */
  users: number
  signIns: number
  failures: number
}

/** Counts the events of a summary from one time up to another, in milliseconds. */
export function countEvents({ items }: Summary, from: number, to: number): EventCounts {
  const sum = (action: string, outcome: 'success' | 'failure' = 'success') =>
    items
      .filter((item) => item.action === action && item.outcome === outcome)
      .filter(({ start }) => Date.parse(start) >= from && Date.parse(start) < to)
      .reduce((total, { occurrences }) => total + occurrences, 0)
  return {
    users: sum('auth.register') + sum('user.create') - sum('user.delete'),
    signIns: sum('auth.login'),
    failures: sum('auth.login', 'failure')
  }
}
