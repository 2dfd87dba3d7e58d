import { channel } from 'node:diagnostics_channel'

/** Published when a statement is sent to PostgreSQL. */
export interface SentStatement {
  /** It has `$1` in place of values: nothing inlines a value. */
  text: string
  result: PromiseLike<unknown>
}

/** For src/tracing.ts. Without a subscriber nothing is published. */
export const statements = channel('portal.statement')
