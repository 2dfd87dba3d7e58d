import { eq } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { activity } from '../../db/schema/activity.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { createRole } from '../../src/domain/access/roles.ts'
import { findUser } from '../../src/domain/users/users.ts'
import { operator } from '../support/app.ts'
import { aConfirmedCaller, mailsOf } from '../support/mails.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { portalOf } from '../support/providers/portal.ts'

async function aPortal(t: Test) {
  const map = { 'support-team': 'support', admins: 'admin', ghosts: 'no-such-role' }
  const roles = { claim: 'groups', map }
  const { acme, app } = await portalOf(t, { acme: { trustsEmail: 'claim', roles } })
  for (const key of ['support', 'editor']) {
    await createRole(app.db, operator, { key, name: key, permissions: [] })
  }
  const [nora] = acme.people
  const browser = aBrowser(app)
  const rolesWith = async (groups: unknown, more: object = {}) => {
    acme.alter.idToken = ({ header, claims }) => ({
      header,
      claims: { ...claims, groups, ...more }
    })
    const { problem } = await browser.through('acme', 'nora')
    if (problem !== undefined) throw new Error(problem)
    return (await browser.me())?.user.roles
  }
  return { app, acme, browser, nora, rolesWith }
}

t.test('mapped roles follow the provider at each sign-in, and no others', async (t) => {
  const { app, browser, rolesWith } = await aPortal(t)
  t.same(await rolesWith(['support-team', 'ghosts', 7, '__proto__']), ['support', 'user'])
  const userId = (await browser.me())?.user.id ?? ''
  await grantRole(app.db, operator, { userId, role: 'editor' })
  t.same(await rolesWith('support-team'), ['editor', 'support', 'user'])
  t.same(
    await rolesWith(undefined, { _claim_names: { groups: 'src1' } }),
    ['editor', 'support', 'user'],
    'left out because there are too many'
  )
  t.same(await rolesWith([]), ['editor', 'user'])
  t.same(await rolesWith(['support-team']), ['editor', 'support', 'user'])
  t.same(await rolesWith(undefined), ['editor', 'user'], 'without the claim there are none')
  const records = await app.db
    .select({ action: activity.action, by: activity.actorType, reason: activity.reason })
    .from(activity)
    .where(eq(activity.action, 'user.role-revoke'))
  t.match(records, [
    { by: 'system', reason: 'provider' },
    { by: 'system', reason: 'provider' }
  ])
})

t.test('roles may be in a list within another claim, as in Keycloak', async (t) => {
  const roles = { claim: 'realm_access.roles', map: { helpdesk: 'support' } }
  const { acme, app } = await portalOf(t, { acme: { trustsEmail: 'claim', roles } })
  await createRole(app.db, operator, { key: 'support', name: 'Support', permissions: [] })
  const browser = aBrowser(app)
  const rolesWith = async (more: object) => {
    acme.alter.idToken = ({ header, claims }) => ({ header, claims: { ...claims, ...more } })
    t.equal((await browser.through('acme', 'nora')).problem, undefined)
    return (await browser.me())?.user.roles
  }
  t.same(await rolesWith({ realm_access: { roles: ['helpdesk', 'other'] } }), ['support', 'user'])
  for (const other of [{ roles: [] }, {}, null, 'helpdesk', ['helpdesk']]) {
    await rolesWith({ realm_access: { roles: ['helpdesk'] } })
    t.same(await rolesWith({ realm_access: other }), ['user'], JSON.stringify(other))
  }
  const literal = { 'realm_access.roles': ['helpdesk'], realm_access: { roles: [] } }
  t.same(await rolesWith(literal), ['support', 'user'], 'a claim of exactly this name counts first')
})

t.test('the last administrator stays one', async (t) => {
  const { app, browser, rolesWith } = await aPortal(t)
  t.same(await rolesWith(['admins']), ['admin', 'user'])
  t.same(await rolesWith([]), ['admin', 'user'])
  const [kept] = await app.db
    .select({ reason: activity.reason, outcome: activity.outcome })
    .from(activity)
    .where(eq(activity.action, 'user.role-revoke'))
  t.match(kept, { reason: 'last-admin', outcome: 'failure' })

  const other = aBrowser(app)
  await other.through('acme', 'lea')
  const userId = (await other.me())?.user.id ?? ''
  await grantRole(app.db, operator, { userId, role: 'admin' })
  t.same(await rolesWith([]), ['user'])
  t.ok(browser)
})

t.test('unlinking a provider account takes the roles that it granted along', async (t) => {
  const { app, browser, rolesWith } = await aPortal(t)
  const newPassword = 'a new and long password'
  await rolesWith(['support-team'])
  t.equal((await browser.call('PUT', '/api/user/password', { newPassword })).statusCode, 204)
  t.same(await rolesWith(['support-team']), ['support', 'user'])
  const userId = (await browser.me())?.user.id ?? ''
  await grantRole(app.db, operator, { userId, role: 'editor' })
  const { items } = (await browser.call('GET', '/api/user/providers')).json()
  const unlinked = await browser.call('DELETE', `/api/user/providers/${items[0].id}`)
  t.equal(unlinked.statusCode, 204)
  t.same((await browser.me())?.user.roles, ['editor', 'user'])
})

t.test('a recovery that unlinks an account takes the roles that it granted along', async (t) => {
  const { app, acme } = await aPortal(t)
  const mails = mailsOf(app)
  const { user, cookie } = await aConfirmedCaller(app)
  await aBrowser(app, cookie).through('acme', 'lea', { intent: 'link' })
  acme.alter.idToken = ({ header, claims }) => ({
    header,
    claims: { ...claims, groups: ['support-team'] }
  })
  const thief = aBrowser(app)
  await thief.through('acme', 'lea')
  t.same((await thief.me())?.user.roles, ['support', 'user'])
  const owner = aBrowser(app)
  await owner.call('POST', '/api/auth/recovery', { email: user.email })
  const token = await mails.token(user.email, 'recovery')
  const reset = { token, newPassword: 'a new and long password' }
  t.equal((await owner.call('POST', '/api/auth/recovery/confirm', reset)).statusCode, 204)
  t.same((await findUser(app.db, user.id)).roles, ['user'])
})
