import t from 'tap'
import { verifyEmail } from '../../../../src/domain/administration/users.ts'
import { grantRole } from '../../../../src/domain/access/memberships.ts'
import {
  aCaller,
  activityOf,
  aRole,
  aUser,
  callerOf,
  freshEmail,
  operator,
  ownApp,
  password,
  testApp
} from '../../../support/app.ts'
import { testConsole } from '../../../support/console.ts'
import { mailsOf } from '../../../support/mails.ts'
import { plan } from '../../../support/planned-deletions.ts'
import { scenarios } from '../../../support/scenarios.ts'
import { aRequiringRole } from '../../../support/second-factors.ts'

const app = await testApp(t, { DELETION_GRACE_DAYS: 14 })
const { call, user: admin } = await aCaller(app, 'admin')
const mails = mailsOf(app)

const pathOf = ({ id }: { id: string }) => `/api/admin/users/${id}`
const obstaclesOf = async (user: { id: string }) => {
  const response = await call('GET', `${pathOf(user)}/obstacles`)
  return response.json().items as { code: string; until: string | null; by: object | null }[]
}
const codesOf = async (user: { id: string }) => (await obstaclesOf(user)).map(({ code }) => code)
const send = (user: { id: string }, kind: string) => call('POST', `${pathOf(user)}/link`, { kind })

t.test('the API of the console invites, and says that the user has not accepted yet', async (t) => {
  const email = freshEmail()
  const body = { email, name: 'Tim New', link: 'invitation' }
  const invited = (await call('POST', '/api/admin/users', body)).json()
  t.match(await obstaclesOf(invited), [{ code: 'invited', by: { actorId: admin.id } }])
  const [{ until } = { until: null }] = await obstaclesOf(invited)
  const hours = (Date.parse(until ?? '') - Date.now()) / 3_600_000
  t.ok(hours > 71 && hours <= 72, `${hours} hours`)
  const first = await mails.token(email, 'invitation')
  t.equal((await send(invited, 'invitation')).statusCode, 202)
  t.same(await mails.kindsTo(email), ['invitation', 'invitation'])
  t.match(await activityOf(app.database, invited.id), [
    { action: 'user.invite', actorId: admin.id },
    { action: 'user.invite' },
    { action: 'user.create' }
  ])

  const used = await app.inject({
    method: 'POST',
    url: '/api/auth/recovery/confirm',
    payload: { token: first, newPassword: password }
  })
  t.equal(used.statusCode, 204, used.body)
  t.same(await codesOf(invited), [])
  t.match((await send(invited, 'invitation')).json(), { status: 409, code: 'invitation-accepted' })
})

t.test('each reason why a user cannot sign in is named, the newest first', async (t) => {
  const user = await aUser(app.database)
  t.same(await codesOf(user), [])
  const role = await aRequiringRole(app, 'flags:read')
  await grantRole(app.db, operator, { userId: user.id, role })
  t.same(await codesOf(user), ['second-factor-missing'])
  t.equal((await call('PATCH', pathOf(user), { status: 'deactivated' })).statusCode, 200)
  t.match(await obstaclesOf(user), [
    { code: 'deactivated', by: { actorType: 'user', actorLabel: admin.email }, until: null }
  ])
  t.same(await codesOf(user), ['deactivated'], 'which comes before what a link would end')

  const leaving = await aCaller(app)
  await plan(leaving)
  const [planned] = await obstaclesOf(leaving.user)
  t.match(planned, { code: 'deletion-planned', by: { actorId: leaving.user.id } })
  t.ok(planned?.until)

  const plain = (
    await call('POST', '/api/admin/users', { email: freshEmail(), name: 'Ann' })
  ).json()
  t.same(await codesOf(plain), ['no-password'])
  t.equal(
    (await call('GET', '/api/admin/users/0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e/obstacles'))
      .statusCode,
    404
  )
})

t.test('an address that is not confirmed is named where it must be, with a link', async (t) => {
  const strict = await testApp(t, { EMAIL_VERIFICATION: 'required' })
  const ada = await aCaller(strict, 'admin')
  const user = await aUser(strict.database)
  const items = (await ada.call('GET', `${pathOf(user)}/obstacles`)).json().items
  t.match(items, [{ code: 'email-unverified' }])
  const link = `POST ${pathOf(user)}/link` as const
  await scenarios(t, ada.call, [['a link', link, { kind: 'confirm' }, 202]])
  t.same(await mailsOf(strict).kindsTo(user.email), ['confirm'])
  t.match((await activityOf(strict.database, user.id))[0], { action: 'user.confirm-link' })
  await verifyEmail(strict.db, operator, { userId: user.id })
  await scenarios(t, ada.call, [
    ['confirmed', link, { kind: 'confirm' }, 409, 'email-verified'],
    ['no obstacle', `GET ${pathOf(user)}/obstacles`, undefined, 200, { items: [] }]
  ])
})

t.test('wrong passwords that block a user are shown, and reset', async (t) => {
  const limited = await ownApp(t, { THROTTLE_LOGIN_PAIR: { burst: 2, seconds: 600 } })
  const ada = await aCaller(limited, 'admin')
  const user = await aUser(limited.database)
  const attempt = (secret: string) =>
    limited.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: user.email, password: secret }
    })
  const found = async () => (await ada.call('GET', `${pathOf(user)}/obstacles`)).json().items
  await attempt('wrong')
  t.same(await found(), [])
  await attempt('wrong')
  t.equal((await attempt(password)).statusCode, 429)
  const [blocked, ...others] = await found()
  t.match([blocked, others], [{ code: 'too-many-attempts', attempts: 2, by: null }, []])
  const minutes = (Date.parse(blocked.until) - Date.now()) / 60_000
  t.ok(minutes > 8 && minutes <= 10, `${minutes} minutes`)

  const reader = await aCaller(limited, await aRole(limited.database, 'users:read'))
  const reset = `DELETE ${pathOf(user)}/rate-limits` as const
  await scenarios(t, reader.call, [['a reader', reset, undefined, 403, 'permission-denied']])
  const updates = await aRole(limited.database, 'users:update')
  const helper = await aCaller(limited, updates)
  const over = `DELETE ${pathOf(ada.user)}/rate-limits` as const
  await scenarios(t, helper.call, [
    ['with fewer permissions', over, undefined, 403, 'exceeds-own-permissions']
  ])
  t.equal((await ada.call('DELETE', `${pathOf(user)}/rate-limits`)).statusCode, 204)
  t.same(await found(), [])
  t.equal((await attempt(password)).statusCode, 200)
  t.ok(
    (await activityOf(limited.database, user.id)).some(
      ({ action, actorId }) => action === 'throttle.reset' && actorId === ada.user.id
    )
  )
})

t.test('who caused an obstacle is named only for readers of the activity', async (t) => {
  const user = await aUser(app.database)
  await call('PATCH', pathOf(user), { status: 'deactivated' })
  const reader = await callerOf(
    app,
    await aUser(app.database),
    await aRole(app.database, 'users:read')
  )
  const { items } = (await reader.call('GET', `${pathOf(user)}/obstacles`)).json()
  t.match(items, [{ code: 'deactivated', by: null }])
})

t.test(
  'the data of a user are exported by those who may read each part, and recorded',
  async (t) => {
    const { user } = await aCaller(app)
    const all = ['sessions:read', 'keys:read', 'activity:read', 'outbox:read'] as const
    const some = await aCaller(app, await aRole(app.database, 'users:read', ...all.slice(1)))
    const route = `POST ${pathOf(user)}/export` as const
    await scenarios(t, some.call, [
      ['without sessions', route, undefined, 403, 'permission-denied']
    ])
    const reader = await aCaller(app, await aRole(app.database, 'users:read', ...all))
    const exported = await reader.call('POST', `${pathOf(user)}/export`)
    t.equal(exported.statusCode, 200, exported.body)
    t.match(exported.json(), { account: { email: user.email }, sessions: [{ userId: user.id }] })
    t.match((await activityOf(app.database, user.id))[0], {
      action: 'user.export',
      actorId: reader.user.id
    })
  }
)

t.test('the console of an operator invites and exports with --write', async (t) => {
  for (const canWrite of [true, false]) {
    const console = await testConsole(t, {
      canWrite,
      MAIL_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'portal@example.com',
      ACCOUNT_URL: 'https://portal.example.com'
    })
    const options = (await console.call('GET', '/api/auth/options')).json()
    t.match(options, { passwordReset: true, registration: 'closed' })
    const body = { email: freshEmail(), name: 'Tim New', link: 'invitation' }
    const made = await console.call('POST', '/api/admin/users', body)
    t.equal(made.statusCode, canWrite ? 201 : 403, made.body)
    if (!canWrite) continue
    const { id } = made.json()
    t.match((await console.call('GET', `/api/admin/users/${id}/obstacles`)).json(), {
      items: [{ code: 'invited', by: { actorType: 'cli', actorLabel: 'ada' } }]
    })
    const exported = await console.call('POST', `/api/admin/users/${id}/export`)
    t.match(exported.json(), { account: { id } })
  }
})
