import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { until } from '../support/app.ts'
import { startInstance } from './instances.ts'
import { caller } from './people.ts'
import type { Call } from './people.ts'
import { cluster } from './synchronous-standby.ts'

const seconds = Number(process.env.STANDBY_SECONDS ?? 60)
const [instanceCount, userCount, poolMax] = [4, 74, 10]
const password = 'correct horse battery'
/** Per instance: its pool, half of it for reads, and two for session checks. */
const bound = instanceCount * (poolMax + poolMax / 2 + 2)

t.test(
  'while the synchronous standby is gone, reads are answered and connections are bounded, and changes succeed again after its return',
  async (t) => {
    const { url, admin, stopStandby, startStandby } = await cluster(t, 100)
    const instances = await Promise.all(
      Array.from({ length: instanceCount }, () =>
        startInstance(t, {
          DATABASE_URL: url,
          DATABASE_POOL_MAX: String(poolMax),
          SESSION_MAX_PER_USER: '100'
        })
      )
    )
    await Promise.all(instances.map((instance) => instance.ready()))
    const callers = instances.map(({ port }) => caller(() => port))
    t.teardown(() => callers.forEach(({ close }) => close()))
    const users: { call: Call; cookie: string }[] = []
    for (let n = 0; n < userCount; n++) {
      const { call } = callers[n % instanceCount] as (typeof callers)[number]
      const body = { email: `user-${n}@example.com`, password }
      await call('POST', '/api/auth/register', { body: { ...body, name: 'Ada' } })
      users.push({ call, cookie: (await call('POST', '/api/auth/login', { body })).cookie ?? '' })
    }
    t.ok(users.every(({ cookie }) => cookie !== ''))

    const over = new AbortController()
    const tally: Record<string, Record<string, number>> = {}
    const slowest: Record<string, number> = {}
    const ask = async (kind: string, work: Promise<{ status: number }>) => {
      const start = performance.now()
      const status = await work.then(
        (answer) => String(answer.status),
        () => 'lost'
      )
      const counts = (tally[kind] ??= {})
      counts[status] = (counts[status] ?? 0) + 1
      slowest[kind] = Math.max(slowest[kind] ?? 0, Math.round(performance.now() - start))
      return status
    }
    const changing = users.map(async ({ call, cookie }, n) => {
      for (let i = 0; !over.signal.aborted; i++) {
        const body = { theme: i % 2 === 0 ? 'dark' : 'light' }
        await ask('change', call('PUT', '/api/user/theme', { cookie, body, timeout: 30_000 }))
        await sleep(900 + n)
      }
    })
    const reading = users.slice(0, 2 * instanceCount).map(async ({ call, cookie }) => {
      while (!over.signal.aborted) {
        await ask('sessions', call('GET', '/api/user/sessions', { cookie, timeout: 30_000 }))
        await ask('me', call('GET', '/api/auth/me', { cookie }))
        await sleep(200)
      }
    })
    const health = async () =>
      Promise.all(callers.map(({ call }) => ask('health', call('GET', '/health'))))
    const backends = async () => {
      const [row] = await admin`
        select count(*)::int as count, count(*) filter (where wait_event = 'SyncRep')::int as waiting
        from pg_stat_activity where application_name like 'portal%'`
      return row as { count: number; waiting: number }
    }
    await sleep(3000)
    t.same(Object.keys(tally.change ?? {}), ['200'])

    await stopStandby()
    const gone = performance.now()
    const series: string[] = []
    let most = 0
    while (performance.now() - gone < seconds * 1000) {
      const { count, waiting } = await backends()
      most = Math.max(most, count)
      series.push(`${Math.round((performance.now() - gone) / 1000)} s: ${count} (${waiting})`)
      await health()
      await sleep(Math.min(5000, seconds * 100))
    }
    await startStandby()
    const back = performance.now()
    const healed = await Promise.all(
      callers.map(async ({ call }, n) => {
        const { cookie = '' } = users[n] ?? {}
        const body = { theme: 'system' }
        await until(
          async () => (await call('PUT', '/api/user/theme', { cookie, body })).status === 200
        )
        return Math.round(performance.now() - back)
      })
    )
    await until(async () => (await backends()).waiting === 0)
    over.abort()
    await Promise.all([...changing, ...reading])
    const after = await backends()
    t.comment(
      `backends (waiting): ${series.join(', ')}; afterwards ${after.count}; answers ` +
        `${JSON.stringify(tally)}, slowest in ms ${JSON.stringify(slowest)}; changes succeed ` +
        `${healed.join(', ')} ms after the standby was started`
    )
    t.ok(most <= bound, `at most ${most} backends of ${bound}`)
    t.same(Object.keys(tally.sessions ?? {}), ['200'])
    t.same(Object.keys(tally.me ?? {}), ['200'])
    t.same(Object.keys(tally.health ?? {}), ['200'])
    t.ok((tally.change?.['503'] ?? 0) > 0)
    t.ok(Math.max(...healed) < 30_000)
  }
)
