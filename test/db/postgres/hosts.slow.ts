import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { Test } from 'tap'
import { openConnections } from '../../../db/postgres/pool.ts'
import { parseServerUrl } from '../../../db/url.ts'
import { onPglite, testDatabaseUrl } from '../../support/app.ts'
import { serverWithRoles } from '../../support/standby.ts'

const max = 6

/** Opens all connections of a pool at once to these hosts. */
async function openAtOnce(t: Test, url: string, hosts: string[]) {
  const { username } = new URL(url)
  const pool = openConnections(
    parseServerUrl(`postgres://${username}@${hosts.join()}/postgres?target_session_attrs=primary`),
    { max, name: 'hosts test', prepare: true }
  )
  t.teardown(() => pool.close())
  return Promise.allSettled(
    Array.from({ length: max }, () => pool.use(({ send }) => send('select pg_sleep(0)'), 10_000))
  )
}

/** A port on which nothing listens. */
async function refusing() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `127.0.0.1:${port}`
}

t.test(
  'connections that open at the same time all find the primary behind a host',
  {
    skip: onPglite && 'it has no hosts'
  },
  async (t) => {
    const url = await testDatabaseUrl(t)
    const primary = new URL(url).host
    const standby = await serverWithRoles(t)
    await standby.becomeStandby()
    const bad = { refuses: await refusing(), 'is a standby': new URL(standby.url).host }
    for (const [how, host] of Object.entries(bad)) {
      const outcomes = await openAtOnce(t, url, [host, primary])
      t.same(
        outcomes.filter(({ status }) => status === 'rejected'),
        [],
        `that ${how}`
      )
    }

    for (const hosts of [
      [bad.refuses, bad['is a standby']],
      [bad['is a standby'], bad.refuses]
    ]) {
      for (const outcome of await openAtOnce(t, url, hosts)) {
        t.match(
          outcome,
          { status: 'rejected', reason: { code: 'ECONNREFUSED' } },
          'without a primary, the error is that of the host that does not answer'
        )
      }
    }
  }
)
