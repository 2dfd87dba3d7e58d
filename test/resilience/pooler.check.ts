import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { syncRegistry } from '../../src/domain/access/registry.ts'
import { clean, startPostgres } from '../support/postgres.ts'
import { publicFolder, startInstance } from './instances.ts'
import { caller, people } from './people.ts'
import { startPgbouncer } from './pgbouncer.ts'

t.test(
  'two hundred clients share five connections through PgBouncer in transaction mode: nothing fails or is lost',
  async (t) => {
    const folder = path.join(publicFolder(t), 'postgres')
    const server = await startPostgres(folder)
    t.teardown(() => clean(folder))
    const pooler = await startPgbouncer(folder, server)
    t.teardown(pooler.stop)

    const through = await openDatabase(pooler.url, { prepare: false })
    await t.rejects(through.migrate(syncRegistry), /PostgreSQL itself in MIGRATION_DATABASE_URL/)
    await through.close()
    const database = await openDatabase(pooler.url, { prepare: false, migrationUrl: server })
    await database.migrate(syncRegistry)
    await database.close()
    const env = { DATABASE_URL: pooler.url, DATABASE_PREPARE: 'false', DATABASE_POOL_MAX: '46' }
    const instances = await Promise.all([0, 1, 2, 3].map(() => startInstance(t, env)))
    await Promise.all(instances.map((instance) => instance.ready()))
    const { call, close } = caller(() => instances[Math.floor(Math.random() * 4)]?.port ?? 0)
    t.teardown(close)
    // Enough concurrency for every instance to open all of its connections.
    await Promise.all(
      Array.from({ length: 800 }, (_, i) =>
        call('POST', '/api/auth/login', {
          body: { email: `nobody-${i}@example.com`, password: 'correct horse battery' }
        })
      )
    )
    const crowd = people(call, 200, { changes: 1000, apart: 200 }) // more slowly than hashing would reject them
    const seen = { clients: 0, servers: 0 }
    for (let i = 0; i < 240; i++) {
      const now = await pooler.connections()
      seen.clients = Math.max(seen.clients, now.clients)
      seen.servers = Math.max(seen.servers, now.servers)
      await sleep(250)
    }
    await crowd.stop()

    t.comment(
      `${seen.clients} clients over ${seen.servers} connections; ${crowd.acknowledged()} registered; answers: ${JSON.stringify(crowd.tally)}`
    )
    t.ok(seen.clients > 150 && seen.clients <= 200)
    t.equal(seen.servers, 5)
    t.same(
      Object.keys(crowd.tally).filter((status) => !['200', '201', '204'].includes(status)),
      []
    )
    t.same(await crowd.missing(call), [])
  }
)
