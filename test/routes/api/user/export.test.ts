import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../../../db/schema/activity.ts'
import { sessions } from '../../../../db/schema/sessions.ts'
import { users } from '../../../../db/schema/users.ts'
import { aCaller, activityOf, aUser, ownApp } from '../../../support/app.ts'
import { aConfirmedCaller, confirmed, mailsOf } from '../../../support/mails.ts'
import { aScopedRole, freshScope, granted } from '../../../support/scopes.ts'
import { anAppFor, letProofsAge } from '../../../support/second-factors.ts'

const app = await ownApp(t, { THROTTLE_EXPORT: { burst: 3, seconds: 3600 } })
const exported = async ({ call }: Pick<Awaited<ReturnType<typeof aCaller>>, 'call'>) =>
  call('GET', '/api/user/export')

t.test('a user gets a file with what is kept about them, without secrets', async (t) => {
  const { user, call } = await aConfirmedCaller(app)
  const mails = mailsOf(app)
  const response = await exported({ call })
  t.equal(response.statusCode, 200)
  t.equal(response.headers['content-disposition'], 'attachment; filename="account.json"')
  t.match(response.headers['content-type'], /^application\/json/)
  const file = response.json()
  t.match(file, {
    account: { id: user.id, email: user.email, name: user.name, profile: {}, roles: ['user'] },
    factors: { secondFactor: false, passkeys: [], providers: [] },
    sessions: [{ current: true }],
    keys: []
  })
  t.ok(file.activity.some(({ action }: { action: string }) => action === 'user.export'))
  const [stored] = await app.db.select().from(users).where(eq(users.id, user.id))
  t.ok(stored?.passwordHash && !response.body.includes(stored.passwordHash))
  t.same(
    (await activityOf(app.database, user.id)).filter(({ action }) => action === 'user.export')
      .length,
    1
  )
  t.ok((await mails.kindsTo(user.email)).includes('export-made'))
})

t.test('the file names the scopes of a user and invitations to a confirmed address', async (t) => {
  const role = await aScopedRole(app.database, 'members:manage')
  const [one, two] = [freshScope(), freshScope()]
  const [boss, user] = [await aConfirmedCaller(app), await aConfirmedCaller(app)]
  for (const scope of [one, two]) await granted(app.database, boss.user, scope, role)
  await granted(app.database, user.user, one, role)
  const invitation = { email: user.user.email, role }
  await boss.call('POST', `/api/scopes/${two}/invitations`, invitation)
  const file = (await exported(user)).json()
  t.same(file.scopes, [{ scope: one, roles: [role] }])
  t.match(file.invitations, [{ scope: two, role }])
  t.notMatch(JSON.stringify(file), boss.user.id)
  const { body } = await exported(boss)
  t.match(body, 'scope.invite')
  t.notMatch(body, user.user.email, 'the inviter gets no address of others')

  await app.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, user.user.id))
  t.same((await exported(user)).json().invitations, [], 'not the mailbox of a squatter')
})

t.test('it takes a recent authentication, with a second factor where there is one', async (t) => {
  const { user, call } = await aCaller(app)
  await letProofsAge(app, user)
  t.match((await exported({ call })).json(), { status: 403, code: 'reauthentication-required' })
  const other = await aCaller(app)
  await anAppFor(app, other.user)
  t.match((await exported(other)).json(), { status: 403, code: 'reauthentication-required' })
})

t.test('three are possible at once, and refusals do not count', async (t) => {
  const { user, call } = await aCaller(app)
  const four = async () => Promise.all([1, 2, 3, 4].map(() => exported({ call })))
  await letProofsAge(app, user)
  for (const { statusCode } of await four()) t.equal(statusCode, 403)
  await app.db
    .update(sessions)
    .set({ createdAt: sql`now()` })
    .where(eq(sessions.userId, user.id))
  t.same((await four()).map(({ statusCode }) => statusCode).sort(), [200, 200, 200, 429])
})

t.test('an export counts once, however often its transaction is repeated', async (t) => {
  const { call } = await aCaller(app)
  const { db } = app
  const { transaction } = db
  t.teardown(() => (db.transaction = transaction))
  let conflicts = 3
  db.transaction = (work, config) =>
    transaction.call(
      db,
      async (tx) => {
        const result = await work(tx)
        if (conflicts-- > 0) throw Object.assign(new Error('conflict'), { code: '40001' })
        return result
      },
      config
    ) as never
  t.equal((await exported({ call })).statusCode, 200)
  t.ok(conflicts < 0)
})

t.test('HEAD exports nothing', async (t) => {
  const { user, call } = await aCaller(app)
  t.equal((await call('HEAD', '/api/user/export')).statusCode, 405)
  t.notOk((await activityOf(app.database, user.id)).some(({ action }) => action === 'user.export'))
})

t.test('the file of an administrator has no id and no address of anybody else', async (t) => {
  const admin = await aCaller(app, 'admin')
  const other = await aUser(app.database)
  await confirmed(app.database, other)
  await admin.call('PUT', `/api/admin/users/${other.id}/roles/admin`)
  await admin.call('PATCH', `/api/admin/users/${other.id}`, { name: 'Tim' })
  await admin.call('DELETE', `/api/admin/users/${other.id}`)
  const colleague = await aCaller(app, 'admin')
  await colleague.call('PATCH', `/api/admin/users/${admin.user.id}`, { name: 'Grace' })
  const { body } = await exported(admin)
  const actions = JSON.parse(body).activity.map(({ action }: { action: string }) => action)
  for (const action of ['user.role-grant', 'user.update', 'user.delete']) {
    t.ok(actions.includes(action), action)
  }
  for (const { id, email } of [other, colleague.user]) {
    t.notOk(body.includes(id))
    t.notOk(body.includes(email))
  }
})

t.test('a long activity is read in pages, each record once', async (t) => {
  const { user, call } = await aCaller(app)
  await app.db.execute(sql`insert into ${activity}
    (id, at, action, outcome, actor_type, actor_id, source, details)
    select gen_random_uuid(), now() - n * interval '1 minute', 'auth.login', 'success', 'user',
      ${user.id}::uuid, 'api', '{}' from generate_series(1, 1200) n`)
  const { activity: records } = (await exported({ call })).json()
  t.ok(records.length > 1200)
  t.equal(new Set(records.map(({ id }: { id: string }) => id)).size, records.length)
})
