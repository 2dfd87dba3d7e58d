import { preconditionFailed } from './errors.ts'

/** The revisions that a writer accepts; undefined accepts any. */
export type Expected = readonly string[] | undefined

/** Throws `precondition-failed` for another revision. Call it with the row locked. */
export function requireRevision(revision: string, expected: Expected) {
  if (expected && !expected.includes(revision)) throw preconditionFailed()
}
