import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { roles } from '../../../../db/schema/roles.ts'
import { invitations, scopeLimits } from '../../../../db/schema/scopes.ts'
import { deleteScope } from '../../../../src/domain/scopes/deletion.ts'
import { aRole, freshEmail, newCaller, operator, ownApp } from '../../../support/app.ts'
import { solve } from '../../../support/proofs.ts'
import { aScopedRole, freshScope, granted, invitersOf } from '../../../support/scopes.ts'

// Who may invite whom, and how many.

const app = await ownApp(t)
const { db } = app
const manager = await aScopedRole(app.database, 'members:manage', 'profile:read')
const reader = await aScopedRole(app.database, 'profile:read')
const other = await aScopedRole(app.database, 'users:read')
const { aConfirmed, aScope } = invitersOf(app, manager, reader)

t.test('managers invite to roles of scopes whose permissions they hold', async (t) => {
  const { invite } = await aScope()
  const everywhere = await aRole(app.database, 'profile:read')
  const results = []
  for (const role of [other, everywhere, 'no-such-role']) {
    results.push((await invite(freshEmail(), role)).json<{ code: string }>().code)
  }
  t.same(results, ['exceeds-own-permissions', 'role-not-scoped', 'role-not-found'])
  const invalid = await invite('ada')
  t.match(invalid.json(), { errors: [{ pointer: '/email' }] })
})

t.test('members who are not managers, and strangers, invite nobody', async (t) => {
  const { scope, url } = await aScope()
  const [member, stranger] = [await aConfirmed(), await aConfirmed()]
  await granted(app.database, member.user, scope, reader)
  const payload = { email: freshEmail(), role: reader }
  t.match((await member.call('POST', url, payload)).json(), { code: 'permission-denied' })
  const [foreign, unknown] = [
    await stranger.call('POST', url, payload),
    await stranger.call('POST', `/api/scopes/${freshScope()}/invitations`, payload)
  ]
  t.match(foreign.json(), { status: 404, code: 'scope-not-found' })
  t.match(unknown.json(), { status: 404, code: 'scope-not-found' })
})

t.test('nobody is invited to a scope that was deleted, not even by managers of all', async (t) => {
  const { scope, url } = await aScope()
  const everywhere = await aRole(app.database, 'members:manage', 'profile:read')
  const { call } = await newCaller(app, { roles: [everywhere], confirmed: true })
  const payload = { email: freshEmail(), role: reader }
  t.equal((await call('POST', url, payload)).statusCode, 201)
  await deleteScope(db, operator, scope)
  t.match((await call('POST', url, payload)).json(), { status: 409, code: 'scope-ended' })
  t.equal(await db.$count(invitations, eq(invitations.scope, scope)), 0)
})

t.test('a scope has at most 50 open invitations, and one more replaces its own', async (t) => {
  const { scope, boss, invite } = await aScope()
  const [role] = await db.select({ id: roles.id }).from(roles).where(eq(roles.key, reader))
  const email = freshEmail()
  await invite(email)
  const rows = Array.from({ length: scopeLimits.invitations - 1 }, () => {
    const address = freshEmail()
    return {
      ...{ id: randomUUID(), scope, roleId: role?.id ?? '', email: address },
      ...{ emailNormalized: address, invitedBy: boss.user.id },
      tokenHash: Buffer.from(randomUUID().replaceAll('-', '').repeat(2), 'hex'),
      expiresAt: sql`now() + interval '1 day'`
    }
  })
  await db.insert(invitations).values(rows)
  const refused = await invite(freshEmail())
  t.equal(refused.statusCode, 409)
  t.match(refused.json(), { code: 'too-many-invitations' })
  t.equal((await invite(email)).statusCode, 201)
  await db
    .update(invitations)
    .set({ expiresAt: sql`now()` })
    .where(eq(invitations.id, rows[0]?.id ?? ''))
  t.equal((await invite(freshEmail())).statusCode, 201, 'an expired one does not count')
})

t.test('one user sends a limited number of invitations, in all scopes together', async (t) => {
  const few = await ownApp(t, { THROTTLE_INVITATION: { burst: 2, seconds: 3600 } })
  const boss = await newCaller(few, { roles: [], confirmed: true })
  const role = await aScopedRole(few.database, 'members:manage')
  const codes = []
  for (let i = 0; i < 3; i++) {
    const scope = freshScope()
    await granted(few.database, boss.user, scope, role)
    const payload = { email: freshEmail(), role }
    const sent = await boss.call('POST', `/api/scopes/${scope}/invitations`, payload)
    codes.push(sent.statusCode)
  }
  t.same(codes, [201, 201, 429])
})

t.test('invitations take part in the budget of mail to strangers', async (t) => {
  const narrow = { burst: 1, seconds: 36_000 }
  const strict = await ownApp(t, { THROTTLE_MAIL_UNPROVED: narrow, THROTTLE_MAIL_ADDRESS: narrow })
  const boss = await newCaller(strict, { roles: [], confirmed: true })
  const [scope, role] = [freshScope(), await aScopedRole(strict.database, 'members:manage')]
  await granted(strict.database, boss.user, scope, role)
  const url = `/api/scopes/${scope}/invitations`
  for (let i = 0; i < 2; i++) {
    const sent = await boss.call('POST', url, { email: freshEmail(), role })
    t.equal(sent.statusCode, 201)
  }
  const payload = { email: freshEmail(), role }
  const refused = await boss.call('POST', url, payload)
  t.equal(refused.statusCode, 428)
  const proof = solve(refused.json<{ challenge: Parameters<typeof solve>[0] }>().challenge)
  const proved = await boss.call('POST', url, payload, { 'portal-proof': proof })
  t.equal(proved.statusCode, 201)
})

t.test('managers without a confirmed address invite only without a mail server', async (t) => {
  const mailing = await ownApp(t, {
    MAIL_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'portal@example.com'
  })
  const results = []
  for (const each of [app, mailing]) {
    const boss = await newCaller(each, { roles: [] })
    const [scope, role] = [freshScope(), await aScopedRole(each.database, 'members:manage')]
    await granted(each.database, boss.user, scope, role)
    const payload = { email: freshEmail(), role }
    const sent = await boss.call('POST', `/api/scopes/${scope}/invitations`, payload)
    results.push([sent.statusCode, sent.json<{ code?: string }>().code])
  }
  t.same(results, [
    [201, undefined],
    [403, 'email-unverified']
  ])
  const { paths } = app.swagger() as { paths: Record<string, object> }
  const description = /with a mail server have a confirmed address/
  t.match(paths['/api/scopes/{scope}/invitations'], { post: { description } })
})
