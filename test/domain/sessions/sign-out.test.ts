import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../../db/schema/sessions.ts'
import { grantRole } from '../../../src/domain/access/memberships.ts'
import { byPassword } from '../../../src/domain/factors/recent-authentication.ts'
import { signOut } from '../../../src/domain/sessions/revocation.ts'
import { raiseSession } from '../../../src/domain/sign-in/reauthentication.ts'
import { actorOf } from '../../support/actors.ts'
import {
  anonymous,
  aRole,
  aUser,
  callerOf,
  cookieOf,
  onPglite,
  operator,
  password,
  signedIn,
  testApp,
  until
} from '../../support/app.ts'
import { waitingForLocks } from '../../support/locks.ts'
import { sessionsOf } from '../../support/second-factors.ts'
import { rules } from '../../support/test-config.ts'

// A request that ends a session, under way while the secret of the session is replaced.

const app = await testApp(t)
const { db } = app
const { assuranceOf } = sessionsOf(app)
const newPassword = 'a better horse battery'

/** A caller whose session has just got a new secret, in one of two ways. */
async function replaced(way: 'reauthenticate' | 'password') {
  const caller = await callerOf(app, await aUser(app.database))
  const answer =
    way === 'password'
      ? await caller.call('PUT', '/api/user/password', { currentPassword: password, newPassword })
      : await caller.call('POST', '/api/auth/reauthenticate', { password })
  return { ...caller, renewed: cookieOf(answer) }
}
/** Moves the replacement of the secret some time back. */
async function age({ id }: { id: string }, seconds: number) {
  const secretReplacedAt = sql`now() - make_interval(secs => ${seconds})`
  await db.update(sessions).set({ secretReplacedAt }).where(eq(sessions.userId, id))
}

for (const way of ['reauthenticate', 'password'] as const) {
  t.test(`a logout ends the session whose secret was just replaced (${way})`, async (t) => {
    const { user, cookie, call, renewed } = await replaced(way)
    await age(user, 55)
    t.same([await assuranceOf(cookie), await assuranceOf(renewed)], [401, 1])
    t.equal((await call('POST', '/api/auth/logout')).statusCode, 204)
    t.equal(await assuranceOf(renewed), 401)
    const [row] = await db.select().from(sessions).where(eq(sessions.userId, user.id))
    t.equal(row?.revokeReason, 'logout')
  })

  t.test(`a minute later the previous secret ends nothing (${way})`, async (t) => {
    const { user, call, renewed } = await replaced(way)
    await age(user, 61)
    t.equal((await call('POST', '/api/auth/logout')).statusCode, 204)
    t.equal(await assuranceOf(renewed), 1)
  })

  t.test(`no later change of the user lets the previous secret end more (${way})`, async (t) => {
    const { user, cookie, call, renewed } = await replaced(way)
    await age(user, 61)
    const changes = { '/api/user/name': { name: 'Ada' }, '/api/user/theme': { theme: 'dark' } }
    for (const [url, payload] of Object.entries(changes)) {
      const headers = { cookie: renewed }
      t.equal((await app.inject({ method: 'PUT', url, headers, payload })).statusCode, 200, url)
    }
    await grantRole(db, operator, { userId: user.id, role: await aRole(app.database) })
    t.equal((await call('POST', '/api/auth/logout')).statusCode, 204)
    await signedIn(app, user.email, { cookie }, way === 'password' ? newPassword : password)
    t.equal(await assuranceOf(renewed), 1)
  })
}

t.test('a login replaces a session that has just got another secret', async (t) => {
  const { user, cookie, renewed } = await replaced('reauthenticate')
  const next = await signedIn(app, user.email, { cookie })
  t.same([await assuranceOf(renewed), await assuranceOf(next)], [401, 1])
})

t.test('the previous secret of one session ends no other one', async (t) => {
  const { user, call, renewed } = await replaced('reauthenticate')
  const other = await signedIn(app, user.email)
  await call('POST', '/api/auth/logout')
  t.same([await assuranceOf(renewed), await assuranceOf(other)], [401, 1])
})

t.test(
  'a logout that waits for a new secret ends the session',
  { skip: onPglite && 'it has one connection' },
  async (t) => {
    const actor = await actorOf(app.database, await aUser(app.database))
    const tokens = [{ userId: actor.id, tokenHash: actor.tokenHash }]
    let ending: Promise<void> | undefined
    await db.transaction(async (tx) => {
      await raiseSession(tx, rules, actor, byPassword)
      ending = signOut(db, anonymous, { tokens })
      await until(async () => (await waitingForLocks(db)) > 0)
    })
    await ending
    const [row] = await db.select().from(sessions).where(eq(sessions.id, actor.sessionId))
    t.equal(row?.revokeReason, 'logout')
  }
)

t.test('an authentication that meets a logout leaves the session ended', async (t) => {
  const actor = await actorOf(app.database, await aUser(app.database))
  const { id, tokenHash } = actor
  await signOut(db, anonymous, { tokens: [{ userId: id, tokenHash }] })
  const raised = db.transaction((tx) => raiseSession(tx, rules, actor, byPassword))
  await t.rejects(raised, { code: 'unauthenticated' })
})
