// Also on PGlite.

import { mock } from 'node:test'
import t from 'tap'
import { flagEvaluations } from '../../../../db/schema/flags.ts'
import { buildApp } from '../../../../src/app.ts'
import { flushInterval } from '../../../../src/domain/flags/evaluation-counts.ts'
import { createFlag } from '../../../../src/domain/flags/flags.ts'
import { aCaller, operator, ownApp, testDatabase, until } from '../../../support/app.ts'
import { aFlag } from '../../../support/flags.ts'
import { testConfig } from '../../../support/test-config.ts'

const evenSplit = {
  split: [
    { variant: 'on', weight: 50_000 },
    { variant: 'off', weight: 50_000 }
  ]
}

/** An instance on a database that stays open when it closes, and a caller of OFREP. */
async function anInstance() {
  const database = await testDatabase(t)
  const app = buildApp(testConfig(), { database: { ...database, close: async () => {} } })
  await app.ready()
  const ask = (key?: string, context: object = {}, headers = {}) =>
    app.inject({
      method: 'POST',
      url: `/ofrep/v1/evaluate/flags${key === undefined ? '' : `/${key}`}`,
      headers,
      payload: { context }
    })
  const stored = async () => {
    const rows = await database.db.select().from(flagEvaluations)
    return rows
      .map(({ flagKey, variant, kind, count }) => `${flagKey} ${variant} ${kind} ${count}`)
      .toSorted()
  }
  return { app, db: database.db, ask, stored }
}

t.test(
  'what apps get is counted once a minute, and at the latest when an instance ends',
  async (t) => {
    mock.timers.enable({ apis: ['setInterval'] })
    t.teardown(() => mock.timers.reset())
    const { app, db, ask, stored } = await anInstance()
    await createFlag(db, operator, aFlag({ key: 'plain', public: true }))
    await createFlag(
      db,
      operator,
      aFlag({ key: 'split', public: true, rules: [{ when: {}, serve: evenSplit }] })
    )
    t.equal((await ask('plain')).statusCode, 200)
    t.equal((await ask('split')).statusCode, 400, 'the targeting key is missing')
    const { headers } = await ask()
    t.same(await stored(), [], 'not on the request path')
    mock.timers.tick(flushInterval)
    await until(async () => (await stored()).length === 4)
    const first = ['plain off bulk 1', 'plain off single 1', 'split  bulk 1', 'split  single 1']
    t.same(await stored(), first)

    t.equal((await ask(undefined, {}, { 'if-none-match': headers.etag })).statusCode, 304)
    t.equal((await ask('plain')).statusCode, 200)
    await app.close()
    t.same(await stored(), first.with(1, 'plain off single 2'), 'a 304 sends no value')
  }
)

t.test('trials, and lists of the admin API, are no evaluations', async (t) => {
  const { app, db, stored } = await anInstance()
  await createFlag(db, operator, aFlag({ key: 'plain', public: true }))
  const { call, user } = await aCaller(app, 'admin')
  for (const response of [
    await call('POST', '/api/admin/flags/evaluate', { key: 'plain', sample: 10 }),
    await call('GET', '/api/admin/flags'),
    await call('GET', `/api/admin/users/${user.id}/flags`)
  ]) {
    t.equal(response.statusCode, 200)
  }
  await app.close()
  t.same(await stored(), [])
})

t.test('made-up keys of callers and of flags make no rows', async (t) => {
  const { app, db, ask, stored } = await anInstance()
  await createFlag(
    db,
    operator,
    aFlag({ key: 'split', public: true, rules: [{ when: {}, serve: evenSplit }] })
  )
  await createFlag(db, operator, aFlag({ key: 'hidden' }))
  for (let n = 0; n < 8; n++) {
    const targetingKey = `user-${n}`
    t.equal((await ask('split', { targetingKey })).statusCode, 200)
    t.equal((await ask(undefined, { targetingKey })).statusCode, 200)
    t.equal((await ask(`no-flag-${n}`, { targetingKey })).statusCode, 404)
    t.equal((await ask('hidden', { targetingKey })).statusCode, 404)
  }
  await app.close()
  const rows = (await stored()).map((row) => row.replace(/\d+$/, ''))
  t.same(rows, ['split off bulk ', 'split off single ', 'split on bulk ', 'split on single '])
})

t.test('the evaluations of a flag are read over the admin API', async (t) => {
  const { app: writer, db, ask } = await anInstance()
  const { key } = await createFlag(db, operator, aFlag({ public: true }))
  await ask(key)
  const app = await ownApp(t, {}, { ...writer.database })
  await writer.close()
  const { call } = await aCaller(app, 'admin')
  const url = `/api/admin/flags/${key}/evaluations`
  const read = (await call('GET', url)).json()
  t.equal(read.days.length, 30)
  t.same(
    read.variants.map(({ variant }: { variant: string }) => variant),
    ['off']
  )
  t.equal(read.variants[0].single.at(-1), 1)
  t.equal((await call('GET', `${url}?days=90`)).json().days.length, 90)
  for (const days of ['0', '91', 'x']) {
    t.match((await call('GET', `${url}?days=${days}`)).json(), {
      errors: [{ pointer: '/query/days' }]
    })
  }
  t.match((await call('GET', '/api/admin/flags/no-such-flag/evaluations')).json(), {
    status: 404,
    code: 'flag-not-found'
  })
})
