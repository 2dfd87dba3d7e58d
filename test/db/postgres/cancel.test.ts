// Not on PGlite: it needs several connections.

import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import postgres from 'postgres'
import t from 'tap'
import type { Test } from 'tap'
import { openConnections } from '../../../db/postgres/pool.ts'
import { parseServerUrl } from '../../../db/url.ts'
import { onPglite, testDatabaseUrl, until } from '../../support/app.ts'

/** A database with a locked table and its backends with this name. */
async function lockedTable(t: Test, name: string) {
  const url = await testDatabaseUrl(t)
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  t.teardown(() => admin.end())
  const locker = postgres(url, { max: 1, onnotice: () => {} })
  await locker`begin`
  await locker`lock table users in access exclusive mode`
  t.teardown(() => locker.end())
  const backends = async () => admin`select wait_event_type from pg_stat_activity
    where application_name = ${name} and datname = current_database()`
  return { url, backends, unlock: () => locker`rollback` }
}

const max = 3
const deadline = 300

const kinds = ['statement', 'statement in a transaction', 'statement with others sent after it']
for (const kind of kinds) {
  t.test(
    `a ${kind} that times out is cancelled, so the number of backends never exceeds the pool`,
    {
      skip: onPglite && 'it is in the process'
    },
    async (t) => {
      const { url, backends } = await lockedTable(t, 'cancel test')
      const pool = openConnections(parseServerUrl(url), { max, name: 'cancel test', prepare: true })
      t.teardown(() => pool.close())
      let given = 0
      let most = 0
      const over = new AbortController()
      const clients = Array.from({ length: 3 * max }, async () => {
        while (!over.signal.aborted) {
          const work = pool.use(async ({ send }) => {
            if (kind !== 'statement') await send('begin')
            const waiting = send('select 1 from users where id::text = $1', ['x'], {
              prepare: true
            })
            if (kind !== 'statement with others sent after it') return waiting
            return Promise.all([waiting, send('select 1'), send('select 2')])
          }, deadline)
          await work.catch(() => {
            given++
          })
        }
      })
      await until(async () => {
        most = Math.max(most, (await backends()).length)
        return given > 8 * max
      })
      over.abort()
      await Promise.all(clients)
      t.equal(most, max)
      await until(async () =>
        (await backends()).every((backend) => backend.wait_event_type !== 'Lock')
      )
    }
  )
}

/** A proxy that records when a client cancels a statement and when it ends its connection. */
async function recordingProxy(t: Test, url: string) {
  const events: string[] = []
  const { hostname, port } = new URL(url)
  const proxy = createServer((near) => {
    const far = connect(Number(port), hostname)
    near.once('data', (first) => {
      if (first.readUInt32BE(4) === cancelRequest) events.push('cancel')
      else near.once('end', () => events.push('end'))
    })
    for (const socket of [near, far]) {
      socket
        .on('error', () => {})
        .on('close', () => {
          near.destroy()
          far.destroy()
        })
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.teardown(() => proxy.close())
  const target = new URL(url)
  target.port = String((proxy.address() as AddressInfo).port)
  return { url: target.href, events }
}

/** PostgreSQL 18, 54.7 (CancelRequest). */
const cancelRequest = 80877102

t.test(
  'a statement is cancelled before its connection ends, because PgBouncer then drops the cancel key',
  {
    skip: onPglite && 'it is in the process'
  },
  async (t) => {
    const { url } = await lockedTable(t, 'cancel order test')
    const proxy = await recordingProxy(t, url)
    const pool = openConnections(parseServerUrl(proxy.url), {
      max: 1,
      name: 'cancel order test',
      prepare: true
    })
    t.teardown(() => pool.close())
    for (let i = 0; i < 3; i++) {
      // Connects first, because a statement that was not sent is not cancelled.
      await pool.use(({ send }) => send('select 1'), 60_000)
      await t.rejects(pool.use(({ send }) => send('select 1 from users'), deadline))
    }
    await until(() => Promise.resolve(proxy.events.length === 6))
    t.same(proxy.events, ['cancel', 'end', 'cancel', 'end', 'cancel', 'end'])
  }
)
