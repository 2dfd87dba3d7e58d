import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Test } from 'tap'
import { until } from '../support/app.ts'
import { startInstance } from './instances.ts'
import { caller, people } from './people.ts'
import { cluster } from './synchronous-standby.ts'

t.test(
  'the primary fails and its standby is promoted: writes continue within ten seconds, and none is lost',
  async (t) => {
    const { hosts, port, standbyPort, stop, promote } = await cluster(t)
    const DATABASE_URL = hosts(port, standbyPort)
    const instances = await Promise.all([
      startInstance(t, { DATABASE_URL }),
      startInstance(t, { DATABASE_URL })
    ])
    await Promise.all(instances.map((instance) => instance.ready()))
    const { call, close } = caller(() => instances[Math.random() < 0.5 ? 0 : 1]?.port ?? 0)
    t.teardown(close)
    const crowd = people(call, 8)
    await sleep(5000)

    await stop('immediate')
    const gone = performance.now()
    await promote()
    const writing = await Promise.all(
      instances.map(async (instance, i) => {
        const own = caller(() => instance.port)
        t.teardown(own.close)
        await until(
          async () =>
            (
              await own
                .call('POST', '/api/auth/register', {
                  body: {
                    email: `after-${i}-${Math.random()}@example.com`,
                    password: 'correct horse battery',
                    name: 'Ada'
                  }
                })
                .catch(() => undefined)
            )?.status === 201
        )
        return Math.round(performance.now() - gone)
      })
    )
    await sleep(3000)
    await crowd.stop()
    t.comment(
      `writing again after ${writing.join(' and ')} ms; ${crowd.acknowledged()} registered; answers: ${JSON.stringify(crowd.tally)}`
    )
    t.ok(Math.max(...writing) < 10_000)
    const { 200: ok = 0, 201: made = 0, 204: left = 0, 503: away = 0, ...others } = crowd.tally
    t.ok(ok > 0 && made > 0 && left > 0 && away > 0)
    t.same(others, {})
    t.same(await crowd.missing(call), [])
  }
)

const account = () => ({ email: `${randomUUID()}@example.com`, password: 'correct horse battery' })

/**
 * Two instances, one with the URL of the primary only and one with this URL, each with its own
 * caller.
 */
async function twoInstances(t: Test, url: string, other: string) {
  return Promise.all(
    [url, other].map(async (DATABASE_URL) => {
      const instance = await startInstance(t, { DATABASE_URL })
      await instance.ready()
      const { call, close } = caller(() => instance.port)
      t.teardown(close)
      return Object.assign(instance, {
        call,
        signIn: async () => {
          const { email, password } = account()
          await call('POST', '/api/auth/register', { body: { email, password, name: 'Ada' } })
          return (await call('POST', '/api/auth/login', { body: { email, password } })).cookie ?? ''
        },
        me: async (cookie: string) => (await call('GET', '/api/auth/me', { cookie })).status
      })
    })
  )
}

t.test(
  'a lagging standby listed first is not used: no stale session is accepted, and writes work',
  async (t) => {
    const { url, standbyUrl, hosts, port, standbyPort, standby } = await cluster(t)
    const [x, y] = await twoInstances(t, url, hosts(standbyPort, port))
    if (!x || !y) throw new Error('two instances')
    const astray = await startInstance(t, { DATABASE_URL: standbyUrl })
    const cookie = await y.signIn()
    t.equal(await y.me(cookie), 200)

    await standby`select pg_wal_replay_pause()`
    t.equal((await x.call('POST', '/api/auth/logout', { cookie })).status, 204)
    const answers = new Set<number>()
    for (let i = 0; i < 1000; i++) answers.add(await y.me(cookie))
    t.same(answers, new Set([401]))
    const again = await y.signIn()
    t.equal(await y.me(again), 200, 'a registration and a login went through')
    t.equal((await fetch(`${y.base}/health`)).status, 200)
    const red = await fetch(`${astray.base}/health`)
    t.same([red.status, await red.json()], [503, { status: 'unavailable', reason: 'database' }])
    t.equal(
      (await caller(() => astray.port).call('GET', '/api/auth/me', { cookie: again })).status,
      503
    )
    await standby`select pg_wal_replay_resume()`
  }
)

t.test(
  'a change stays invisible while its COMMIT waits for a standby that is gone, so no response confirms what a failover would undo',
  async (t) => {
    const { url, hosts, port, standbyPort, stop, stopStandby, startStandby, promote } =
      await cluster(t)
    const [x, y] = await twoInstances(t, url, hosts(port, standbyPort))
    if (!x || !y) throw new Error('two instances')
    const cookie = await y.signIn()
    t.equal(await y.me(cookie), 200)

    await stopStandby()
    for (let tries = 0; tries < 3; tries++) {
      t.equal((await x.call('POST', '/api/auth/logout', { cookie })).status, 503)
      t.equal(await y.me(cookie), 200, 'the end is not visible yet')
    }
    await stop('immediate')
    await startStandby()
    await promote()
    await until(async () => (await y.me(cookie)) === 200)
    t.equal((await y.call('POST', '/api/auth/logout', { cookie })).status, 204)
    t.equal(await y.me(cookie), 401)
  }
)

t.test('a restarted primary does not acknowledge an end that its standby lacks', async (t) => {
  const { url, hosts, port, standbyPort, start, stop, stopStandby, startStandby, promote } =
    await cluster(t)
  const [x, y] = await twoInstances(t, url, hosts(port, standbyPort))
  if (!x || !y) throw new Error('two instances')
  const { email, password } = account()
  await y.call('POST', '/api/auth/register', { body: { email, password, name: 'Ada' } })
  const signIn = async () =>
    (await y.call('POST', '/api/auth/login', { body: { email, password } })).cookie ?? ''
  const [kept, other] = [await signIn(), await signIn()]
  const ends = [
    () => x.call('POST', '/api/auth/logout', { cookie: other }),
    () => x.call('DELETE', '/api/user/sessions', { cookie: kept })
  ]
  t.same([await y.me(kept), await y.me(other)], [200, 200])

  await stopStandby()
  t.equal((await ends[0]?.())?.status, 503)
  await stop('immediate')
  await start()
  await until(async () => (await x.me(kept)) === 200)
  t.equal(await x.me(other), 401, 'the end is visible')
  for (const end of ends) t.equal((await end()).status, 503)
  await stop('immediate')
  await startStandby()
  await promote()
  await until(async () => (await y.me(kept)) === 200)
  t.equal(await y.me(other), 200, 'the standby did not have the end')
  t.equal((await y.call('POST', '/api/auth/logout', { cookie: other })).status, 204)
  t.equal(await y.me(other), 401)
})

t.test('a primary without free connections is not abandoned for its standby', async (t) => {
  const { url, hosts, port, standbyPort, standby, admin, clientOf } = await cluster(t)
  const [x, y] = await twoInstances(t, url, `${hosts(port, standbyPort)}&application_name=y`)
  if (!x || !y) throw new Error('two instances')
  const [cookie, kept] = [await y.signIn(), await y.signIn()]
  t.same([await y.me(cookie), await y.me(kept), await x.me(kept)], [200, 200, 200])

  await standby`select pg_wal_replay_pause()`
  const fill = async () => {
    for (;;) {
      const client = clientOf(url)
      fillers.push(client)
      if (
        await client`select 1`.then(
          () => false,
          () => true
        )
      ) {
        return
      }
    }
  }
  const fillers: ReturnType<typeof clientOf>[] = []
  await fill()
  // The connections of this instance end, and others replace them.
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'y'`
  await until(async () => {
    await fill()
    return (await admin`select 1 from pg_stat_activity where application_name = 'y'`).length === 0
  })
  const full = new Set<number>()
  const end = performance.now() + 1000
  while (performance.now() < end) full.add(await y.me(kept))
  t.same(full, new Set([503]))
  t.equal((await x.call('POST', '/api/auth/logout', { cookie })).status, 204)
  for (let i = 0; i < 20; i++) t.equal(await y.me(cookie), 503)

  await Promise.all(fillers.map((client) => client.end({ timeout: 1 })))
  await until(async () => (await y.me(kept)) === 200)
  for (let i = 0; i < 1000; i++) if ((await y.me(cookie)) !== 401) t.fail('an old yes')
  await y.signIn()
  t.equal((await fetch(`${y.base}/health`)).status, 200)
  await standby`select pg_wal_replay_resume()`
})
