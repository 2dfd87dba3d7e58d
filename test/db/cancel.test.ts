import postgres from 'postgres'
import t from 'tap'
import type { Test } from 'tap'
import { openConnections } from '../../db/connections.ts'
import { parseServerUrl } from '../../db/url.ts'
import { onPglite, testDatabaseUrl, until } from '../helpers.ts'

/** A database with a locked table, and the backends of this name that are in it. */
async function lockedTable (t: Test, name: string) {
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

for (const kind of ['statement', 'statement in a transaction']) {
  t.test(`a ${kind} that is given up is cancelled: there are never more backends than the pool has`, {
    skip: onPglite && 'it is in the process'
  }, async (t) => {
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
          return send('select 1 from users where id::text = $1', ['x'], { prepare: true })
        }, deadline)
        await work.catch(() => { given++ })
      }
    })
    await until(async () => {
      most = Math.max(most, (await backends()).length)
      return given > 8 * max
    })
    over.abort()
    await Promise.all(clients)
    t.equal(most, max)
    await until(async () => (await backends()).every((backend) => backend.wait_event_type !== 'Lock'))
  })
}
