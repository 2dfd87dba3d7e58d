import t from 'tap'
import { formatTime } from '../shared/time-format.ts'

t.test('a time does not break before AM and PM', async (t) => {
  Object.defineProperty(navigator, 'languages', { value: ['en-US'] })
  t.match(formatTime('2026-11-29T09:43:00Z'), /:43\xa0[AP]M$/)
})
