import { sql } from 'drizzle-orm'
import t from 'tap'
import { aCaller, ownApp } from '../support/app.ts'
import { captureLog } from '../support/log-capture.ts'
import { freePort } from '../support/postgres.ts'
import { schemaFile, settingsOf } from '../support/settings.ts'

t.test('values of settings are in no log, error, record, metric or mail', async (t) => {
  const canary = 'canary-4711'
  const { log, output } = captureLog('trace')
  const METRICS_PORT = await freePort()
  const changes = { settingsSchemas: settingsOf(t, schemaFile), METRICS_PORT }
  const app = await ownApp(t, changes, undefined, log)
  const { call, user } = await aCaller(app, 'admin')
  const url = '/api/user/settings'
  const stored = await call('PATCH', url, { note: canary })
  t.match(stored.json(), { note: canary }, 'only its own answer has it')
  const refusals = [
    await call('PATCH', url, { startPage: canary }),
    await call('PATCH', url, { [canary]: canary }),
    await call('PUT', url, { note: `${canary}\0` }),
    await call('PATCH', `/api/admin/users/${user.id}/app-settings`, { plan: canary }),
    await call('PATCH', url, { note: canary }, { 'if-match': '"7"' })
  ]
  t.same(
    refusals.map(({ statusCode }) => statusCode),
    [400, 400, 400, 400, 412]
  )
  for (const { body } of refusals) t.notMatch(body, canary)
  const metrics = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
  t.match(metrics, 'portal_settings_rejected_total{part="user"} 0')
  t.notMatch(metrics, canary)
  t.match(output(), '/api/user/settings')
  t.notMatch(output(), canary)
  for (const table of ['activity', 'outbox', 'sessions', 'throttle']) {
    const found = sql`select count(*)::int as count from ${sql.identifier(table)} as row
      where row::text like ${`%${canary}%`}`
    t.match(await app.db.execute(found), [{ count: 0 }], table)
  }
})
