import t from 'tap'
import { actionNames } from '../../../db/schema/actions.ts'
import { mergeRepeated } from '../console/activity/merge-repeated.ts'
import { partsOf, sentenceOf } from '../console/activity/sentences.ts'
import type { ActivityRecord } from '../console/activity/sentences.ts'

const ada = { id: '01a20e3d-ecfe-71a0-979a-cd48002257cf', name: 'Ada', email: 'ada@example.com' }
const grace = { id: '01a20e3d-ecfe-71a0-979a-cd48002257d0', name: 'Grace', email: 'g@example.com' }
const record = (changes: Partial<ActivityRecord>): ActivityRecord => ({
  id: '01a20e3e-4307-7080-903e-3a3c57e1baf5',
  at: '2026-11-24T12:00:00.000Z',
  action: 'user.update',
  outcome: 'success',
  reason: null,
  actorType: 'user',
  actorId: ada.id,
  actorLabel: ada.email,
  targetType: 'user',
  targetId: ada.id,
  ip: null,
  userAgent: null,
  requestId: null,
  sessionId: null,
  source: 'api',
  details: {},
  actor: ada,
  target: ada,
  ...changes
})
const toGrace = { targetId: grace.id, target: grace }
const says = (action: string, ...changes: Partial<ActivityRecord>[]) =>
  sentenceOf(record(Object.assign({ action }, ...changes)))
const billing = { details: { role: 'billing' } }

t.test('who did what to whom is a sentence', async (t) => {
  const clerk = { details: { role: 'clerk', scope: 'org:1', email: grace.email } }
  const org = { targetType: 'scope', targetId: 'org:1', target: null } as const
  const ended = { details: { revoked: 2 } }
  t.equal(says('user.role-grant', toGrace, billing), 'Ada granted the role billing to Grace')
  t.equal(says('scope.role-grant', toGrace, clerk), 'Ada granted the role clerk in org:1 to Grace')
  t.equal(
    says('scope.invite', org, clerk),
    'Ada invited g@example.com to org:1, for the role clerk'
  )
  t.equal(says('user.role-revoke', toGrace, billing), 'Ada revoked the role billing from Grace')
  t.equal(says('auth.login', { targetType: 'session', details: { amr: ['pwd'] } }), 'Ada signed in')
  t.equal(
    says('user.password-set', toGrace, ended),
    'Ada set a password for Grace, which ended 2 sessions'
  )
})

t.test('what people change about themselves does not name them twice', async (t) => {
  t.equal(says('auth.password-change'), 'Ada changed the password')
  t.equal(
    says('user.second-factor', { details: { required: false } }),
    'Ada no longer required the second factor at sign-in'
  )
})

t.test('a change says from what to what, as far as it is recorded', async (t) => {
  const name = { from: 'Ada', to: 'Ada King' }
  t.equal(
    says('user.update', { details: { fields: ['name', 'profile'], changes: { name } } }),
    'Ada changed name from “Ada” to “Ada King” and profile'
  )
  const changes = {
    requiresSecondFactor: { from: false, to: true },
    description: { from: '', to: 'Invoices' }
  }
  const role = { targetType: 'role', targetId: 'billing' } as const
  t.equal(
    says('role.update', role, { details: { fields: Object.keys(changes), changes } }),
    'Ada changed requires second factor from no to yes and description from nothing to “Invoices” of the role billing'
  )
})

const somebody = { actorType: 'anonymous', actorId: null, actorLabel: null, actor: null } as const

t.test('a failure says why', async (t) => {
  const failed = { ...somebody, outcome: 'failure' } as const
  const nobody = { targetType: null, targetId: null, target: null, reason: 'unknown-account' }
  t.equal(
    says('auth.login', failed, toGrace, { reason: 'wrong-password' }),
    'A sign-in as Grace failed: wrong password'
  )
  t.equal(says('auth.login', failed, nobody), 'A sign-in failed: unknown account')
  const often = { reason: 'rate-limited', details: { limit: 'login-pair', count: 31 } }
  t.equal(
    says('throttle.limited', failed, toGrace, often),
    'Too many attempts for Grace were refused, 31 times'
  )
})

t.test('the command line, the portal and people who are gone have names', async (t) => {
  const byCli = { ...somebody, actorType: 'cli', actorLabel: 'root' } as const
  const gone = { target: null, details: { email: grace.email } }
  t.equal(says('user.deactivate', byCli, toGrace), 'root on the command line deactivated Grace')
  t.equal(says('user.delete', toGrace, gone), 'Ada deleted the account of g@example.com')
  t.equal(says('auth.logout', { actor: null, actorLabel: null }), 'A deleted user signed out')
})

t.test('roles and services are called by their keys, and not by their ids', async (t) => {
  const to = { targetId: '01a21bb2-b8d2-707b-b4a2-f0cfe860247b', target: null }
  const role = { ...to, targetType: 'role', details: { key: 'billing' } } as const
  t.equal(says('role.create', role), 'Ada created the role billing')
  const parts = partsOf(record({ ...role, action: 'role.create' }))
  t.ok(parts.some(({ href }) => href === '/roles/billing'))
  const service = { ...to, targetType: 'service', details: { service: 'reporting' } } as const
  t.equal(says('service.create', service), 'Ada created the service reporting')
})

t.test('people, roles and flags lead to their views, and other targets to none', async (t) => {
  const links = (changes: Partial<ActivityRecord>) =>
    partsOf(record(changes)).flatMap(({ href }) => href ?? [])
  t.same(links({ action: 'user.role-grant', ...toGrace, ...billing }), [
    `/users/${ada.id}`,
    '/roles/billing',
    `/users/${grace.id}`
  ])
  const flag = { targetType: 'flag', targetId: 'new-checkout' } as const
  t.same(links({ action: 'flag.update', ...flag }), [`/users/${ada.id}`, '/flags/new-checkout'])
  t.same(
    links({ action: 'flag.update', ...flag, details: { version: 7 } }),
    [`/users/${ada.id}`, '/flags/new-checkout#version-7'],
    'and to what was changed'
  )
  t.same(links({ action: 'flag.delete', ...flag }), [`/users/${ada.id}`], 'it is gone')
  t.same(links({ action: 'permission.delete', targetType: 'permission', targetId: 'a:b' }), [
    `/users/${ada.id}`
  ])
})

t.test('a webhook is called by its host, and leads to its view until it is deleted', async (t) => {
  const webhook = { targetType: 'webhook', targetId: grace.id, target: null } as const
  const update = 'webhook.update'
  const details = { host: 'crm.example.com', fields: ['events'] }
  t.equal(
    says(update, webhook, { details }),
    'Ada changed events of the webhook to crm.example.com'
  )
  const parts = partsOf(record({ ...webhook, action: update, details }))
  t.match(parts.at(-1), { href: `/webhooks/${grace.id}` })
  const gone = partsOf(record({ ...webhook, action: 'webhook.delete', details })).at(-1)
  t.same(gone, { text: 'crm.example.com' })
  t.equal(
    says(update, webhook, { details: { fields: ['state'] } }),
    'Ada changed state of the webhook to the app'
  )
})

t.test('every action has words of its own, and all placeholders are filled', async (t) => {
  for (const action of actionNames) {
    for (const outcome of ['success', 'failure'] as const) {
      const text = says(action, { outcome }, toGrace)
      t.notMatch(text, /[{}]|undefined|null/, action)
      t.notOk(text.includes(action), action)
    }
  }
  t.equal(says('future.action', toGrace), 'Ada: future.action of Grace')
})

t.test('a record of an app is said in the words of the app', async (t) => {
  const shipped = { when: 'an order is shipped' }
  const order = { targetType: 'order' as never, targetId: '42', target: null }
  t.equal(says('order.ship', shipped, order), 'Ada: an order is shipped (order 42)')
  t.equal(says('order.ship', shipped, toGrace), 'Ada: an order is shipped (Grace)')
  t.equal(says('order.ship', shipped), 'Ada: an order is shipped')
})

t.test('consecutive records that say the same become the latest one, with how often', async (t) => {
  const failed = { action: 'auth.login', outcome: 'failure', reason: 'wrong-password' } as const
  const [third, second, first] = ['3', '2', '1'].map((id) => record({ ...failed, id, ip: '::1' }))
  const elsewhere = record({ ...failed, id: '0', ip: '::2' })
  const other = record({ action: 'auth.logout', id: 'other' })
  t.match(mergeRepeated([third!, second!, elsewhere, other, first!]), [
    { id: '3', times: 2 },
    { id: '0', times: undefined },
    { id: 'other', times: undefined },
    { id: '1', times: undefined }
  ])
  t.equal(second && 'times' in second, false, 'what was loaded is not changed')
})
