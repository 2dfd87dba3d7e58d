import type { Schemas } from '../../shared/client.ts'

export interface EventCounts {
  /** New ones less those that were deleted. */
  users: number
  signIns: number
  failures: number
}

/** Counts the events of a summary from one time up to another, in milliseconds. */
export function countEvents(
  { items }: Schemas['ActivitySummary'],
  from: number,
  to: number
): EventCounts {
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
