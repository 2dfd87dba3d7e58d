import t from 'tap'
import { settingFormats } from '../../../src/domain/settings/formats.ts'

t.test('date-time is what RFC 3339 allows, with leap seconds at the end of a day', async (t) => {
  const isValid = (text: string) => settingFormats['date-time']?.(text)
  for (const text of [
    '2026-02-28T23:59:59Z',
    '2026-02-28T00:00:00.123456789+23:59',
    '1990-12-31T23:59:60Z',
    '1990-12-31T15:59:60-08:00',
    '1991-01-01T01:29:60.5+01:30'
  ]) {
    t.equal(isValid(text), true, text)
  }
  for (const text of [
    '2026-02-28T24:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-02-28T23:60:00Z',
    '2026-02-28T23:59:61Z',
    '2026-02-28T12:00:60Z',
    '2026-02-28T23:59:60+01:00',
    '2026-02-28T00:00:00+24:00',
    '2026-02-28T00:00:00',
    '2026-02-28T00:00Z'
  ]) {
    t.equal(isValid(text), false, text)
  }
})
