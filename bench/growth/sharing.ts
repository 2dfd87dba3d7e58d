import { partsPerShard, userShards } from '../../db/schema/epochs.ts'

// How often an instance reads, from how often it is asked. Rates are per second, times in seconds.
// Requests are assumed to arrive independently of each other.

/**
 * Reads of which one runs at a time, and each serves all who waited when it began: after a read of
 * `duration`, the next begins at once if somebody has arrived meanwhile, and otherwise with the
 * next arrival. So a read and the pause after it take `duration + e^(-arrivals·duration)/arrivals`.
 */
export const sharedReads = (arrivals: number, duration: number) =>
  arrivals <= 0 ? 0 : 1 / (duration + Math.exp(-arrivals * duration) / arrivals)

/** The share of these shared reads before which something has changed. */
export const changedShare = (reads: number, changes: number) =>
  reads <= 0 ? 0 : 1 - Math.exp(-changes / reads)

/**
 * Shards that an instance reads again: each of them once after changes, with the next check of one
 * of its users.
 */
export const shardsRead = (checks: number, changes: number) =>
  checks + changes <= 0 ? 0 : (checks * changes) / (checks + changes)

/** Statements that read `items` for callers that `reads` shared reads have served. */
export const batches = (items: number, reads: number, duration: number) =>
  sharedReads(reads * changedShare(reads, items), duration)

interface Use {
  /** Checks of a session on an instance. */
  checks: number
  /** Sessions that the instance serves. */
  sessions: number
  /** Principals that it keeps. */
  capacity: number
  /** Changes of users, anywhere. */
  changes: number
  /** Changes of roles, which concern all users. */
  roleChanges?: number
}

/**
 * The share of the checks that read the principal again, of a session that the instance knows. It
 * is kept until the next check unless a user of the same part of the same shard was changed, or
 * others took its place: the least recently used one goes, after about `lasts` seconds (Che's
 * approximation).
 */
export function shareReadAgain({ checks, sessions, capacity, changes, roleChanges = 0 }: Use) {
  if (checks <= 0) return 1
  const lasts = sessions <= capacity ? Infinity : -Math.log(1 - capacity / sessions) / checks
  const ends = changes / (userShards * partsPerShard) + roleChanges
  const kept = (checks / (checks + ends)) * (1 - Math.exp(-(checks + ends) * lasts))
  return 1 - kept
}

/**
 * The share of the `checks` of a visit that are the first ones on their instance, when each goes to
 * one of `instances` at random.
 */
export const shareFirst = (checks: number, instances: number) =>
  Math.min(1, (instances * (1 - (1 - 1 / instances) ** checks)) / checks)
