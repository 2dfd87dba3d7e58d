import t from 'tap'
import { unbroken } from '../shared/time-format.ts'

t.test('a time does not break before AM and PM', async (t) => {
  const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
  t.match(unbroken(time.format(new Date('2026-11-29T09:43:00Z'))), /:43\xa0[AP]M$/)
})
