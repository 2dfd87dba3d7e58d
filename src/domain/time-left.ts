import type { Db } from '../../db/engine.ts'
import { beforeCommit, withSlack } from '../../db/transaction.ts'
import type { Actor } from './actor.ts'
import { overloaded } from './errors.ts'

/**
 * Milliseconds after which neither an attempt nor a COMMIT begins, so that both end within the time
 * to answer (plugins/guard.ts): three seconds later a COMMIT is late.
 */
const mostTime = 12_000

/** Returns a check that throws `overloaded` when a request that arrived then has no time left. */
export const timeLimit = (arrived: number) => () => {
  if (performance.now() - arrived > withSlack(mostTime)) throw overloaded()
}

/**
 * Rolls the transaction back with `overloaded` when no time is left to answer the request of the
 * actor: otherwise a change would be stored that the client takes for failed, and makes again.
 */
export function commitInTime(tx: Db, { arrived }: Actor) {
  if (arrived !== undefined) beforeCommit(tx, timeLimit(arrived))
}
