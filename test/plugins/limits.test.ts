import t from 'tap'
import { aCaller, ownApp } from '../support/app.ts'

// Limits that are counted in the memory of each instance.

t.test('changes by one user are limited on each instance without affecting others', async (t) => {
  const limited = await ownApp(t, { THROTTLE_WRITES: { burst: 5, seconds: 6000 } })
  const [busy, calm] = [await aCaller(limited), await aCaller(limited)]
  const found = await Promise.all(
    Array.from(
      { length: 9 },
      async () => (await busy.call('PUT', '/api/user/theme', { theme: 'dark' })).statusCode
    )
  )
  t.same(
    [
      found.filter((status) => status === 200).length,
      found.filter((status) => status === 429).length
    ],
    [5, 4]
  )
  const refused = await busy.call('PUT', '/api/user/name', { name: 'Ada' })
  t.ok(Number(refused.headers['retry-after']) <= 6000)
  t.equal((await busy.call('GET', '/api/auth/me')).statusCode, 200, 'reading is not counted')
  t.equal((await calm.call('PUT', '/api/user/theme', { theme: 'dark' })).statusCode, 200)
})

t.test('a caller who reads too much at a time does not keep others waiting', async (t) => {
  const app = await ownApp(t)
  const [busy, calm] = [await aCaller(app), await aCaller(app)]
  const url = '/api/user/sessions'
  const flood = Array.from({ length: 200 }, () => busy.call('GET', url))
  const others = await calm.call('GET', url)
  const statuses = (await Promise.all(flood)).map(({ statusCode }) => statusCode)
  t.equal(others.statusCode, 200)
  t.equal(statuses.filter((status) => status === 200).length, 50)
  t.equal(statuses.filter((status) => status === 503).length, 150)
  t.equal((await busy.call('GET', url)).statusCode, 200, 'and goes on afterwards')
  const checks = Array.from({ length: 100 }, () => busy.call('GET', '/api/auth/me'))
  for (const { statusCode } of await Promise.all(checks)) t.equal(statusCode, 200)
})

t.test('a clock that is set back does not block changes', async (t) => {
  const limited = await ownApp(t, { THROTTLE_WRITES: { burst: 2, seconds: 60 } })
  const { call } = await aCaller(limited)
  const change = async () => (await call('PUT', '/api/user/theme', { theme: 'dark' })).statusCode
  t.equal(await change(), 200)
  const now = Date.now
  t.teardown(() => {
    Date.now = now
  })
  Date.now = () => now() - 3_600_000
  t.equal(await change(), 200)
})
