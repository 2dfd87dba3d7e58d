import { AsyncResource } from 'node:async_hooks'
import { statements } from '../../../db/statements.ts'

/** Maximum number of event-loop turns that a run waits for more callers. */
const maxTurns = 3

/**
 * Runs `work` on everything that was added since the last run began, one run at a time. A run waits
 * up to three event-loop turns for more callers before it starts: clients answered together ask
 * again together, and sharing saves a tenth of the cost of a session check under load. `work` must
 * not throw.
 */
export function inBatches<T>(work: (batch: T[]) => Promise<void>) {
  let waiting: T[] = []
  let running = false
  const run = async () => {
    const batch = waiting
    waiting = []
    await work(batch)
    if (waiting.length > 0) setImmediate(start, maxTurns, 0)
    else running = false
  }
  const gather = (turns: number, before: number) => {
    if (turns > 0 && waiting.length > before) setImmediate(gather, turns - 1, waiting.length)
    else void run()
  }
  // A trace must not attribute work for all callers to the request of one of them.
  const start = statements.hasSubscribers ? AsyncResource.bind(gather) : gather
  return (item: T) => {
    waiting.push(item)
    if (running) return
    running = true
    setImmediate(start, maxTurns, 0)
  }
}

export const settled = <T>(work: Promise<T>): Promise<[error: unknown, result?: T]> =>
  work.then(
    (result): [unknown, T] => [undefined, result],
    (error: unknown): [unknown] => [error]
  )
