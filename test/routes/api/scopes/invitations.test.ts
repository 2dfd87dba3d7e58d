import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { invitations } from '../../../../db/schema/scopes.ts'
import { users } from '../../../../db/schema/users.ts'
import { revokePermission } from '../../../../src/domain/access/memberships.ts'
import { deleteScope } from '../../../../src/domain/scopes/deletion.ts'
import { listScopesOf } from '../../../../src/domain/scopes/list.ts'
import { revokeInScope } from '../../../../src/domain/scopes/members.ts'
import {
  activityOf,
  freshEmail,
  newCaller,
  operator,
  ownApp,
  password
} from '../../../support/app.ts'
import { mailsOf, tokenIn } from '../../../support/mails.ts'
import { aScopedRole, freshScope, granted, invitersOf } from '../../../support/scopes.ts'

const app = await ownApp(t)
const { db } = app
const mails = mailsOf(app)
const manager = await aScopedRole(app.database, 'members:manage', 'profile:read')
const reader = await aScopedRole(app.database, 'profile:read')
const other = await aScopedRole(app.database, 'users:read')

const { aConfirmed, aScope } = invitersOf(app, manager, reader)
type Caller = Awaited<ReturnType<typeof aConfirmed>>
const linkTo = async (email: string) =>
  tokenIn((await mails.newest(email, 'scope-invitation')).text)
const accept = ({ call }: Caller, token: string) => call('POST', '/api/auth/invitation', { token })
const register = (token: string, name = 'Zoë') =>
  app.inject({
    ...{ method: 'POST', url: '/api/auth/invitation/register' },
    payload: { token, name, password }
  })
const scopesOf = ({ user }: Caller) => listScopesOf(db, user.id)

t.test('an invited colleague accepts with the link and has the role', async (t) => {
  const { scope, invite, boss } = await aScope()
  const colleague = await aConfirmed()
  const { email } = colleague.user
  const sent = await invite(email.toUpperCase())
  t.equal(sent.statusCode, 201)
  t.match(sent.json(), { email: email.toUpperCase(), role: reader, invitedBy: boss.user.id })
  const { text, subject } = await mails.newest(email, 'scope-invitation')
  t.match(subject, 'invited')
  t.match(text, `${boss.user.email} invites you`)
  t.match(text, 'with the role A role')
  t.notMatch(text, 'Ada Lovelace', 'names are chosen by anybody')
  const token = await linkTo(email)
  const accepted = await accept(colleague, token)
  t.equal(accepted.statusCode, 200)
  t.same(accepted.json(), { scope, role: reader })
  t.same(await scopesOf(colleague), [{ scope, roles: [reader] }])
  t.match((await accept(colleague, token)).json(), { code: 'invalid-token' })
  const [joined] = await activityOf(app.database, colleague.user.id)
  t.match(joined, {
    action: 'scope.role-grant',
    reason: 'invitation',
    details: { scope, role: reader }
  })
  const [invited] = await activityOf(app.database, scope)
  t.match(invited, { action: 'scope.invite', actorId: boss.user.id, details: { role: reader } })
})

t.test('a response does not tell whether the invited address has an account', async (t) => {
  const { invite } = await aScope()
  const { user } = await aConfirmed()
  const [known, unknown] = [await invite(user.email), await invite(freshEmail())]
  t.same(Object.keys(known.json()), Object.keys(unknown.json()))
  t.equal(known.statusCode, unknown.statusCode)
})

t.test('a link that was forwarded is of no use to another account', async (t) => {
  const { scope, invite } = await aScope()
  const [invited, stranger] = [await aConfirmed(), await aConfirmed()]
  await invite(invited.user.email)
  const token = await linkTo(invited.user.email)
  const refused = await accept(stranger, token)
  t.equal(refused.statusCode, 403)
  t.match(refused.json(), { code: 'email-differs' })
  t.notMatch(refused.body, invited.user.email, 'it does not say which')
  t.same(await scopesOf(stranger), [])
  t.equal((await accept(invited, token)).statusCode, 200, 'the invitation stays open')
  t.same(await scopesOf(invited), [{ scope, roles: [reader] }])
})

t.test('an address that is not confirmed accepts nothing', async (t) => {
  const { invite } = await aScope()
  const squatter = await newCaller(app, { roles: [] })
  await invite(squatter.user.email)
  const refused = await accept(squatter, await linkTo(squatter.user.email))
  t.match(refused.json(), { code: 'email-differs' })
  t.same(await scopesOf(squatter), [])
})

t.test(
  'somebody without an account registers with the link, confirmed and signed in',
  async (t) => {
    const { scope, invite } = await aScope()
    const email = freshEmail()
    await invite(email)
    const token = await linkTo(email)
    const registered = await register(token)
    t.equal(registered.statusCode, 200)
    t.match(registered.json(), { user: { email, emailVerified: true, name: 'Zoë' } })
    t.match(registered.headers['set-cookie'], /session/)
    const [user] = await db.select().from(users).where(eq(users.email, email))
    t.same(await listScopesOf(db, user?.id ?? ''), [{ scope, roles: [reader] }])
    t.match((await register(token)).json(), { code: 'invalid-token' })
  }
)

t.test('an address with an account does not register again, and the link stays good', async (t) => {
  const { invite } = await aScope()
  const { user, ...caller } = await aConfirmed()
  await invite(user.email)
  const token = await linkTo(user.email)
  const refused = await register(token)
  t.equal(refused.statusCode, 409)
  t.match(refused.json(), { code: 'email-taken' })
  t.equal((await accept({ user, ...caller }, token)).statusCode, 200)
})

t.test('two acceptances at once give one role', async (t) => {
  const { scope, invite } = await aScope()
  const email = freshEmail()
  await invite(email)
  const token = await linkTo(email)
  const all = await Promise.all([register(token), register(token), register(token)])
  t.same(all.map(({ statusCode }) => statusCode).sort(), [200, 400, 400])
  const [user] = await db.select().from(users).where(eq(users.email, email))
  t.same(await listScopesOf(db, user?.id ?? ''), [{ scope, roles: [reader] }])
  const colleague = await aConfirmed()
  await invite(colleague.user.email)
  const link = await linkTo(colleague.user.email)
  const both = await Promise.all([accept(colleague, link), accept(colleague, link)])
  t.same(both.map(({ statusCode }) => statusCode).sort(), [200, 400])
})

t.test('the right of the inviter is judged again when an invitation is accepted', async (t) => {
  const losses: Record<string, (scope: string, userId: string) => Promise<unknown>> = {
    'a revoked role': (scope, userId) =>
      revokeInScope(db, operator, { scope, userId, role: manager }),
    'a deactivated inviter': (_, userId) =>
      db.update(users).set({ status: 'deactivated' }).where(eq(users.id, userId))
  }
  for (const [what, lose] of Object.entries(losses)) {
    const { scope, boss, invite } = await aScope()
    const colleague = await aConfirmed()
    await invite(colleague.user.email)
    const token = await linkTo(colleague.user.email)
    await lose(scope, boss.user.id)
    t.match((await accept(colleague, token)).json(), { code: 'invalid-token' }, what)
    t.same(await scopesOf(colleague), [])
  }
  const [scope, boss, colleague] = [freshScope(), await aConfirmed(), await aConfirmed()]
  const wide = await aScopedRole(app.database, 'members:manage', 'profile:read')
  await granted(app.database, boss.user, scope, wide)
  const { email } = colleague.user
  await boss.call('POST', `/api/scopes/${scope}/invitations`, { email, role: reader })
  const token = await linkTo(email)
  await revokePermission(db, operator, { role: wide, permission: 'profile:read' })
  t.equal((await accept(colleague, token)).statusCode, 200, 'user has profile:read everywhere')
})

t.test('a permission of the role that the inviter has lost ends the invitation', async (t) => {
  const [scope, boss, colleague] = [freshScope(), await aConfirmed(), await aConfirmed()]
  const wide = await aScopedRole(app.database, 'members:manage', 'users:read')
  await granted(app.database, boss.user, scope, wide)
  const { email } = colleague.user
  await boss.call('POST', `/api/scopes/${scope}/invitations`, { email, role: other })
  const token = await linkTo(email)
  await revokePermission(db, operator, { role: wide, permission: 'users:read' })
  t.match((await accept(colleague, token)).json(), { code: 'invalid-token' })
})

t.test(
  'an invitation that was withdrawn, has expired, or was replaced is not accepted',
  async (t) => {
    const { scope, url, boss, invite } = await aScope()
    const colleague = await aConfirmed()
    const { email } = colleague.user
    const { id } = (await invite(email)).json<{ id: string }>()
    const first = await linkTo(email)
    t.equal((await boss.call('DELETE', `${url}/${id}`)).statusCode, 204)
    t.match((await boss.call('DELETE', `${url}/${id}`)).json(), { code: 'invitation-not-found' })
    t.match((await accept(colleague, first)).json(), { code: 'invalid-token' })
    const [withdrawn] = await activityOf(app.database, scope)
    t.match(withdrawn, { action: 'scope.invitation-delete', details: { role: reader } })
    t.notMatch(withdrawn, { details: { email } }, 'the trail does not keep the address')

    await invite(email)
    const second = await linkTo(email)
    await db
      .update(invitations)
      .set({ expiresAt: sql`now()` })
      .where(eq(invitations.scope, scope))
    t.match((await accept(colleague, second)).json(), { code: 'invalid-token' })

    await invite(email)
    const third = await linkTo(email)
    await invite(email)
    t.match((await accept(colleague, third)).json(), { code: 'invalid-token' })
    t.equal(await db.$count(invitations, eq(invitations.scope, scope)), 1)
  }
)

t.test('an invitation of another scope is not withdrawn', async (t) => {
  const [one, two] = [await aScope(), await aScope()]
  const { id } = (await one.invite(freshEmail())).json<{ id: string }>()
  t.match((await two.boss.call('DELETE', `${two.url}/${id}`)).json(), {
    code: 'invitation-not-found'
  })
})

t.test('nor is one to a role with a permission that the manager lacks', async (t) => {
  const { scope, url, boss } = await aScope()
  const peer = await aConfirmed()
  for (const role of [manager, other]) await granted(app.database, peer.user, scope, role)
  const sent = await peer.call('POST', url, { email: freshEmail(), role: other })
  t.equal(sent.statusCode, 201)
  const one = `${url}/${sent.json<{ id: string }>().id}`
  t.match((await boss.call('DELETE', one)).json(), { code: 'exceeds-own-permissions' })
  t.equal((await peer.call('DELETE', one)).statusCode, 204)
})

t.test('a member who is invited to the role that they have keeps it', async (t) => {
  const { scope, invite } = await aScope()
  const member = await aConfirmed()
  await granted(app.database, member.user, scope, reader)
  await invite(member.user.email)
  t.equal((await accept(member, await linkTo(member.user.email))).statusCode, 200)
  t.same(await scopesOf(member), [{ scope, roles: [reader] }])
})

t.test('nobody joins a scope that was deleted', async (t) => {
  const { scope, invite } = await aScope()
  const colleague = await aConfirmed()
  await invite(colleague.user.email)
  const token = await linkTo(colleague.user.email)
  await deleteScope(db, operator, scope)
  t.match((await accept(colleague, token)).json(), { code: 'invalid-token' })
})

t.test('an invitation does not open a closed registration', async (t) => {
  const { invite } = await aScope()
  const email = freshEmail()
  await invite(email)
  const { SECRET_KEYS } = app.config
  const closed = await ownApp(t, { REGISTRATION: 'closed', SECRET_KEYS }, app.database)
  const refused = await closed.inject({
    ...{ method: 'POST', url: '/api/auth/invitation/register' },
    payload: { token: await linkTo(email), name: 'Zoë', password }
  })
  t.equal(refused.statusCode, 403)
  t.match(refused.json(), { code: 'registration-closed' })
})
