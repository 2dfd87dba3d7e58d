import { sentenceOf } from './sentences.ts'
import type { ActivityRecord } from './sentences.ts'

/** A record, and how often it was repeated. */
export type Repeated = ActivityRecord & { times?: number }

/** Consecutive records of a day that say the same, from the same address, as one: the latest. */
export function mergeRepeated(records: readonly ActivityRecord[]): Repeated[] {
  const all: Repeated[] = []
  for (const record of records) {
    const last = all.at(-1)
    if (
      last?.ip === record.ip &&
      dayOf(last) === dayOf(record) &&
      sentenceOf(last) === sentenceOf(record)
    ) {
      last.times = (last.times ?? 1) + 1
    } else {
      all.push({ ...record })
    }
  }
  return all
}

/** The day in the time zone of the reader. */
const dayOf = ({ at }: ActivityRecord) => new Date(at).toDateString()
