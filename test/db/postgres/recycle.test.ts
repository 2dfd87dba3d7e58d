// Not on PGlite: it needs several connections.

import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import t from 'tap'
import { openConnections } from '../../../db/postgres/pool.ts'
import { databaseCode } from '../../../db/errors.ts'
import { parseServerUrl } from '../../../db/url.ts'
import { onPglite, testDatabaseUrl } from '../../support/app.ts'

t.test(
  'a connection past its lifetime is replaced within the connection limit of the role',
  {
    skip: onPglite && 'it has one connection'
  },
  async (t) => {
    const url = await testDatabaseUrl(t)
    const role = `limited_${randomBytes(6).toString('hex')}`
    const admin = postgres(url, { max: 1, onnotice: () => {} })
    await admin.unsafe(`create role ${role} login connection limit 4`)
    const limited = new URL(url)
    limited.username = role
    const pools = ['a', 'b'].map((name) =>
      openConnections(parseServerUrl(limited.href), { max: 2, name, prepare: true, lifetime: 1 })
    )
    t.teardown(async () => {
      await Promise.all(pools.map((pool) => pool.close()))
      await admin.unsafe(`drop role ${role}`)
      await admin.end()
    })
    const outcomes = new Set<string>()
    const pids = new Set<unknown>()
    await Promise.all(
      pools.flatMap((pool) =>
        [0, 1, 2].map(async () => {
          for (let i = 0; i < 8; i++) {
            await pool
              .use(async ({ send }) => {
                const [row] = await send('select pg_backend_pid() as pid, pg_sleep(0.002)')
                pids.add(row?.pid)
              }, 20_000)
              .then(
                () => outcomes.add('done'),
                (error) => outcomes.add(databaseCode(error) ?? String(error))
              )
          }
        })
      )
    )
    t.same(outcomes, new Set(['done']))
    t.ok(pids.size > 30, `${pids.size} connections`)
  }
)
