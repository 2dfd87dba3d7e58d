import type { Test } from 'tap'
import { slack } from '../../db/transaction.ts'

// Limits of time are longer in tests, so that a busy machine does not fail them.

const generous = 20

slack.factor = generous

/** For a test about a limit of time, before it opens a database: limits are those of production. */
export function withoutSlack(t: Pick<Test, 'teardown'>) {
  slack.factor = 1
  t.teardown(() => {
    slack.factor = generous
  })
}
