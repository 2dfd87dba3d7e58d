// Also on PGlite.

import path from 'node:path'
import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { buildApp } from '../../src/app.ts'
import { loadApp } from '../../src/base/load.ts'
import { syncRegistry } from '../../src/domain/access/registry.ts'
import { testDatabase, until } from '../support/app.ts'
import { captureLog } from '../support/log-capture.ts'
import { testConfig } from '../support/test-config.ts'
import { anApp, orders } from './own-migrations.ts'
import type { Texts } from './own-migrations.ts'

async function aServer(t: Test, texts: Texts, migrates: boolean) {
  const database = await testDatabase(t)
  const ownApp = await loadApp(anApp(t, texts))
  const { log, output } = captureLog()
  const app = buildApp(testConfig({ MIGRATE_ON_START: migrates }), {
    database,
    ownApp,
    logger: log
  })
  t.teardown(() => app.close())
  return { app, ownApp, output }
}

t.test('an instance is not ready while the database lacks migrations of its app', async (t) => {
  const { app, ownApp, output } = await aServer(t, { '0000_orders': orders }, false)
  await app.ready()
  const health = await app.inject('/health')
  t.equal(health.statusCode, 503)
  t.same(health.json(), { status: 'unavailable', reason: 'migrations' })
  await until(() => output().includes('app/0000_orders'))
  t.match(output(), `run portal migrate --app ${ownApp.folder}`)
  await app.database.migrate(syncRegistry)
  await until(async () => (await app.inject('/health')).statusCode === 200)
})

t.test('a start with MIGRATE_ON_START applies the migrations of the app', async (t) => {
  const { app } = await aServer(t, { '0000_orders': orders }, true)
  await app.ready()
  t.equal((await app.inject('/health')).statusCode, 200)
  await t.resolves(app.db.execute(sql`select 1 from app.orders`))
})

t.test('a start with MIGRATE_ON_START stops at a migration that is refused', async (t) => {
  const reaching = 'ALTER TABLE "users" ADD COLUMN "nickname" text;'
  const { app, ownApp } = await aServer(t, { '0000_reach': reaching }, true)
  const file = path.join(ownApp.folder, 'migrations/0000_reach.sql')
  await t.rejects(async () => app.ready(), {
    name: 'AppError',
    message: `${file} changes table users`
  })
})
