interface Assumption {
  default: number
  unit: string
  what: string
  /** The model divides by it. */
  notZero?: true
}

/** Everything that the model takes for granted, with its option on the command line. */
export const assumptions = {
  instances: { default: 100, unit: '', what: 'instances of the portal', notZero: true },
  users: { default: 10_000_000, unit: '', what: 'accounts' },
  activeShare: { default: 0.3, unit: 'of the users', what: 'active on a day' },
  peakShare: { default: 0.12, unit: 'of the day', what: 'work of the busiest hour', notZero: true },
  visits: { default: 2, unit: 'a day', what: 'visits of an active user' },
  visitMinutes: { default: 30, unit: 'min', what: 'length of a visit', notZero: true },
  checkSeconds: {
    default: 10,
    unit: 's',
    what: 'between two session checks of a user during a visit',
    notZero: true
  },
  sessionInstances: {
    default: 100,
    unit: '',
    what: 'instances that get the requests of one session; 1 with session affinity',
    notZero: true
  },
  logins: { default: 0.3, unit: 'a day', what: 'sign-ins of an active user' },
  failedLogins: { default: 0.1, unit: 'per sign-in', what: 'sign-ins with a wrong password' },
  logouts: { default: 0.5, unit: 'per sign-in', what: 'sessions ended by their users' },
  revocations: { default: 0.01, unit: 'per sign-in', what: 'other sessions ended' },
  settings: { default: 0.05, unit: 'a day', what: 'changes of settings by an active user' },
  registrations: { default: 10_000, unit: 'a day', what: 'new accounts' },
  roleChanges: {
    default: 10,
    unit: 'a day',
    what: 'changes of the permissions of roles, after which all principals are read again'
  },
  mails: { default: 0.02, unit: 'a day', what: 'mails to an active user' },
  sessionDays: { default: 7, unit: 'days', what: 'life of a session that nobody ends' },
  retentionDays: { default: 180, unit: 'days', what: 'activity records are kept' },
  deletedRecords: {
    default: 1,
    unit: 'of the records',
    what: 'deleted in batches; 0 where the table is partitioned and months are dropped'
  },
  roundTrip: { default: 0.5, unit: 'ms', what: 'from an instance to the primary and back' },
  flush: { default: 1, unit: 'ms', what: 'until the WAL of a commit is on disk' },
  checkpointMinutes: {
    default: 5,
    unit: 'min',
    what: 'between checkpoints, after which the WAL has an image of each changed page',
    notZero: true
  },
  poolMax: { default: 10, unit: '', what: 'DATABASE_POOL_MAX' },
  hashThreads: { default: 2, unit: '', what: 'HASH_THREADS, and cores for them' },
  requestMicroseconds: {
    default: 34,
    unit: 'µs',
    what: 'processor time of an instance for a session check (bench/profile.md)'
  },
  cores: { default: 16, unit: '', what: 'cores of the primary' },
  maxConnections: { default: 1500, unit: '', what: 'max_connections of the primary' },
  walLimit: { default: 100, unit: 'MB/s', what: 'WAL that the disk and the standbys can take' }
} as const satisfies Record<string, Assumption>

export type Assumptions = Record<keyof typeof assumptions, number>
export const assumptionNames = Object.keys(assumptions) as (keyof Assumptions)[]

export const defaults = Object.fromEntries(
  assumptionNames.map((name) => [name, assumptions[name].default])
) as Assumptions
