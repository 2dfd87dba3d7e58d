import type { Rule, When } from '../../../db/schema/flags.ts'
import type { FieldError } from '../errors.ts'

/** A time in UTC with milliseconds; undefined if none exists with a year of four digits. */
export function storedTime(text: string): string | undefined {
  const time = Date.parse(text)
  if (Number.isNaN(time)) return undefined
  const stored = new Date(time).toISOString()
  return stored.length === '2026-12-01T07:00:00.000Z'.length ? stored : undefined
}

/** A valid rule with its times as they are stored. */
export const withStoredTimes = ({ when, ...rule }: Rule): Rule => ({
  when: {
    ...when,
    ...(when.from !== undefined && { from: storedTime(when.from) ?? when.from }),
    ...(when.until !== undefined && { until: storedTime(when.until) ?? when.until })
  },
  ...rule
})

export const outOfRange = (pointer: string): FieldError => ({
  pointer,
  code: 'out-of-range',
  message: 'Must be a time that exists, in UTC from the year 0 to the year 9999'
})

export function* timeProblems({ from, until }: When, at: string): Generator<FieldError> {
  const [begin, end] = [from, until].map((text) => text && storedTime(text))
  if (from !== undefined && begin === undefined) yield outOfRange(`${at}/from`)
  if (until !== undefined && end === undefined) yield outOfRange(`${at}/until`)
  if (begin !== undefined && end !== undefined && begin >= end) {
    yield { pointer: `${at}/until`, code: 'out-of-range', message: 'Must be later than `from`' }
  }
}
