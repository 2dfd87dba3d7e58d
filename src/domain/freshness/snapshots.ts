import { inBatches, settled } from './batches.ts'

/** All epochs by scope and the clock of the database, from one statement. */
export interface Snapshot {
  values: readonly string[]
  now: number
}

export type Done<T> = (error: unknown, result?: T) => void

/** Calls back with a snapshot whose read began after the call. */
export type Snapshots = (done: Done<Snapshot>) => void

/**
 * Shares one read of the epochs between all waiting callers. Callers that arrive during a read wait
 * for the next one: a read that began before a request arrived may miss a change that was
 * acknowledged before the request.
 */
export function createSnapshots(read: () => Promise<Snapshot>): Snapshots {
  return inBatches<Done<Snapshot>>(async (batch) => {
    const [error, snapshot] = await settled(read())
    for (const done of batch) done(error, snapshot)
  })
}
