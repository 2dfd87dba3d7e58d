import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { createRole } from '../../src/domain/access/roles.ts'
import { callerOf, operator } from '../support/app.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { lying, speakAs } from '../support/providers/characters.ts'
import { begin, comeBack } from '../support/providers/flow.ts'
import { walk } from '../support/providers/walk.ts'
import { anAppFor } from '../support/second-factors.ts'
import { email, evilAndStaff } from './evil-and-staff.ts'

// The promises of docs/do/sign-in-with-others.md hold for a provider that means ill: its tokens are in
// order and lie. Beside it is an honest directory.

const far = '2100-01-01'

t.test('an address that a liar confirms opens no account, however it is written', async (t) => {
  const { evil, app, signIn, accountsOf, user: aPerson } = await evilAndStaff(t)
  const { id } = await aPerson()
  const rows: [address: string, problem: string, what: string][] = [
    [email, 'account-exists', 'as it is'],
    ['Nora.Field@EXAMPLE.com', 'account-exists', 'in capitals'],
    ['nora.field@ｅxample.com', 'account-exists', 'a wide letter, which is the same domain'],
    ['nora.field@exam\u00ADple.com', 'account-exists', 'a soft hyphen, which is dropped'],
    ['nora.field@example\u3002com', 'account-exists', 'an ideographic dot'],
    ['nora.field@exаmple.com', 'email-unverified', 'a Cyrillic letter is another domain'],
    ['nora.field@example.com.evil.example', 'email-unverified', 'a longer domain'],
    ['nоra.field@example.com', 'provider-email-missing', 'a Cyrillic letter before the @'],
    ['nora.field@example.com.', 'provider-email-missing', 'a dot at the end'],
    ['nora.field@example.com\r\nBcc: all@example.com', 'provider-email-missing', 'a header'],
    ['nora.field@exa\0mple.com', 'provider-email-missing', 'a control character'],
    ['nora.field@exa\u202Emple.com', 'provider-email-missing', 'another direction'],
    ['nora.field@exa\uD800mple.com', 'provider-email-missing', 'half a character'],
    ['evil@evil.example, nora.field@example.com', 'provider-email-missing', 'two'],
    ['Nora <nora.field@example.com>', 'provider-email-missing', 'with a name'],
    ['"nora.field"@example.com', 'provider-email-missing', 'quoted'],
    ['nora.field@[127.0.0.1]', 'provider-email-missing', 'a network address'],
    [`${'n'.repeat(300)}@example.com`, 'provider-email-missing', 'too long']
  ]
  for (const [address, problem, what] of rows) {
    speakAs(evil, lying({ email: address, email_verified: true, hd: 'example.com' }))
    const result = await signIn('evil')
    t.equal(result.problem, problem, what)
    t.equal(result.me, undefined, what)
  }
  t.equal(await accountsOf(id), 0)
  t.equal(await app.db.$count(users), 1, 'and creates none without a link by mail')
})

t.test('a liar gets nobody into a domain that requires another provider', async (t) => {
  for (const trustsEmail of ['never', 'claim'] as const) {
    const {
      evil,
      signIn,
      user: aPerson
    } = await evilAndStaff(t, { trustsEmail }, { required: true })
    speakAs(evil, lying({ email, email_verified: true }))
    t.equal((await signIn('evil')).problem, 'provider-required', 'somebody new')
    const { id } = await aPerson()
    t.equal((await signIn('evil')).problem, 'provider-required', 'somebody known')
    t.equal((await signIn('staff')).id, id)
  }
})

t.test('the subject of one provider is nobody at another', async (t) => {
  const { evil, app, signIn, user: aPerson } = await evilAndStaff(t, { trustsEmail: 'claim' })
  const { id } = await aPerson()
  const staff = await signIn('staff')
  t.equal(staff.id, id)
  speakAs(evil, lying({ sub: 'nora', email: 'eve@evil.example', email_verified: true }))
  const eve = await signIn('evil')
  t.match(eve.me, { user: { email: 'eve@evil.example' } })
  t.not(eve.id, id)

  const logout = async (iss: string) => {
    const token = await evil.logoutToken('nora', ({ header, claims }) => ({
      header,
      claims: { ...claims, iss, iat: Number(claims.iat) - 1 }
    }))
    return app.inject({
      method: 'POST',
      url: '/api/auth/providers/evil/logout',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: token }).toString()
    })
  }
  t.equal((await logout(app.config.providers[1]?.issuer ?? '')).statusCode, 400)
  t.ok(await eve.browser.me())
  t.equal((await logout(evil.issuer)).statusCode, 200)
  t.equal(await eve.browser.me(), undefined)
  t.equal((await staff.browser.me())?.user.id, id, 'a logout ends sessions of its own issuer')
})

t.test('a liar who names the account of somebody else links and confirms nothing', async (t) => {
  const { evil, app, signIn, accountsOf, user: aPerson } = await evilAndStaff(t)
  const [victim, thief] = [await aPerson(), await aPerson('eve@evil.example')]
  const own = async ({ id, email }: { id: string; email: string }) => {
    const { cookie } = await callerOf(app, { id, email })
    return aBrowser(app, cookie)
  }
  const [ofVictim, ofThief] = [await own(victim), await own(thief)]
  const link = { intent: 'link' }
  t.equal((await signIn('evil', link, ofVictim)).problem, undefined)
  t.equal((await signIn('evil', link, ofThief)).problem, 'provider-account-taken')
  speakAs(evil, lying({ sub: 'eve' }))
  t.equal((await signIn('evil', link, ofThief)).problem, undefined)
  speakAs(evil, lying({ sub: 'nora' }))
  const again = { intent: 'reauthenticate' }
  t.equal((await signIn('evil', again, ofThief)).problem, 'provider-refused')
  t.same([await accountsOf(victim.id), await accountsOf(thief.id)], [1, 1])
})

t.test('a liar proves neither a recent authentication nor a second factor', async (t) => {
  const { evil, signIn, app, user: aPerson } = await evilAndStaff(t, { trustsEmail: 'claim' })
  const strong = { amr: ['pwd', 'otp', 'mfa'], acr: 'urn:two' }
  for (const at of [Date.parse(far) / 1000, 1e15, 1e300, 0, undefined]) {
    speakAs(evil, lying({ ...strong, auth_time: at }))
    const { browser, me } = await signIn('evil')
    t.match(me, { session: { assurance: 1, authenticatedAt: '1970-01-01T00:00:00.000Z' } })
    const refused = await browser.call('PUT', '/api/user/password', {
      newPassword: 'a new one 123'
    })
    t.match(refused.json(), { code: 'reauthentication-required' }, `auth_time ${at}`)
    const again = await signIn('evil', { intent: 'reauthenticate' }, browser)
    t.equal(again.problem, 'provider-refused', `auth_time ${at}`)
  }
  for (const at of [-1, '0', [], {}, null, true]) {
    speakAs(evil, lying({ auth_time: at }))
    t.equal((await signIn('evil')).problem, 'provider-refused', JSON.stringify(at))
  }
  const user = await aPerson('two@example.com')
  await anAppFor(app, user)
  speakAs(evil, lying({ ...strong, sub: 'two', email: user.email, email_verified: true }))
  const { problem, me } = await signIn('evil')
  t.equal(problem, 'second-factor-due')
  t.equal(me, undefined)
})

t.test('a liar gets only the roles that are mapped, and proves none that needs two', async (t) => {
  const roles = { claim: 'groups', map: { staff: 'support', chiefs: 'strict' } }
  const { evil, app, signIn } = await evilAndStaff(t, { trustsEmail: 'claim', roles })
  const role = { name: 'A role', permissions: [] }
  await createRole(app.db, operator, { ...role, key: 'support' })
  await createRole(app.db, operator, { ...role, key: 'strict', requiresSecondFactor: true })
  const rows: [groups: unknown, roles: string[], suspended: string[]][] = [
    [['staff', 'chiefs', 'admin', 'strict'], ['support', 'user'], ['strict']],
    [['admin', 'user', 'support'], ['user'], []],
    [['__proto__', 'constructor', 'toString', 'hasOwnProperty'], ['user'], []],
    [{ staff: true, length: 1, 0: 'staff' }, ['user'], []],
    [[['staff']], ['user'], []],
    [[null, 7, {}, true, 'STAFF', 'staff ', 'ｓtaff'], ['user'], []],
    [Array.from({ length: 5000 }, (_, i) => `group-${i}`), ['user'], []],
    [['staff', 'staff', 'staff'], ['support', 'user'], []]
  ]
  for (const [groups, expected, suspended] of rows) {
    speakAs(evil, lying({ groups, amr: ['mfa'], assurance: 2, requiresSecondFactor: false }))
    const { browser } = await signIn('evil')
    const me = (await browser.call('GET', '/api/auth/me')).json()
    const what = JSON.stringify(groups).slice(0, 60)
    t.same([me.user.roles, me.user.suspendedRoles], [expected, suspended], what)
  }
})

t.test('a liar who replays, swaps and waits signs nobody in', async (t) => {
  const { evil, app, signIn } = await evilAndStaff(t, { trustsEmail: 'claim' })
  const kept: Record<string, unknown>[] = []
  evil.alter.idToken = ({ header, claims }) => {
    kept.push(claims)
    return { header, claims }
  }
  const first = await signIn('evil')
  t.equal(first.problem, undefined)
  speakAs(evil, () => ({ ...kept[0] }))
  t.equal((await signIn('evil')).problem, 'provider-refused', 'the ID token of before')
  speakAs(evil, ({ nonce, ...claims }) => ({ ...claims, nonce: kept[0]?.nonce }))
  t.equal((await signIn('evil')).problem, 'provider-refused', 'the nonce of before')
  speakAs(evil, (claims) => claims)

  const attempt = async (browser = aBrowser(app)) => {
    const { url = '' } = await begin(app, browser.jar, { key: 'evil' })
    return { jar: browser.jar, callback: await walk(url, 'nora') }
  }
  const [one, two] = [await attempt(), await attempt()]
  const swapped = { ...one.callback, params: new URLSearchParams(two.callback.params) }
  t.equal((await comeBack(app, one.jar, swapped)).problem, 'flow-expired', 'another state')
  const mixed = { ...one.callback, params: new URLSearchParams(one.callback.params) }
  mixed.params.set('code', two.callback.params.get('code') ?? '')
  t.equal((await comeBack(app, one.jar, mixed)).problem, 'provider-refused', 'another code')
  t.equal((await comeBack(app, one.jar, one.callback)).problem, 'flow-expired', 'a second try')

  const { jar, callback } = await attempt()
  const replayed = new Map(jar)
  t.equal((await comeBack(app, jar, callback)).problem, undefined)
  t.equal((await comeBack(app, replayed, callback)).problem, 'flow-expired', 'the same code')
})

t.test('what UserInfo says against the ID token does not count', async (t) => {
  const roles = { claim: 'groups', map: { staff: 'support' } }
  const {
    evil,
    app,
    signIn,
    user: aPerson
  } = await evilAndStaff(t, {
    trustsEmail: 'claim',
    assurance: { amr: ['mfa'], acr: ['two'] },
    roles
  })
  await createRole(app.db, operator, { key: 'support', name: 'Support', permissions: [] })
  const victim = await aPerson()
  const own = 'eve@evil.example'
  const now = Math.floor(Date.now() / 1000)
  speakAs(evil, ({ amr: _, auth_time: __, ...claims }) => ({
    ...claims,
    email: own,
    email_verified: true,
    name: 'Eve',
    groups: undefined
  }))
  evil.alter.userInfo = ({ sub }) => ({
    ...{ sub, email, email_verified: true, name: 'Nora', iss: 'https://staff.example' },
    ...{ amr: ['mfa'], acr: 'two', auth_time: now, iat: now + 1e6, xms_edov: true }
  })
  const { id, me } = await signIn('evil')
  t.not(id, victim.id)
  t.match(me, {
    user: { email: own, name: 'Eve', roles: ['user'] },
    session: { assurance: 1, authenticatedAt: '1970-01-01T00:00:00.000Z' }
  })
  evil.alter.userInfo = () => ({ sub: 'lea', groups: ['staff'] })
  t.equal((await signIn('evil')).problem, 'provider-refused', 'of another subject')
})
