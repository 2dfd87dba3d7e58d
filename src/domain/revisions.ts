import { preconditionFailed } from './errors.ts'

/** What a writer believes the present revision to be: any of these; undefined when they do not care. */
export type Expected = readonly string[] | undefined

/** Throws `precondition-failed` when the row is not what the writer read. Call it with the row locked. */
export function requireRevision(revision: string, expected: Expected) {
  if (expected && !expected.includes(revision)) throw preconditionFailed()
}
