import { eq } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { activity } from '../../db/schema/activity.ts'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { users } from '../../db/schema/users.ts'
import { createRole } from '../../src/domain/access/roles.ts'
import { unlinkUserProvider } from '../../src/domain/administration/factor-removal.ts'
import type { Provider } from '../../src/domain/providers/provider.ts'
import { aUser, callerOf, operator } from '../support/app.ts'
import { confirmed, mailsOf } from '../support/mails.ts'
import { letPass, plan, stateOf } from '../support/planned-deletions.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { inTexts, reassigning, rebuilt, speakAs } from '../support/providers/characters.ts'
import { portalOf } from '../support/providers/portal.ts'
import { anAppFor } from '../support/second-factors.ts'

// The promises of docs/do/sign-in-with-others.md hold for providers that mean well and are hard to read: a
// directory that was built anew, one that gives addresses to somebody else, and one that sends texts.

const email = 'nora.field@example.com'
const ofDomain = { trustsEmail: 'domains', domains: ['example.com'] } as const

async function aPortal(t: Test, changes: Partial<Provider> = ofDomain) {
  const { acme, app } = await portalOf(t, { acme: changes }, { DELETION_GRACE_DAYS: 7 })
  let addresses = 0
  /** Signs somebody in, in a browser and at an address of their own. */
  const signIn = async (person = 'nora', more: object = {}) => {
    const browser = aBrowser(app)
    const ip = `192.0.2.${++addresses}`
    const { problem } = await browser.through('acme', person, { ip, ...more })
    const me = await browser.me()
    return { browser, problem, me, id: me?.user.id }
  }
  return {
    acme,
    app,
    signIn,
    accounts: () => app.db.select().from(providerAccounts),
    /** Unlinks an account as `portal user unlink` does. */
    async unlink(userId: string) {
      for (const { id } of await app.db
        .select({ id: providerAccounts.id })
        .from(providerAccounts)
        .where(eq(providerAccounts.userId, userId))) {
        await unlinkUserProvider(app.context, operator, { userId, id })
      }
    },
    refusals: () =>
      app.db
        .select({ reason: activity.reason, target: activity.targetId })
        .from(activity)
        .where(eq(activity.action, 'auth.provider-refused'))
        .orderBy(activity.id)
  }
}

t.test('a subject of a rebuilt directory is nobody here, whatever its address', async (t) => {
  for (const required of [false, true]) {
    const { acme, signIn, accounts, unlink } = await aPortal(t, { ...ofDomain, required })
    const { id = '', me } = await signIn()
    t.match(me, { user: { email, emailVerified: true } }, 'somebody new')
    t.equal((await signIn()).id, id, 'somebody known')

    speakAs(acme, rebuilt(1))
    const again = await signIn()
    t.equal(again.problem, 'account-exists')
    t.equal(again.me, undefined)
    t.match(await accounts(), [{ subject: 'nora', userId: id }])

    await unlink(id)
    t.equal((await signIn()).id, id, 'once the old account is unlinked, the address links the new')
    t.match(await accounts(), [{ subject: 'nora-1', userId: id }])
    acme.alter = {}
    t.equal((await signIn()).problem, 'account-exists', 'the old subject returns')
  }
})

t.test(
  'a user of a rebuilt directory who can sign in otherwise links the new subject',
  async (t) => {
    const { acme, app, signIn } = await aPortal(t)
    const user = await confirmed(app.database, await aUser(app.database, email))
    const { id } = user
    t.equal((await signIn()).id, id)
    speakAs(acme, rebuilt(1))
    t.equal((await signIn()).problem, 'account-exists')
    const { cookie } = await callerOf(app, user)
    const owner = aBrowser(app, cookie)
    t.equal((await owner.through('acme', 'nora', { intent: 'link' })).problem, undefined)
    t.equal((await signIn()).id, id)
  }
)

t.test('roles and logouts of a rebuilt directory are those of the subject', async (t) => {
  const roles = { claim: 'groups', map: { staff: 'support' } }
  const { acme, app, signIn, unlink } = await aPortal(t, { ...ofDomain, roles })
  await createRole(app.db, operator, { key: 'support', name: 'Support', permissions: [] })
  acme.alter.idToken = ({ header, claims }) => ({ header, claims: { ...claims, groups: 'staff' } })
  const first = await signIn()
  t.same(first.me?.user.roles, ['support', 'user'])
  await unlink(first.id ?? '')
  t.equal(await first.browser.me(), undefined, 'unlinking ends its sessions')
  speakAs(acme, rebuilt(1))
  const second = await signIn()
  t.same(second.me?.user.roles, ['user'], 'the directory does not send the group any more')
  const payload = new URLSearchParams({ logout_token: await acme.logoutToken('nora') }).toString()
  const url = '/api/auth/providers/acme/logout'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  t.equal((await app.inject({ method: 'POST', url, headers, payload })).statusCode, 200)
  t.equal((await second.browser.me())?.user.id, first.id, 'the old subject ends nothing')
})

t.test('an address that was given to somebody else does not lead to an account', async (t) => {
  for (const required of [false, true]) {
    const { acme, signIn, accounts } = await aPortal(t, { ...ofDomain, required })
    const { says, give } = reassigning({ [email]: 'nora', 'lea.stone@example.com': 'lea' })
    speakAs(acme, says)
    const [nora, lea] = [await signIn('nora'), await signIn('lea')]
    give('nora.gone@example.com', 'nora')
    give(email, 'tom')
    const tom = await signIn('tom')
    t.equal(tom.problem, 'account-exists', 'a successor who is new here')
    t.equal(tom.me, undefined)
    t.equal((await signIn('nora')).id, nora.id, 'the first holder, with another address')
    give(email, 'lea')
    t.equal((await signIn('lea')).id, lea.id, 'a successor who has an account of their own')
    const subjects = (await accounts()).map(({ subject }) => subject)
    t.same(subjects.toSorted(), ['lea', 'nora'])
  }
})

t.test(
  'the first holder of an address who has none any more is known by the subject',
  async (t) => {
    const { acme, app, signIn, refusals } = await aPortal(t)
    const { says, give } = reassigning({ [email]: 'nora' })
    speakAs(acme, says)
    const { id } = await signIn('nora')
    give(email, 'nobody')
    t.equal((await signIn('nora')).id, id)
    const [provider] = app.config.providers
    if (provider) provider.required = true
    t.equal((await signIn('nora')).problem, 'provider-required')
    give(email, 'nora')
    t.equal((await signIn('nora')).id, id)
    give(email, 'nobody')
    give('nora@elsewhere.example', 'nora')
    t.equal((await signIn('nora')).problem, 'provider-required')
    // The records say what the provider did not.
    t.same(await refusals(), [
      { reason: 'provider-email-missing', target: id },
      { reason: 'other-domain', target: id }
    ])
  }
)

t.test(
  'the successor of an address gets neither a planned deletion nor what is gone',
  async (t) => {
    const { acme, app, signIn } = await aPortal(t)
    const user = await confirmed(app.database, await aUser(app.database, email))
    const { says, give } = reassigning({ [email]: 'nora' })
    speakAs(acme, says)
    t.equal((await signIn('nora')).id, user.id)
    await plan(await callerOf(app, user))
    give(email, 'lea')
    t.equal((await signIn('lea', { restore: true })).problem, 'account-exists')
    t.match(await stateOf(app, user), { status: 'deactivated' }, 'the deletion goes on')
    await letPass(app, user)
    await app.db.delete(users).where(eq(users.id, user.id))
    const successor = await signIn('lea')
    t.equal(successor.problem, undefined)
    t.not(successor.id, user.id)
  }
)

t.test('a link by mail waits for the account that asked, not for the address', async (t) => {
  const { acme, app, signIn } = await aPortal(t, { trustsEmail: 'never' })
  const mails = mailsOf(app)
  const { says, give } = reassigning({ [email]: 'nora' })
  speakAs(acme, says)
  t.equal((await signIn('nora')).problem, 'email-unverified')
  const token = await mails.token(email, 'confirm')
  give(email, 'lea')
  const confirm = { intent: 'confirm', token }
  t.equal((await signIn('lea', confirm)).problem, 'provider-refused')
  t.equal((await signIn('nora', confirm)).problem, undefined, 'who confirmed the mailbox')
})

t.test('a provider of texts: what counts of them, and what counts as missing', async (t) => {
  const assurance = { amr: ['mfa'], acr: ['two'] }
  const roles = { claim: 'groups', map: { staff: 'support' } }
  const { acme, app, signIn, refusals } = await aPortal(t, {
    trustsEmail: 'claim',
    assurance,
    roles
  })
  await createRole(app.db, operator, { key: 'support', name: 'Support', permissions: [] })
  acme.alter.tokenResponse = (body) => ({ ...body, expires_in: '600' })
  const saying = async (more: Record<string, unknown>, person?: string) => {
    speakAs(acme, inTexts({ email_verified: true, ...more }))
    return signIn(person)
  }
  for (const verified of ['false', 'True', '1', 'yes', '', ' true']) {
    const { problem } = await saying({ email_verified: verified })
    t.equal(problem, 'provider-email-missing', `email_verified ${JSON.stringify(verified)}`)
  }
  const first = await saying({})
  t.match(first.me, { user: { email, emailVerified: true, roles: ['user'] } }, '"true" is true')
  t.equal(first.me?.session.authenticatedAt, '1970-01-01T00:00:00.000Z')
  const set = await first.browser.call('POST', '/api/user/totp')
  t.match(set.json(), { code: 'reauthentication-required' })

  const rows: [Record<string, unknown>, { assurance?: number; roles?: string[] }][] = [
    [{ amr: 'mfa' }, { assurance: 1 }],
    [{ amr: ['pwd', 'mfa'] }, { assurance: 1 }],
    [{ acr: 'two' }, { assurance: 2 }],
    [{ acr: ['two'] }, { assurance: 1 }],
    [{ groups: 'staff' }, { roles: ['support', 'user'] }],
    [{ hasgroups: true }, { roles: ['support', 'user'] }],
    [{ groups: ['staff'] }, { roles: ['user'] }],
    [{ groups: 'staff,other' }, { roles: ['user'] }]
  ]
  for (const [more, { assurance, roles }] of rows) {
    const { me } = await saying(more)
    const what = JSON.stringify(more)
    if (assurance !== undefined) t.equal(me?.session.assurance, assurance, what)
    if (roles) t.same(me?.user.roles, roles, what)
    t.equal(me?.user.id, first.id, what)
  }

  const number = await saying({ sub: 7, email: 'seven@example.com' })
  t.equal(number.problem, undefined, 'a number in a text is a subject')
  t.equal((await saying({ sub: '7' })).id, number.id)
  t.not(number.id, first.id)
  const refusedBefore = (await refusals()).length
  for (const time of ['exp', 'iat', 'nbf', 'auth_time']) {
    acme.alter.idToken = ({ header, claims }) => ({
      header,
      claims: { ...claims, [time]: String(claims[time] ?? claims.iat) }
    })
    t.equal((await signIn()).problem, 'provider-refused', `${time} is not a number`)
  }
  t.same(
    (await refusals()).slice(refusedBefore).map(({ reason }) => reason),
    Array.from({ length: 4 }, () => 'claims')
  )
})

t.test('two factors in a text do not pass the second factor of the portal', async (t) => {
  const { acme, app, signIn } = await aPortal(t, {
    ...ofDomain,
    assurance: { amr: ['mfa'], acr: [] }
  })
  const user = await confirmed(app.database, await aUser(app.database, email))
  await anAppFor(app, user)
  speakAs(acme, inTexts({ amr: ['mfa'] }))
  const { problem, me } = await signIn()
  t.equal(problem, 'second-factor-due')
  t.equal(me, undefined)
})

t.test('an address that is empty in the ID token is asked of UserInfo', async (t) => {
  const { acme, app, signIn } = await aPortal(t, { trustsEmail: 'claim' })
  for (const nothing of [null, '', undefined]) {
    speakAs(acme, (claims) => ({ ...claims, email: nothing, email_verified: true }))
    acme.alter.userInfo = ({ sub }) => ({ sub, email })
    const what = JSON.stringify(nothing)
    t.equal((await signIn()).problem, 'provider-email-missing', `${what}: nobody vouches for it`)
    acme.alter.userInfo = ({ sub }) => ({ sub, email, email_verified: 'true' })
    t.match((await signIn()).me, { user: { email } }, what)
    await app.db.delete(users).where(eq(users.emailNormalized, email))
  }
})
