import { eq } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../db/schema/activity.ts'
import { invitations } from '../../db/schema/scopes.ts'
import { users } from '../../db/schema/users.ts'
import type { Config } from '../../src/config/config.ts'
import { deleteScope } from '../../src/domain/scopes/deletion.ts'
import { listScopesOf } from '../../src/domain/scopes/list.ts'
import { freshEmail, newCaller, operator, ownApp, password } from '../support/app.ts'
import { mailsOf, tokenIn } from '../support/mails.ts'
import { aScopedRole, freshScope, granted } from '../support/scopes.ts'

/** A portal with a scope, and a manager who invites others. */
async function aPortal(changes: Partial<Config> = {}) {
  const app = await ownApp(t, changes)
  const mails = mailsOf(app)
  const role = await aScopedRole(app.database, 'members:manage')
  const [scope, boss] = [freshScope(), await newCaller(app, { roles: [], confirmed: true })]
  await granted(app.database, boss.user, scope, role)
  const url = `/api/scopes/${scope}/invitations`
  return {
    ...{ app, boss, scope, role },
    async invited(email = freshEmail()) {
      const sent = await boss.call('POST', url, { email, role })
      const { id } = sent.json<{ id: string }>()
      const token = tokenIn((await mails.newest(email, 'scope-invitation')).text)
      return { email, token, withdraw: () => boss.call('DELETE', `${url}/${id}`) }
    },
    register: (token: string, more: object = {}) =>
      app.inject({
        ...{ method: 'POST', url: '/api/auth/invitation/register' },
        payload: { token, name: 'Zoë', password, ...more }
      })
  }
}
const portal = await aPortal()
const { db } = portal.app

t.test('nobody chooses the address of a registration with an invitation', async (t) => {
  const { token } = await portal.invited()
  for (const more of [{ email: freshEmail() }, { isInvited: true }, { roles: ['admin'] }]) {
    t.match((await portal.register(token, more)).json(), { status: 400, code: 'invalid-request' })
  }
  t.equal((await portal.register(token)).statusCode, 200)
})

t.test('a registration that says it is invited proves no mailbox', async (t) => {
  const email = freshEmail()
  const refused = await portal.app.inject({
    ...{ method: 'POST', url: '/api/auth/register' },
    payload: { email, name: 'Zoë', password, isInvited: true }
  })
  t.match(refused.json(), { status: 400, code: 'invalid-request' })
  t.equal(await db.$count(users, eq(users.email, email)), 0)
})

t.test('with the account of the inviter their invitations end', async (t) => {
  const own = await aPortal()
  const { token } = await own.invited()
  await own.app.db.delete(users).where(eq(users.id, own.boss.user.id))
  t.match((await own.register(token)).json(), { code: 'invalid-token' })
})

t.test('of a registration and a withdrawal at once, exactly one succeeds', async (t) => {
  for (let round = 0; round < 3; round++) {
    const { email, token, withdraw } = await portal.invited()
    const both = await Promise.all([portal.register(token), withdraw()])
    const codes = both.map(({ statusCode }) => statusCode).join()
    t.match(codes, /^(200,404|400,204)$/)
    t.equal(await db.$count(users, eq(users.email, email)), codes === '200,404' ? 1 : 0)
  }
})

t.test('a registration while the scope is deleted leaves nobody in it', async (t) => {
  for (let round = 0; round < 3; round++) {
    const own = await aPortal()
    const { email, token } = await own.invited()
    const [registered] = await Promise.all([
      own.register(token),
      deleteScope(own.app.db, operator, own.scope)
    ])
    const [user] = await own.app.db.select().from(users).where(eq(users.email, email))
    t.equal(user !== undefined, registered.statusCode === 200)
    if (user) t.same(await listScopesOf(own.app.db, user.id), [])
    t.equal(await own.app.db.$count(invitations), 0)
  }
})

t.test('neither records nor responses have the token or the address', async (t) => {
  const { email, token } = await portal.invited()
  const refused = await portal.register(token, { name: '' })
  t.notMatch(refused.body, token)
  const rows = JSON.stringify(await db.select().from(activity))
  t.notMatch(rows, token)
  t.notMatch(rows, email)
})

t.test('one address tries few tokens of invitations', async (t) => {
  const few = await aPortal({ THROTTLE_LOGIN_SOURCE: { burst: 2, seconds: 3600 } })
  const codes = []
  for (let i = 0; i < 3; i++) codes.push((await few.register('x'.repeat(43))).statusCode)
  t.same(codes, [400, 400, 429])
})
