/** The cost of an event on the primary, for each session or row where it concerns many. */
export interface Cost {
  /** Processor time of the backends, in microseconds. */
  microseconds: number
  /** Bytes of WAL, without images of pages. */
  wal: number
  /** Bytes of WAL after a checkpoint, when nearly every page is changed for the first time. */
  walFull: number
  /** Statements, `begin` and `commit` among them. Each takes a round trip. */
  statements: number
  /** Commits of an event that writes, at least one. Each waits for the WAL to reach the disk. */
  commits: number
}

/** Everything that a portal asks of the primary, with the words for people. */
export const costNames = {
  epochs: 'read of the epochs, unchanged',
  epochsChanged: 'read of the epochs, changed',
  shard: 'read of one shard',
  shards: 'read of all shards',
  principal: 'read of a principal, alone',
  principals: 'read of a principal, among a hundred',
  login: 'sign-in from a new device',
  failedLogin: 'sign-in with a wrong password',
  logout: 'sign-out',
  revocation: 'end of another session',
  setting: 'change of a setting',
  registration: 'registration',
  lastSeen: 'time of last use, among a thousand',
  record: 'activity record alone',
  mail: 'mail, from the request to its delivery',
  outboxLook: 'look at an empty outbox',
  oldRecord: 'activity record deleted and vacuumed',
  oldSession: 'session deleted and vacuumed'
} as const
export type CostName = keyof typeof costNames

export const tableNames = ['users', 'sessions', 'activity', 'throttle', 'outbox'] as const

/** The part of `bench/results/costs.json` that the model uses. */
export interface Costs {
  events: Record<CostName, Cost>
  /** With all indexes, as freshly filled. */
  bytesPerRow: Record<(typeof tableNames)[number], number>
  /** Rows of rate limits for each sign-in from a new device. */
  throttlesPerLogin: number
  /** Processor time of a password hash at cost 12. */
  hashMilliseconds: number
}

/** Number of things that each statement reads, in the larger of two measurements. */
export const many = { principals: 100, shards: 64, lastSeen: 1000 } as const
