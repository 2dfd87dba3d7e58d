import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { syncRegistry } from '../../src/domain/access/registry.ts'
import { clean, postgresTool, runPostgres, startPostgres } from '../support/postgres.ts'
import { until } from '../support/app.ts'
import { goodAfter, publicFolder, startInstance } from './instances.ts'
import { caller, people } from './people.ts'

const settings = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']

async function aServer(t: Test) {
  const folder = path.join(publicFolder(t), 'postgres')
  const url = await startPostgres(folder, settings)
  t.teardown(() => clean(folder))
  const database = await openDatabase(url)
  await database.migrate(syncRegistry)
  await database.close()
  return {
    folder,
    url,
    port: Number(new URL(url).port),
    postmaster: () =>
      Number(readFileSync(path.join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  }
}

t.test(
  'PostgreSQL is restarted five times under load: 503 within two seconds during restarts, and nothing is lost',
  async (t) => {
    const server = await aServer(t)
    const instances = await Promise.all([
      startInstance(t, { DATABASE_URL: server.url }),
      startInstance(t, { DATABASE_URL: server.url })
    ])
    await Promise.all(instances.map((instance) => instance.ready()))
    const { call, close } = caller(() => instances[Math.random() < 0.5 ? 0 : 1]?.port ?? 0)
    t.teardown(close)
    const crowd = people(call, 8)
    const own = instances.map((instance) => caller(() => instance.port))
    t.teardown(() => {
      for (const { close } of own) close()
    })
    const back: number[] = []
    for (let i = 0; i < 5; i++) {
      await sleep(2000)
      await postgresTool(
        server.folder,
        'pg_ctl',
        '--pgdata',
        path.join(server.folder, 'data'),
        '--mode',
        i % 2 === 0 ? 'fast' : 'immediate',
        '--wait',
        'stop'
      )
      await sleep(1000)
      await runPostgres(server.folder, server.port, settings)
      // A request that needs the database, because health may not have noticed yet.
      const start = performance.now()
      await Promise.all(
        own.map(({ call }) =>
          until(
            async () =>
              (
                await call('POST', '/api/auth/login', {
                  body: { email: 'nobody@example.com', password: 'not this one' }
                }).catch(() => undefined)
              )?.status === 401
          )
        )
      )
      back.push(Math.round(performance.now() - start))
    }
    await sleep(1000)
    await crowd.stop()
    t.comment(
      `first good answers after ${back.join(', ')} ms; ${crowd.acknowledged()} registered; answers: ${JSON.stringify(crowd.tally)}`
    )
    t.ok(Math.max(...back) < 2000)
    const { 200: ok = 0, 201: made = 0, 204: left = 0, 503: away = 0, ...others } = crowd.tally
    t.ok(ok > 0 && made > 0 && left > 0 && away > 0)
    t.same(others, {}, 'only 503 while it was unavailable')
    t.same(
      instances.map((instance) => instance.process.exitCode),
      [null, null],
      'no process died'
    )
    t.same(await crowd.missing(call), [])
  }
)

t.test(
  'PostgreSQL hangs for twenty seconds: 503 within the limits, bounded memory, and automatic recovery',
  async (t) => {
    const server = await aServer(t)
    const instance = await startInstance(t, { DATABASE_URL: server.url })
    await instance.ready()
    const { call, close } = caller(() => instance.port)
    t.teardown(close)
    const crowd = people(call, 8)
    await call('POST', '/api/auth/register', {
      body: { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
    })
    const { cookie = '' } = await call('POST', '/api/auth/login', {
      body: { email: 'ada@example.com', password: 'correct horse battery' }
    })
    t.equal((await call('GET', '/api/auth/me', { cookie })).status, 200, 'kept in memory')
    await sleep(2000)
    const memory = () =>
      Number(
        /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${instance.process.pid}/status`, 'utf8'))?.[1]
      ) / 1024
    const before = memory()

    const all = processesOf(server.postmaster()).concat(server.postmaster())
    for (const pid of all) process.kill(pid, 'SIGSTOP')
    const slowest: Record<string, number> = {}
    const until = performance.now() + 20_000
    const statuses = new Set<number>()
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        while (performance.now() < until) {
          const start = performance.now()
          const login = i % 2 === 0
          const { status } = login
            ? await call('POST', '/api/auth/login', {
                body: { email: 'nobody@example.com', password: 'not this one' }
              })
            : await call('GET', '/api/auth/me', { cookie })
          statuses.add(status)
          const kind = login ? 'login' : 'check'
          slowest[kind] = Math.max(slowest[kind] ?? 0, performance.now() - start)
          await sleep(20)
        }
      })
    )
    const during = memory()
    for (const pid of all) process.kill(pid, 'SIGCONT')
    const back = await goodAfter(instance.base)
    await sleep(1000)
    await crowd.stop()
    t.comment(
      `slowest refusals: ${JSON.stringify(slowest)} ms; memory ${Math.round(before)} to ${Math.round(during)} MB; ready after ${Math.round(back)} ms; answers: ${JSON.stringify(crowd.tally)}`
    )
    t.same(statuses, new Set([503]), 'no old yes')
    t.ok((slowest.login ?? 0) < 7000 && (slowest.check ?? 0) < 2500)
    t.ok(during < before + 100)
    t.ok(back < 4000)
    t.equal((await call('GET', '/api/auth/me', { cookie })).status, 200)
    t.same(await crowd.missing(call), [])
  }
)

t.test(
  'a table is locked for a minute without limits of the role: there are never more backends than connections',
  async (t) => {
    const server = await aServer(t)
    const instance = await startInstance(t, { DATABASE_URL: server.url, DATABASE_POOL_MAX: '10' })
    await instance.ready()
    const { call, close } = caller(() => instance.port)
    t.teardown(close)
    const account = { email: 'ada@example.com', password: 'correct horse battery' }
    await call('POST', '/api/auth/register', { body: { ...account, name: 'Ada' } })
    const { cookie = '' } = await call('POST', '/api/auth/login', { body: account })

    const admin = postgres(server.url, { max: 1, onnotice: () => {} })
    const locker = postgres(server.url, { max: 1, onnotice: () => {} })
    t.teardown(() => Promise.all([admin.end(), locker.end()]))
    await locker`begin`
    await locker`lock table activity in access exclusive mode`
    const tally = {
      list: {} as Record<string, number>,
      me: {} as Record<string, number>,
      health: {} as Record<string, number>
    }
    let most = 0
    const end = performance.now() + 60_000
    const during = async (kind: keyof typeof tally, path: string, pause: number) => {
      while (performance.now() < end) {
        const { status } = await call('GET', path, { cookie, timeout: 30_000 })
        tally[kind][status] = (tally[kind][status] ?? 0) + 1
        await sleep(pause)
      }
    }
    const clients = [
      ...Array.from({ length: 40 }, () => during('list', '/api/user/activity', 1)),
      during('me', '/api/auth/me', 100),
      during('health', '/health', 100)
    ]
    while (performance.now() < end) {
      const backends =
        await admin`select 1 from pg_stat_activity where application_name like 'portal%'`
      most = Math.max(most, backends.length)
      await sleep(100)
    }
    await Promise.all(clients)
    t.comment(`${most} backends at most; answers: ${JSON.stringify(tally)}`)
    t.ok(most <= 12, 'the pool, and two for session checks and health')
    t.same(Object.keys(tally.list), ['503'])
    t.same(Object.keys(tally.me), ['200'], 'who is signed in is not touched by the lock')
    t.same(Object.keys(tally.health), ['200'])
    await locker`rollback`
    await until(async () => (await call('GET', '/api/user/activity', { cookie })).status === 200)
  }
)

function processesOf(parent: number) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/stat`, 'utf8')
            .replace(/^.*\) /s, '')
            .split(' ')[1] === String(parent)
        )
      } catch {
        return false
      }
    })
    .map(Number)
}
