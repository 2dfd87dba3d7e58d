// Not on PGlite: it uses no database.

import t from 'tap'
import { createProcessBudget } from '../../../src/domain/throttling/budgets.ts'

t.test('a user may make `burst` changes at once, then one every `seconds`', async (t) => {
  let now = 1_000_000
  const budget = createProcessBudget('writes', { burst: 3, seconds: 10 }, () => now)
  const charge = (userId: string) => budget.charge(userId, { userId })
  t.same([charge('ada'), charge('ada'), charge('ada')], [undefined, undefined, undefined])
  t.match(charge('ada'), {
    code: 'rate-limited',
    retryAfter: 10,
    details: { limit: 'writes', userId: 'ada' }
  })
  t.equal(charge('bob'), undefined, 'others have their own budget')
  now += 9_999
  t.match(charge('ada'), { retryAfter: 1 })
  now += 1
  t.equal(charge('ada'), undefined, 'a refusal costs nothing')
  t.match(charge('ada'), { retryAfter: 10 })
})

t.test('users with a full budget take no memory', async (t) => {
  let now = 0
  const budget = createProcessBudget('writes', { burst: 3, seconds: 10 }, () => now)
  budget.charge('ada')
  budget.charge('ada')
  budget.charge('bob')
  now = 19_999
  t.equal(budget.sweep(), 1)
  now = 20_000
  t.equal(budget.sweep(), 0)
})

t.test('a first attempt is admitted at any time, also between two milliseconds', async (t) => {
  let now = 0
  const budget = createProcessBudget('writes', { burst: 1, seconds: 600 }, () => now)
  const refused = Array.from({ length: 1000 }, (_, n) => {
    now = n * 1234.567 // sums of such numbers are not exact
    return budget.charge(`user ${n}`)
  }).filter(Boolean)
  t.same(refused, [])
})
