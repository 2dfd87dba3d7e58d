import t from 'tap'
import { periodOf, toAddress, toInputs } from '../console/activity/period.ts'
import { counted, grouped } from '../console/grouped.ts'
import { addressOf, rangeOf } from '../console/list/address.ts'
import { chosenOf } from '../console/list/user-label.ts'
import { formatAgo } from '../shared/time-format.ts'

t.test('a list says which part of it is shown, and the total once it is known', async (t) => {
  t.equal(rangeOf(1, 12, true, 'users'), '12 users')
  t.equal(rangeOf(1, 1, true, 'users'), '1 user')
  t.equal(rangeOf(1, 50, false, 'users', 1312), '1–50 of 1,312 users')
  t.equal(rangeOf(51, 50, false, 'users'), '51–100 of more than 100 users')
  t.equal(rangeOf(101, 3, true, 'users', 99), '101–103 of 103 users', 'some are new')
  t.equal(rangeOf(undefined, 50, false, 'users'), '50 users on this page', 'after a bookmark')
})

t.test('counts have groups of three digits', async (t) => {
  const counts = [0, 999, 1000, 12_345, 1_234_567]
  t.equal(counts.map(grouped).join(' '), '0 999 1,000 12,345 1,234,567')
  t.same([counted(1, 'flag'), counted(1200, 'flag')], ['1 flag', '1,200 flags'])
})

t.test('times are said as people say them', async (t) => {
  const now = Date.parse('2026-11-24T12:00:00Z')
  const ago = (at: string) => formatAgo(at, now)
  t.equal(ago('2026-11-24T11:59:40Z'), 'just now')
  t.equal(ago('2026-11-24T11:57:00Z'), '3 minutes ago')
  t.equal(ago('2026-11-24T12:10:00Z'), 'in 10 minutes')
  t.equal(ago('2026-11-24T10:30:00Z'), '1 hour ago')
  t.equal(ago('2026-11-23T11:00:00Z'), 'yesterday')
  t.equal(ago('2026-01-02T11:00:00Z'), undefined, 'a date says more')
})

t.test('the plot shows a month unless a period is chosen, and at most 92 days', async (t) => {
  const now = Date.parse('2026-11-24T12:34:56Z')
  t.same(periodOf({}, now), { from: '2026-10-26T00:00:00.000Z', bucket: 'day' })
  t.same(periodOf({}, now), periodOf({}, now + 60_000), 'the same all day')
  const days = { from: '2026-11-20T00:00:00Z' }
  t.same(periodOf(days, now), { ...days, bucket: 'hour' })
  const year = { from: '2025-11-20T00:00:00Z', to: '2026-11-20T00:00:00Z' }
  t.same(periodOf(year, now), { ...year, from: '2026-08-21T00:00:00.000Z', bucket: 'day' })
})

t.test('filters without a value are not in the address', async (t) => {
  t.equal(addressOf('/users', { q: '', role: undefined }), '/users')
  t.equal(addressOf('/users', { q: 'a b', status: '', role: 'admin' }), '/users?q=a+b&role=admin')
})

t.test('a user is named by address, name or a part that nobody else has', async (t) => {
  const ada = { id: '1', name: 'Ada', email: 'ada@example.com' }
  const adam = { id: '2', name: 'Adam', email: 'adam@example.com' }
  t.same(chosenOf([ada, adam], 'ADA@example.com', false), { id: '1' })
  t.same(chosenOf([ada, adam], 'ada', false), { id: '1' }, 'the whole name')
  t.same(chosenOf([adam], 'ad', false), { id: '2' })
  t.match(chosenOf([ada, adam], 'ad', false).mistake, /^Several users match/)
  t.match(chosenOf([ada, { ...adam, name: 'Ada' }], 'ada', false).mistake, /^Several users match/)
  t.match(chosenOf([], 'nobody', false).mistake, /^No user/)
})

t.test('a key is not taken for a part of a name', async (t) => {
  const bill = { id: '1', name: 'Bill', email: 'billing@example.com' }
  t.same(chosenOf([bill], 'billing', true), { id: 'billing' })
  t.same(chosenOf([bill], 'bill', true), { id: '1' })
  t.same(chosenOf([bill], 'billing@example.com', true), { id: '1' })
})

t.test('times are those of the reader in inputs, and in UTC in the address', async (t) => {
  const at = new Date(2026, 10, 24, 12, 34, 56).toISOString()
  const filters = { from: at, action: 'auth.login' }
  t.same(toInputs(filters), { from: '2026-11-24T12:34:56', action: 'auth.login' })
  const changed = { action: 'auth.login', from: '2026-11-24T12:35', to: '' }
  t.match(toAddress(changed, filters), {
    action: 'auth.login',
    from: new Date(2026, 10, 24, 12, 35).toISOString(),
    to: ''
  })
  const exact = '2026-11-24T12:34:56.789Z'
  t.equal(toAddress(toInputs({ from: exact }), { from: exact }).from, exact, 'to the millisecond')
  t.equal(toAddress({ requestId: ' urn:uuid:1' }, {}).requestId, '1')
})
