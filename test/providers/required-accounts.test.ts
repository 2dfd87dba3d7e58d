import t from 'tap'
import type { Test } from 'tap'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { aRole, aUser, callerOf, password } from '../support/app.ts'
import { keyCaller } from '../support/keys.ts'
import { confirmed } from '../support/mails.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { portalOf } from '../support/providers/portal.ts'
import { anAppFor, codeOf, letProofsAge } from '../support/second-factors.ts'

// Users who must sign in with a provider, after the sign-in: this tests their other accounts,
// passwords, second factors, sessions and keys.

const again = { intent: 'reauthenticate' } as const
const link = { intent: 'link' } as const
const newPassword = 'a new and long password'

/** `staff` speaks for example.com, and `require` makes it required; `other` is any provider. */
async function aPortal(t: Test) {
  const { app, staff, providers } = await portalOf(t, {
    staff: { domains: ['example.com'], trustsEmail: 'domains' },
    other: { name: 'Other' }
  })
  const [provider] = providers
  if (!provider) throw new Error('no provider')
  const sayOutside = () => {
    staff.alter.idToken = ({ header, claims }) => ({
      header,
      claims: { ...claims, email: 'guest@elsewhere.example' }
    })
  }
  return {
    app,
    staff,
    provider,
    /** Whoever signs in now has an address of another domain. */
    sayOutside,
    require: () => (provider.required = true),
    /** A user of the domain, signed in with the password. */
    async user(...roles: string[]) {
      const user = await confirmed(
        app.database,
        await aUser(app.database, 'nora.field@example.com')
      )
      const { cookie } = await callerOf(app, user, ...roles)
      return { user, browser: aBrowser(app, cookie) }
    }
  }
}

t.test('another account at the required provider does not sign in', async (t) => {
  const { app, staff, sayOutside, require, user: aPerson } = await aPortal(t)
  const { user, browser } = await aPerson()
  await browser.through('staff', 'nora', link)
  sayOutside()
  t.equal((await browser.through('staff', 'lea', link)).problem, undefined, 'linked before')
  require()
  const guest = aBrowser(app)
  t.equal((await guest.through('staff', 'lea')).problem, 'provider-required')
  t.equal(await guest.me(), undefined)
  delete staff.alter.idToken
  t.equal((await guest.through('staff', 'nora')).problem, undefined)
  t.equal((await guest.me())?.user.id, user.id)
})

t.test('an address of the domain that the provider does not confirm does not count', async (t) => {
  const { app, staff, require, user: aPerson } = await aPortal(t)
  const { browser } = await aPerson()
  await browser.through('staff', 'nora', link)
  require()
  staff.alter.idToken = ({ header, claims }) => ({
    header,
    claims: { ...claims, email_verified: false }
  })
  const another = aBrowser(app)
  t.equal((await another.through('staff', 'nora')).problem, 'provider-required')
})

t.test('another account at the required provider is not linked', async (t) => {
  const { app, staff, sayOutside, require, user: aPerson } = await aPortal(t)
  await aPerson()
  require()
  const browser = aBrowser(app)
  await browser.through('staff', 'nora')
  sayOutside()
  t.equal((await browser.through('staff', 'lea', link)).problem, 'managed-by-provider')
  delete staff.alter.idToken
  t.equal((await browser.through('staff', 'lea', link)).problem, undefined, 'of the domain')
  t.equal(await app.db.$count(providerAccounts), 2)
})

t.test('the password confirms nothing for a user who must use a provider', async (t) => {
  const { app, require, user: aPerson } = await aPortal(t)
  const { user, browser } = await aPerson()
  await browser.through('staff', 'nora', link)
  require()
  const signedIn = aBrowser(app)
  await signedIn.through('staff', 'nora')
  for (const each of [browser, signedIn]) {
    for (const [method, url, body] of [
      ['POST', '/api/auth/reauthenticate', { password }],
      ['PUT', '/api/user/password', { currentPassword: password, newPassword }],
      ['POST', '/api/user/deletion', { currentPassword: password }]
    ] as const) {
      const response = await each.call(method, url, body)
      t.match(response.json(), { status: 403, code: 'provider-required' }, url)
    }
  }
  await letProofsAge(app, user)
  const refused = await signedIn.call('POST', '/api/user/totp')
  t.match(refused.json(), { methods: ['provider'], providers: [{ key: 'staff' }] })
})

t.test('a user without a password who must use a provider gets none', async (t) => {
  const { app, require } = await aPortal(t)
  require()
  const browser = aBrowser(app)
  await browser.through('staff', 'nora')
  const set = await browser.call('PUT', '/api/user/password', { newPassword })
  t.match(set.json(), { status: 403, code: 'provider-required' })
})

t.test('only the required provider lets its users authenticate again', async (t) => {
  const { app, sayOutside, require, user: aPerson } = await aPortal(t)
  const { user, browser } = await aPerson()
  await browser.through('staff', 'nora', link)
  await browser.through('other', 'nora', link)
  require()
  await letProofsAge(app, user)
  const start = { intent: 'reauthenticate' }
  t.match((await browser.call('POST', '/api/auth/providers/other', start)).json(), {
    status: 403,
    code: 'provider-required'
  })
  const { providers } = (await browser.call('POST', '/api/user/totp')).json()
  t.match([providers.length, providers[0]], [1, { key: 'staff' }])
  t.equal((await browser.through('staff', 'nora', again)).problem, undefined)
  t.equal((await browser.call('POST', '/api/user/totp')).statusCode, 200)
  sayOutside()
  t.equal((await browser.through('staff', 'nora', again)).problem, 'provider-required')
})

t.test('a session of before the requirement is not raised without the provider', async (t) => {
  const { app, require, user: aPerson } = await aPortal(t)
  const { user, browser } = await aPerson()
  const { code } = await anAppFor(app, user, { secondFactor: false })
  await browser.through('staff', 'nora', link)
  require()
  const refused = await browser.call('POST', '/api/auth/reauthenticate', { code: await code() })
  t.match(refused.json(), { status: 403, code: 'provider-required' })
  const signedIn = aBrowser(app)
  await signedIn.through('staff', 'nora')
  const raised = await signedIn.call('POST', '/api/auth/reauthenticate', { code: await code() })
  t.match(raised.json(), { session: { assurance: 2 } })
})

t.test('an account of another domain counts in no session of before the requirement', async (t) => {
  const { app, sayOutside, require, user: aPerson } = await aPortal(t)
  const { user, browser } = await aPerson()
  const { code } = await anAppFor(app, user, { secondFactor: false })
  sayOutside()
  await browser.through('staff', 'lea', link)
  const guest = aBrowser(app)
  t.equal((await guest.through('staff', 'lea')).problem, undefined)
  require()
  const refused = await guest.call('POST', '/api/auth/reauthenticate', { code: await code() })
  t.match(refused.json(), { status: 403, code: 'provider-required' })
  t.match(await guest.me(), { session: { assurance: 1 } })
})

t.test('an address for which the provider does not speak counts in no such session', async (t) => {
  const { app, provider, require, user: aPerson } = await aPortal(t)
  const { user, browser } = await aPerson()
  const { code } = await anAppFor(app, user, { secondFactor: false })
  provider.trustsEmail = 'never' // as Google, for an account that is not of the company's directory
  await browser.through('staff', 'nora', link)
  const guest = aBrowser(app)
  t.equal((await guest.through('staff', 'nora')).problem, undefined)
  provider.trustsEmail = 'domains'
  require()
  const refused = await guest.call('POST', '/api/auth/reauthenticate', { code: await code() })
  t.match(refused.json(), { status: 403, code: 'provider-required' })
  t.equal((await guest.through('staff', 'nora')).problem, undefined)
  const raised = await guest.call('POST', '/api/auth/reauthenticate', { code: await code() })
  t.match(raised.json(), { session: { assurance: 2 } }, 'since the provider speaks for it')
})

t.test(
  'an account of another domain counts in no sign-in of before that waits for its second step',
  async (t) => {
    const { app, sayOutside, require, user: aPerson } = await aPortal(t)
    const { user, browser } = await aPerson()
    sayOutside()
    await browser.through('staff', 'lea', link)
    const { code } = await anAppFor(app, user)
    const guest = aBrowser(app)
    t.equal((await guest.through('staff', 'lea')).problem, 'second-factor-due')
    require()
    const refused = await guest.call('POST', '/api/auth/login/verify', { code: await code() })
    t.match(refused.json(), { status: 403, code: 'provider-required' })
    t.equal(await guest.me(), undefined)
  }
)

t.test('no second factor is added in a session of before the requirement', async (t) => {
  const { app, require, user: aPerson } = await aPortal(t)
  const { browser } = await aPerson()
  const begun = await browser.call('POST', '/api/user/totp')
  require()
  const { secret } = begun.json() as { secret: string }
  const code = await codeOf(app.db, secret)
  const added = await browser.call('POST', '/api/user/totp/confirm', { code })
  t.match(added.json(), { status: 403, code: 'provider-required' })
})

t.test('the old password does not keep a user of Google from authenticating again', async (t) => {
  const { app, staff, provider, require, user: aPerson } = await aPortal(t)
  provider.kind = 'google'
  staff.alter.idToken = ({ header, claims: { auth_time: _, ...claims } }) => ({
    header,
    claims: { ...claims, hd: 'example.com' }
  })
  const { user } = await aPerson()
  require()
  const browser = aBrowser(app)
  t.equal((await browser.through('staff', 'nora')).problem, undefined)
  await letProofsAge(app, user)
  t.match((await browser.call('POST', '/api/user/totp')).json(), {
    methods: ['provider'],
    providers: [{ key: 'staff' }]
  })
  t.equal((await browser.through('staff', 'nora', again)).problem, undefined)
  t.equal((await browser.call('POST', '/api/user/totp')).statusCode, 200)
})

t.test('a logout at the required provider ends the API keys of its user', async (t) => {
  const { app, staff, require, user: aPerson } = await aPortal(t)
  const { browser } = await aPerson(await aRole(app.database, 'keys:create'))
  await browser.through('staff', 'nora', link)
  const key = await browser.call('POST', '/api/user/keys', { name: 'A key' })
  const { me } = keyCaller(app, (key.json() as { secret: string }).secret)
  const logout = async () =>
    app.inject({
      method: 'POST',
      url: '/api/auth/providers/staff/logout',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: await staff.logoutToken('nora') }).toString()
    })
  t.equal((await logout()).statusCode, 200)
  t.equal((await me()).statusCode, 200, 'where it is not required, keys go on')
  require()
  t.equal((await logout()).statusCode, 200)
  t.equal((await me()).statusCode, 401)
})
