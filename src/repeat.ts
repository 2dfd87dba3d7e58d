/**
 * Runs `work` every `ms` milliseconds, never twice at the same time: a run that is due during
 * another is skipped. The timer does not keep the process alive. `work` must not throw.
 */
export function runEvery(ms: number, work: () => Promise<void>) {
  let running: Promise<void> | undefined
  /** Runs it now, or joins the current run. */
  const run = () =>
    (running ??= work().finally(() => {
      running = undefined
    }))
  const timer = setInterval(() => {
    void run()
  }, ms).unref()
  return {
    run,
    /** Starts no further run, and waits for the current one. */
    async stop() {
      clearInterval(timer)
      await running
    }
  }
}
