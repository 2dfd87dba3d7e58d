import { isEpochsMissing } from '../../db/errors.ts'

/** Why this instance must not get traffic. */
export type UnreadyReason = 'starting' | 'migrations' | 'database' | 'epochs' | 'draining'

/** Milliseconds between two checks of the database. */
export const lookInterval = 2000
/** Three failures in a row are an outage. One success ends it. */
const failuresUntilRed = 3

interface Watched {
  /** Whether the schema is up to date. Called until it is. */
  isUpToDate(): Promise<boolean>
  /** The reads that session checks depend on. */
  read(): Promise<unknown>
  onChange(reason: UnreadyReason | undefined, error?: unknown): void
}

/**
 * Tracks whether this instance can take traffic. Checks the database as session checks do, by
 * reading the epochs: a full pool or a locked table does not prevent that, but a standby does, and
 * so do missing rows.
 */
export function createReadiness({ isUpToDate, read, onChange }: Watched) {
  let state: UnreadyReason | undefined = 'starting'
  let draining = false
  let migrated = false
  let failures = 0

  const enter = (next: UnreadyReason | undefined, error?: unknown) => {
    if (next === state) return
    state = next
    onChange(next, error)
  }
  return {
    reason: (): UnreadyReason | undefined => (draining ? 'draining' : state),
    /** Makes the instance unavailable for good, because the process is about to end. */
    drain() {
      draining = true
    },
    /** Checks the database once. Never rejects. */
    async look() {
      try {
        if (migrated) await read()
        else migrated = await isUpToDate()
        failures = 0
        enter(migrated ? undefined : 'migrations')
      } catch (error) {
        failures += 1
        if (failures >= failuresUntilRed || state === 'starting') {
          enter(isEpochsMissing(error) ? 'epochs' : 'database', error)
        }
      }
    }
  }
}
