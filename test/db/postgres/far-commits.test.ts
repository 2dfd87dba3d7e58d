// Not on PGlite: it is in the process.

import { drizzle } from 'drizzle-orm/postgres-js'
import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { facade } from '../../../db/postgres/engine.ts'
import { openConnections } from '../../../db/postgres/pool.ts'
import { jobs } from '../../../db/schema/jobs.ts'
import { parseServerUrl } from '../../../db/url.ts'
import { onPglite, testDatabaseUrl } from '../../support/app.ts'
import { delayingProxy } from '../../support/delaying-proxy.ts'

t.test(
  'a change whose COMMIT is under way at the deadline is not reported as failed',
  { skip: onPglite && 'it is in the process' },
  async (t) => {
    const url = await testDatabaseUrl(t)
    const way = await delayingProxy(t, url)
    const settings = { max: 1, name: 'portal test', prepare: true }
    const connections = openConnections(parseServerUrl(way.url), settings)
    t.teardown(() => connections.close())
    const near = await openDatabase(url)
    t.teardown(() => near.close())
    await near.db.delete(jobs)
    const db = drizzle({
      client: facade(connections, { statement: 6000, transaction: 2000 }, true)
    })
    const insert = (name: string) =>
      db.transaction((tx) => tx.insert(jobs).values({ name, beganAt: new Date() }))
    await insert('prepares the statement')
    way.move(800)
    await insert('far') // BEGIN, INSERT and COMMIT take 2.4 s
    t.equal(await near.db.$count(jobs), 2)

    // A transaction that is not being committed ends at the deadline.
    const longer = db.transaction(async (tx) => {
      await tx.insert(jobs).values({ name: 'one', beganAt: new Date() })
      await tx.insert(jobs).values({ name: 'two', beganAt: new Date() })
      await tx.insert(jobs).values({ name: 'three', beganAt: new Date() })
    })
    await t.rejects(longer, { code: 'DATABASE_TIMEOUT' })
    t.equal(await near.db.$count(jobs), 2)
  }
)
