import { eq } from 'drizzle-orm'
import t from 'tap'
import { tokens } from '../../../../db/schema/tokens.ts'
import { grantRole } from '../../../../src/domain/access/memberships.ts'
import {
  aCaller,
  activityOf,
  aRole,
  aUser,
  cookieOf,
  operator,
  password,
  signedIn,
  ownApp,
  testApp
} from '../../../support/app.ts'
import { keyCaller } from '../../../support/keys.ts'
import { aConfirmedCaller, mailsOf } from '../../../support/mails.ts'
import { letPass, plan, signIn, stateOf } from '../../../support/planned-deletions.ts'

const app = await testApp(t, { DELETION_GRACE_DAYS: 14 })
const mails = mailsOf(app)
const me = async (cookie: string) =>
  (await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode
const actionsOn = async ({ id }: { id: string }) =>
  (await activityOf(app.database, id)).map(({ action }) => action)

t.test(
  'a planned deletion ends the sessions, and is mailed with its date and a link',
  async (t) => {
    const { call, user, cookie } = await aConfirmedCaller(app)
    const other = await signedIn(app, user.email)
    const before = Date.now()
    const response = await call('POST', '/api/user/deletion', { currentPassword: password })
    t.equal(response.statusCode, 202)
    t.match(response.headers['set-cookie'], [
      /^portal_session=; Max-Age=0;/,
      /^portal_device=; Max-Age=0;/
    ])
    const { deleteAt } = response.json() as { deleteAt: string }
    const days = (new Date(deleteAt).getTime() - before) / 86_400_000
    t.ok(days > 13.9 && days < 14.1, `${days} days`)
    t.same([await me(cookie), await me(other)], [401, 401])
    t.same(await stateOf(app, user), { status: 'deactivated', deleteAt: new Date(deleteAt) })
    t.match(await activityOf(app.database, user.id), [
      { action: 'user.deletion-plan', actorId: user.id, details: { revoked: 2 } }
    ])

    const mail = await mails.newest(user.email, 'deletion-planned')
    const date = new Date(deleteAt).toLocaleDateString('en', {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC'
    })
    t.ok(mail.text.includes(date), mail.text)
    t.match(mail.text, /\/account\/restore\?token=/)
    const [link] = await app.db.select().from(tokens).where(eq(tokens.userId, user.id))
    t.match(link, { purpose: 'restore', expiresAt: new Date(deleteAt) })
  }
)

t.test('API keys stop with the plan, and work again after it is cancelled', async (t) => {
  const creator = await aRole(app.database, 'keys:create')
  const { call, user } = await aConfirmedCaller(app, creator)
  const created = await call('POST', '/api/user/keys', { name: 'Job' })
  const { me } = keyCaller(app, (created.json() as { secret: string }).secret)
  t.equal((await me()).statusCode, 200)
  await plan({ call })
  t.equal((await me()).statusCode, 401)
  await signIn(app, user.email, { restore: true })
  t.equal((await me()).statusCode, 200)
})

t.test('only the right password tells that a deletion is planned', async (t) => {
  const { call, user } = await aConfirmedCaller(app)
  const deleteAt = await plan({ call })
  const wrong = await signIn(app, user.email, { password: 'wrong horse battery' })
  const unknown = await signIn(app, 'nobody@example.com')
  t.match(wrong.json(), { status: 401, code: 'invalid-credentials' })
  const { instance, ...visible } = wrong.json() as { instance: string }
  t.match(unknown.json(), visible, 'as for an unknown address')

  const right = await signIn(app, user.email)
  t.match(right.json(), { status: 403, code: 'deletion-pending', deleteAt })
  t.equal(right.headers['set-cookie'], undefined)
  t.match(
    (await activityOf(app.database, user.id)).find(({ outcome }) => outcome === 'failure'),
    { action: 'auth.login', reason: 'deletion-pending' }
  )
  const restoring = await signIn(app, user.email, { password: 'wrong', restore: true })
  t.match(restoring.json(), { status: 401, code: 'invalid-credentials' })
  t.match(await stateOf(app, user), { status: 'deactivated', deleteAt: new Date(deleteAt) })
})

t.test('signing in with `restore` restores the account', async (t) => {
  const { call, user } = await aConfirmedCaller(app)
  await plan({ call })
  const response = await signIn(app, user.email, { restore: true })
  t.match(response.json(), { user: { id: user.id, status: 'active' } })
  t.equal(await me(cookieOf(response)), 200)
  t.same(await stateOf(app, user), { status: 'active', deleteAt: null })
  t.same((await actionsOn(user)).slice(0, 2), ['user.deletion-cancel', 'user.deletion-plan'])
  t.ok((await mails.kindsTo(user.email)).includes('deletion-cancelled'))
  const token = await mails.token(user.email, 'deletion-planned')
  const late = await app.inject({ method: 'POST', url: '/api/auth/restore', payload: { token } })
  t.match(late.json(), { code: 'invalid-token' }, 'the link of the mail is used up')
})

t.test('`restore` changes nothing for anybody else', async (t) => {
  const { user } = await aCaller(app)
  t.equal((await signIn(app, user.email, { restore: true })).statusCode, 200)
  t.notOk((await actionsOn(user)).includes('user.deletion-cancel'))
})

t.test('a date that has passed does not keep anybody from restoring', async (t) => {
  const { call, user } = await aConfirmedCaller(app)
  await plan({ call })
  await letPass(app, user)
  t.equal((await signIn(app, user.email, { restore: true })).statusCode, 200)
})

t.test('the last administrator cannot plan, and one of two who has planned is none', async (t) => {
  const app = await ownApp(t, { DELETION_GRACE_DAYS: 1 })
  const first = await aCaller(app, 'admin')
  const refused = () => first.call('POST', '/api/user/deletion', { currentPassword: password })
  t.match((await refused()).json(), { status: 409, code: 'last-admin' })
  const second = await aCaller(app, 'admin')
  await plan(second)
  t.match((await refused()).json(), { status: 409, code: 'last-admin' })
  const third = await aUser(app.database)
  await grantRole(app.db, operator, { userId: third.id, role: 'admin' })
  await plan(first)
})
