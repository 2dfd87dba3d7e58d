import t from 'tap'
import { aConfirmedCaller } from '../support/mails.ts'
import { withoutSlack } from '../support/slack.ts'
import { appWith } from './own-app.ts'

t.test('a part of the app that hangs ends the export after five seconds', async (t) => {
  withoutSlack(t)
  const app = await appWith(t, { exports: { orders: () => new Promise(() => {}) } })
  const { call } = await aConfirmedCaller(app)
  const refused = await call('GET', '/api/user/export')
  t.match(refused.json(), { status: 500, code: 'internal-error' })
})
