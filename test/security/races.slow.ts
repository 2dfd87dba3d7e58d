import { and, eq, isNull } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../db/schema/activity.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { hasActiveAdmin } from '../../src/domain/access/last-admin.ts'
import { aCaller, aUser, freshEmail, password, signedIn, ownApp } from '../support/app.ts'

const app = await ownApp(t, {
  THROTTLE_LOGIN_PAIR: { burst: 1000, seconds: 1 },
  THROTTLE_PASSWORD: { burst: 1000, seconds: 1 },
  THROTTLE_REGISTER: { burst: 1000, seconds: 1 },
  THROTTLE_MAIL_ADDRESS: { burst: 1000, seconds: 1 }
})
const fifty = <T>(make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 50 }, (_, i) => make(i)))
const count = (answers: { statusCode: number }[], status: number) =>
  answers.filter(({ statusCode }) => statusCode === status).length
const live = (userId: string) =>
  app.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt)))
const login = (email: string, secret = password) =>
  app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password: secret } })
const me = async (cookie: string) =>
  (await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode
/** Retries attempts that are rejected because too many hashes run. */
async function insist<T extends { statusCode: number }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer.statusCode !== 503) return answer
  }
}

t.test('only one of fifty concurrent registrations of an address creates an account', async (t) => {
  const email = freshEmail()
  const answers = await fifty(() =>
    insist(() =>
      app.inject({
        method: 'POST',
        url: '/api/auth/register',
        payload: { email, password, name: 'Ada' }
      })
    )
  )
  t.same([count(answers, 201), count(answers, 409)], [1, 49])
})

t.test('fifty concurrent logins leave the maximum number of sessions', async (t) => {
  const { id, email } = await aUser(app.database)
  t.equal(count(await fifty(() => insist(() => login(email))), 200), 50)
  t.equal((await live(id)).length, 20)
})

t.test('fifty concurrent logouts end a session once', async (t) => {
  const { call, user } = await aCaller(app)
  t.equal(count(await fifty(() => call('POST', '/api/auth/logout')), 204), 50)
  const records = await app.db
    .select()
    .from(activity)
    .where(and(eq(activity.actorId, user.id), eq(activity.action, 'auth.logout')))
  t.equal(records.length, 1)
})

t.test(
  'only one of fifty concurrent password changes succeeds, and only its session remains',
  async (t) => {
    const { call, user } = await aCaller(app)
    const other = await signedIn(app, user.email)
    const answers = await fifty((i) =>
      call('PUT', '/api/user/password', {
        currentPassword: password,
        newPassword: `horse battery number ${i}`
      })
    )
    t.equal(count(answers, 204), 1)
    const winner = answers.findIndex(({ statusCode }) => statusCode === 204)
    t.same(
      [
        (await insist(() => login(user.email, `horse battery number ${winner}`))).statusCode,
        (await insist(() => login(user.email))).statusCode,
        await me(other)
      ],
      [200, 401, 401]
    )
  }
)

t.test('no login with the old password survives an acknowledged password change', async (t) => {
  const { call, user } = await aCaller(app)
  const tries = Promise.all(Array.from({ length: 15 }, () => login(user.email))) // which may only push out its session
  const changed = await insist(() =>
    call('PUT', '/api/user/password', {
      currentPassword: password,
      newPassword: 'a better horse battery'
    })
  )
  t.equal(changed.statusCode, 204)
  await tries
  t.equal((await live(user.id)).length, 1, 'the one that changed it')
})

t.test('no login survives an acknowledged deactivation', async (t) => {
  const admin = await aCaller(app, 'admin')
  const user = await aUser(app.database)
  const tries = fifty(() => login(user.email))
  t.equal(
    (await admin.call('PATCH', `/api/admin/users/${user.id}`, { status: 'deactivated' }))
      .statusCode,
    200
  )
  await tries
  t.equal((await live(user.id)).length, 0)
})

t.test(
  'administrators who demote, deactivate and delete each other at once leave an active one',
  async (t) => {
    const admins = await Promise.all(Array.from({ length: 5 }, () => aCaller(app, 'admin')))
    // No sessions of earlier tests.
    for (const { id } of await app.db.select({ id: users.id }).from(users)) {
      if (!admins.some(({ user }) => user.id === id)) {
        await app.db.delete(users).where(eq(users.id, id))
      }
    }
    await fifty((i) => {
      const [actor, target] = [admins[i % 5], admins[(i + 1 + (Math.floor(i / 5) % 4)) % 5]]
      const url = `/api/admin/users/${target?.user.id}`
      if (!actor) throw new Error('no actor')
      return i % 3 === 0
        ? actor.call('DELETE', url)
        : i % 3 === 1
          ? actor.call('DELETE', `${url}/roles/admin`)
          : actor.call('PATCH', url, { status: 'deactivated' })
    })
    t.equal(await hasActiveAdmin(app.db), true)
  }
)

t.test(
  'only one of fifty concurrent deletions of an account succeeds, and no cookie of it signs in',
  async (t) => {
    const { call, cookie, user } = await aCaller(app)
    t.equal(
      count(
        await fifty(() => call('POST', '/api/user/deletion', { currentPassword: password })),
        204
      ),
      1
    )
    t.same([await me(cookie), (await insist(() => login(user.email))).statusCode], [401, 401])
  }
)

t.test('only one of fifty concurrent changes with the same revision succeeds', async (t) => {
  const admin = await aCaller(app, 'admin')
  const { id } = await aUser(app.database)
  const {
    headers: { etag }
  } = await admin.call('GET', `/api/admin/users/${id}`)
  const answers = await fifty((i) =>
    admin.call(
      'PATCH',
      `/api/admin/users/${id}`,
      { name: `Name ${i}` },
      { 'if-match': String(etag) }
    )
  )
  t.same([count(answers, 200), count(answers, 412)], [1, 49])
})
