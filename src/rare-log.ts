interface Log {
  warn(details: object, message: string): void
}

/** Milliseconds between two lines with the same message. */
const pause = 60_000

/**
 * Logs each message at most once a minute: while the database is unavailable, what repeats would
 * fill the log with the same line.
 */
export function createRareLog(log: Log, now: () => number = performance.now.bind(performance)) {
  const next = new Map<string, number>()
  return (error: unknown, message: string) => {
    if (now() < (next.get(message) ?? 0)) return
    next.set(message, now() + pause)
    log.warn({ err: error }, message)
  }
}
