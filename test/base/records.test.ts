import { v7 as uuid } from 'uuid'
import t from 'tap'
import type { Test } from 'tap'
import type { Config } from '../../src/config/config.ts'
import { dropUndeclared, droppedDetails } from '../../src/domain/vocabulary.ts'
import { aCaller, activityOf, anonymous, ownApp, testDatabase } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { aConfirmedCaller } from '../support/mails.ts'
import { appWith, recordOwn } from './own-app.ts'

const definition = {
  actions: {
    'parcel.ship': {
      when: 'a parcel is shipped',
      details: { carrier: 'string', weight: 'number', fragile: 'boolean', stops: 'string[]' }
    },
    'parcel.lose': { when: 'a parcel is lost' }
  },
  targets: ['parcel']
} as const

const given = { carrier: 'Post', weight: 1.5, fragile: true, stops: ['Bern', 'Basel'] }

/** An application whose route records what it is sent as details. */
async function aShop(t: Test, config: Partial<Config> = {}) {
  t.teardown(() => dropUndeclared(false))
  return appWith(t, definition, {
    config,
    async routes(app) {
      app.post('/parcels/:id', {
        config: { access: 'session' },
        schema: {
          operationId: 'ship',
          params: { type: 'object', properties: { id: { type: 'string' } } },
          body: { type: 'object' },
          response: { 204: { type: 'null', description: 'Shipped' } }
        },
        async handler(request) {
          const { id } = request.params as { id: string }
          await app.db.transaction((tx) =>
            recordOwn(tx, request.actor, 'parcel.ship', {
              target: { type: 'parcel', id },
              details: request.body
            })
          )
        }
      })
    }
  })
}

t.test('a record of the app is found by its action, and says when it is written', async (t) => {
  const app = await aShop(t)
  const { call, user } = await aCaller(app)
  t.equal((await call('POST', '/api/parcels/42', given)).statusCode, 204)
  const admin = await aCaller(app, 'admin')
  const listed = await admin.call('GET', '/api/admin/activity?action=parcel.ship')
  t.match(listed.json().items, [
    {
      action: 'parcel.ship',
      when: 'a parcel is shipped',
      targetType: 'parcel',
      targetId: '42',
      details: given,
      actor: { email: user.email }
    }
  ])
  const { id } = listed.json().items[0]
  const one = await admin.call('GET', `/api/admin/activity/${id}`)
  t.match(one.json(), { when: 'a parcel is shipped', details: given })
  const summary = await admin.call(
    'GET',
    '/api/admin/activity/summary?bucket=day&action=parcel.ship'
  )
  t.match(summary.json().items, [{ action: 'parcel.ship', count: 1 }])
  const login = await admin.call('GET', '/api/admin/activity?action=auth.login&limit=1')
  t.notOk('when' in login.json().items[0], 'those of the portal have words of their own')
})

t.test('users see records of the app in their activity and in their data', async (t) => {
  const app = await aShop(t)
  const { call } = await aConfirmedCaller(app)
  await call('POST', '/api/parcels/43', given)
  const shown = {
    action: 'parcel.ship',
    when: 'a parcel is shipped',
    targetId: '43',
    details: given
  }
  t.match((await call('GET', '/api/user/activity')).json().items, [shown, {}])
  const data = await call('GET', '/api/user/export')
  const { activity } = data.json()
  t.match(
    activity.find(({ action }: { action: string }) => action === 'parcel.ship'),
    shown
  )
})

t.test('the document has details and targets of the app', async (t) => {
  const app = await aShop(t)
  const { schemas } = (app.swagger() as never as Document).components
  t.match(schemas.ActivityDetails?.properties, {
    carrier: { type: 'string' },
    weight: { type: 'number' },
    fragile: { type: 'boolean' },
    stops: { type: 'array', items: { type: 'string' } },
    email: { type: 'string' }
  })
  const { targetType } = schemas.LabelledActivityRecord?.properties ?? {}
  t.ok(JSON.stringify(targetType).includes('"parcel"'))
})

interface Document {
  components: { schemas: Record<string, { properties: Record<string, object> }> }
}

t.test('in development, a detail that is not declared is an error', async (t) => {
  const app = await aShop(t)
  const { call } = await aCaller(app)
  const wrong = [{ colour: 'red' }, { weight: 'heavy' }, { carrier: 'x'.repeat(1001) }]
  for (const details of [...wrong, { stops: [1] }]) {
    const refused = await call('POST', '/api/parcels/1', details)
    t.equal(refused.statusCode, 500, JSON.stringify(Object.keys(details)))
    t.notMatch(refused.body, /colour|heavy/)
  }
  const { db } = app
  const recording = (details: object) =>
    db.transaction((tx) => recordOwn(tx, anonymous, 'parcel.ship', { details }))
  await t.rejects(recording({ colour: 'red' }), {
    message: 'parcel.ship has no detail colour. Declare it in defineApp: actions'
  })
  await t.rejects(recording({ weight: 'heavy' }), {
    message: /weight of parcel\.ship is not a number/
  })
  for (const carrier of ['a\0b', 'a\ud800b']) {
    await t.rejects(recording({ carrier }), { message: /carrier of parcel\.ship is not a string/ })
  }
})

t.test('in production, a detail that is not declared is dropped and counted', async (t) => {
  const METRICS_PORT = await freePort()
  const app = await aShop(t, {
    development: false,
    PUBLIC_ORIGIN: 'http://localhost:3000',
    METRICS_PORT
  })
  const id = uuid()
  const before = droppedDetails['parcel.ship'] ?? 0
  await app.db.transaction((tx) =>
    recordOwn(tx, anonymous, 'parcel.ship', {
      target: { type: 'parcel', id },
      details: { carrier: 'Post', colour: 'red', weight: 'heavy' }
    })
  )
  const [record] = await activityOf(app.database, id)
  t.same(record?.details, { carrier: 'Post' })
  const metrics = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
  t.match(metrics, `portal_details_dropped_total{action="parcel.ship"} ${before + 2}\n`)
  t.match(metrics, 'portal_details_dropped_total{action="parcel.lose"} 0')
})

t.test('an action or a target that is not declared is an error', async (t) => {
  const { db } = await testDatabase(t)
  await aShop(t)
  const recording = (action: string, fields: object) =>
    db.transaction((tx) => recordOwn(tx, anonymous, action, fields))
  await t.rejects(recording('parcel.burn', {}), {
    message: 'There is no action parcel.burn. Declare it in defineApp: actions'
  })
  await t.rejects(recording('parcel.lose', { target: { type: 'truck', id: '1' } }), {
    message: 'There is no target truck. Declare it in defineApp: targets'
  })
  await t.resolves(recording('parcel.lose', { target: { type: 'parcel', id: '1' } }))
})

t.test('without an app, records have no other properties than before', async (t) => {
  const app = await ownApp(t)
  const { call } = await aCaller(app)
  const { items } = (await call('GET', '/api/user/activity')).json()
  t.notOk('when' in items[0])
  const { schemas } = (app.swagger() as never as Document).components
  t.notOk('when' in (schemas.ActivityRecord?.properties ?? {}))
})
