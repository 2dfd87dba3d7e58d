/**
 * Runs `work` every `ms` milliseconds, never twice at the same time: a run that is due while the one
 * before is at work is left out. The timer does not keep the process alive. `work` must not throw.
 */
export function every(ms: number, work: () => Promise<void>) {
  let running: Promise<void> | undefined
  /** Runs it now, or joins the run that is under way. */
  const run = () =>
    (running ??= work().finally(() => {
      running = undefined
    }))
  const timer = setInterval(run, ms).unref()
  return {
    run,
    /** Starts no further run, and waits for the one under way. */
    async stop() {
      clearInterval(timer)
      await running
    }
  }
}
