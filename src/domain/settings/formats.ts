import { uuidForm } from '../../../db/schema/columns.ts'
import { normalizeEmail } from '../users/emails.ts'
import { httpsUrl } from '../users/profiles.ts'

const day = /^(\d{4})-(\d\d)-(\d\d)$/
const moment =
  /^(\d{4}-\d\d-\d\d)T(\d\d):([0-5]\d):([0-5]\d|60)(?:\.\d{1,9})?(?:Z|([+-])(\d\d):([0-5]\d))$/

/** The formats of settings, each on a text of bounded length. */
export const settingFormats: Record<string, (text: string) => boolean> = {
  date: (text) => text.length === 10 && isDay(text),
  /** RFC 3339, section 5.6. */
  'date-time'(text) {
    const [, date = '', hour, minute, second, sign, ...offset] =
      (text.length <= 35 && moment.exec(text)) || []
    const [hours = 0, minutes = 0] = offset.map((each = '0') => Number(each))
    if (!isDay(date) || Number(hour) > 23 || hours > 23) return false
    if (second !== '60') return true
    // A leap second ends a day in UTC.
    const ahead = (hours * 60 + minutes) * (sign === '-' ? -1 : 1)
    return (Number(hour) * 60 + Number(minute) - ahead + 2 * 1440) % 1440 === 1439
  },
  /** In lowercase. */
  uuid: (text) => text.length === 36 && uuidForm.test(text),
  email: (text) => text.length <= 254 && normalizeEmail(text) !== undefined,
  /** An https URL without credentials. */
  uri: (text) => text.length <= 2048 && httpsUrl(text) !== undefined
}

/** Whether the calendar has this day: `Date` moves 30 February to March. */
function isDay(text: string) {
  const [, year, month, date] = day.exec(text) ?? []
  if (date === undefined) return false
  const found = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)))
  found.setUTCFullYear(Number(year)) // years before 100
  return found.getUTCMonth() === Number(month) - 1 && found.getUTCDate() === Number(date)
}

/** Whether PostgreSQL can store a value as jsonb: not with NUL or an unpaired surrogate. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable)
}
