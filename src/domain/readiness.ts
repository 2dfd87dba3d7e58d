/** Why no traffic should come to this instance. */
export type UnreadyReason = 'starting' | 'migrations' | 'database' | 'draining'

/** Milliseconds between two looks at the database. */
export const lookInterval = 2000
/** One slow answer is no outage; three in a row are. One good answer ends it. */
const failuresUntilRed = 3

interface Watched {
  /** Whether the schema is as this build needs it. Asked until it is. */
  isUpToDate(): Promise<boolean>
  /** The read that every session check waits for. */
  read(): Promise<unknown>
  onChange(reason: UnreadyReason | undefined, error?: unknown): void
}

/**
 * Whether this instance can take traffic. A ready instance reads the epochs, as every session check
 * does: neither a full pool nor a locked table stops that, a standby does.
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
    /** From now on, and for good: this process is about to end. */
    drain() {
      draining = true
    },
    /** Looks at the database once. Never rejects. */
    async look() {
      try {
        if (migrated) await read()
        else migrated = await isUpToDate()
        failures = 0
        enter(migrated ? undefined : 'migrations')
      } catch (error) {
        failures += 1
        if (failures >= failuresUntilRed || state === 'starting') enter('database', error)
      }
    }
  }
}
