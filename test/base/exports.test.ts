import t from 'tap'
import type { Db } from '../../db/engine.ts'
import { ownApp } from '../support/app.ts'
import { aConfirmedCaller } from '../support/mails.ts'
import { appWith } from './own-app.ts'

t.test('the data of a user has a part of the app', async (t) => {
  const app = await appWith(t, {
    exports: {
      orders: async (_db: Db, userId: string) => [{ number: 42, buyer: userId }],
      wishes: async () => undefined
    }
  })
  const { call, user } = await aConfirmedCaller(app)
  const data = await call('GET', '/api/user/export')
  t.equal(data.statusCode, 200)
  t.same(data.json().app, { orders: [{ number: 42, buyer: user.id }], wishes: null })
  t.match(data.json().account, { id: user.id })
})

t.test('it reads from the database of the portal', async (t) => {
  const app = await appWith(t, {
    exports: { me: (db: Db, userId: string) => db.execute(`select '${userId}' as id`) }
  })
  const { call, user } = await aConfirmedCaller(app)
  t.same((await call('GET', '/api/user/export')).json().app, { me: [{ id: user.id }] })
})

t.test('a part that fails is an error, and no incomplete file', async (t) => {
  const app = await appWith(t, { exports: { orders: () => Promise.reject(new Error('secret')) } })
  const { call } = await aConfirmedCaller(app)
  const failed = await call('GET', '/api/user/export')
  t.match(failed.json(), { code: 'internal-error' })
  t.notMatch(failed.body, /secret/)
})

t.test('without an app there is no such part', async (t) => {
  const app = await ownApp(t)
  const { call } = await aConfirmedCaller(app)
  t.notOk('app' in (await call('GET', '/api/user/export')).json())
})
