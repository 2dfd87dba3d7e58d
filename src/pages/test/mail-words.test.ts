import t from 'tap'
import { deliveryOf } from '../console/mail-words.ts'

const now = Date.parse('2026-11-26T12:00:00Z')
const sent = {
  state: 'sent',
  attempts: 1,
  nextAt: '2026-11-26T11:00:00Z',
  expiresAt: '2026-11-27T11:00:00Z',
  doneAt: '2026-11-26T11:00:02Z',
  lastError: null
} as const
const said = (changes: Partial<Parameters<typeof deliveryOf>[0]>) =>
  deliveryOf({ ...sent, ...changes }, now)

t.test('a mail that was sent at once needs no word beside its state', async (t) => {
  t.equal(said({}), '')
  t.equal(said({ state: 'pending', attempts: 0 }), '', 'it is due')
})

t.test('what went wrong with a mail is said in words, and when it is tried again', async (t) => {
  t.equal(
    said({ state: 'dead', attempts: 8, lastError: 'smtp 550' }),
    'Refused by the mail server (550), after 8 attempts'
  )
  t.equal(
    said({ state: 'pending', attempts: 2, nextAt: '2026-11-26T12:05:00Z', lastError: 'timeout' }),
    'Timeout, 2 attempts, next in 5 minutes'
  )
  t.equal(said({ nextAt: '2026-11-26T12:05:00Z' }), '', 'only of mail that waits')
})

t.test('a mail that was dropped had no time left, or nobody to go to', async (t) => {
  const atTheEnd = '2026-11-27T10:59:45Z'
  t.equal(said({ state: 'dropped', doneAt: atTheEnd }), 'Expired')
  t.equal(
    said({ state: 'dropped', attempts: 3, lastError: 'smtp 451', doneAt: atTheEnd }),
    'Refused by the mail server (451), after 3 attempts, expired'
  )
  t.equal(said({ state: 'dropped' }), 'Nobody to send it to')
})
