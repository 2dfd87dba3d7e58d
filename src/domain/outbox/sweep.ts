import { and, eq, gte, ne, sql } from 'drizzle-orm'
import { ofDays } from '../../../db/intervals.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import type { OldRows } from '../old-rows.ts'

/** Days that a row is kept once it is done: dead mail for longer, because it can be tried again. */
const keptDays = { dead: 30, others: 7 } as const

const daysAgo = (days: number) => sql`now() - ${ofDays(days)}`

/** Mail that has been done for days. */
export const oldMail: OldRows = {
  table: outbox,
  key: outbox.id,
  at: outbox.doneAt,
  before: daysAgo(keptDays.others),
  indexed: ne(outbox.state, sql`'pending'`), // as a literal: the condition of the index
  unless: and(eq(outbox.state, 'dead'), gte(outbox.doneAt, daysAgo(keptDays.dead)))
}
