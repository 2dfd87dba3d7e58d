import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { pendingLogins } from '../../db/schema/sessions.ts'
import { activityOf, aUser, ownApp, testDatabaseUrl } from '../support/app.ts'
import { emptied } from '../support/empty-app.ts'
import { confirmed } from '../support/mails.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { configured } from '../support/providers/configured.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'
import { forgeToken, readToken } from '../support/providers/tokens.ts'
import type { Token } from '../support/providers/tokens.ts'
import { anAppFor } from '../support/second-factors.ts'

async function startInstances(t: Test) {
  const acme = await startOidcProvider(t)
  const beta = await startOidcProvider(t, { keys: ['beta'] })
  const url = await testDatabaseUrl(t)
  const config = {
    SECRET_KEYS: [{ kid: 'test', secret: randomBytes(32) }],
    providers: [
      configured.oidc(acme, { trustsEmail: 'claim' }),
      configured.oidc(beta, { key: 'beta', trustsEmail: 'claim' })
    ]
  }
  const one = await ownApp(t, config, await openDatabase(url, { poolMax: 5 }))
  const two = await ownApp(t, config, await openDatabase(url, { poolMax: 5 }))
  const logout = (token: string, type = 'application/x-www-form-urlencoded', at = 'acme') =>
    one.inject({
      method: 'POST',
      url: `/api/auth/providers/${at}/logout`,
      headers: { 'content-type': type },
      payload: new URLSearchParams({ logout_token: token }).toString()
    })
  const logoutAt = (at: string, token: string) => logout(token, undefined, at)
  return { acme, beta, one, two, logout, logoutAt }
}
const instances = await startInstances(t)

/** Both instances, which no test before has used. */
async function twoInstances() {
  instances.acme.reset()
  instances.beta.reset()
  await emptied(instances.one.db)
  return instances
}

const claims =
  (changes: Record<string, unknown>) =>
  ({ header, claims }: Token): Token => ({ header, claims: { ...claims, ...changes } })

t.test('a logout token ends the sessions of its account, on every instance', async (t) => {
  const { acme, one, two, logout } = await twoInstances()
  const [nora, second, lea] = [aBrowser(two), aBrowser(two), aBrowser(two)]
  for (const browser of [nora, second]) await browser.through('acme', 'nora')
  await lea.through('acme', 'lea')
  const me = await nora.me()
  t.ok(me && (await second.me()))
  const aSecondAgo = claims({ iat: Math.floor(Date.now() / 1000) - 1 })
  const token = await acme.logoutToken('nora', aSecondAgo)
  t.match(await logout(token), { statusCode: 200, body: '{}' })
  t.equal(await nora.me(), undefined, 'with the next request to the other instance')
  t.equal(await second.me(), undefined)
  t.ok(await lea.me(), 'another account keeps its sessions')
  t.match(await activityOf(one.database, me?.user.id ?? ''), [
    { action: 'auth.provider-logout', details: { provider: 'acme', revoked: 2 } }
  ])

  await nora.through('acme', 'nora')
  const repeated = await logout(token)
  t.match(repeated.json(), { status: 400, code: 'provider-refused' })
  t.ok(await nora.me(), 'a replayed token ends nothing')
  t.equal((await logout(await acme.logoutToken('nobody'))).statusCode, 200)
})

const event = 'http://schemas.openid.net/event/backchannel-logout'
const type =
  (typ: string | undefined) =>
  ({ header: { typ: _, ...header }, claims }: Token): Token => ({
    header: { ...header, ...(typ !== undefined && { typ }) },
    claims
  })

t.test('a logout token of before there was a type for it ends sessions', async (t) => {
  const { acme, two, logout } = await twoInstances()
  for (const typ of [undefined, 'JWT', 'jwt', 'application/logout+jwt']) {
    const nora = aBrowser(two)
    await nora.through('acme', 'nora')
    t.ok(await nora.me())
    // The token is a second old, so that the next sign-in has another second.
    const now = Math.floor(Date.now() / 1000)
    const token = await acme.logoutToken('nora', (token) =>
      claims({ iat: now - 1 })(type(typ)(token))
    )
    t.equal((await logout(token)).statusCode, 200, typ ?? 'none')
    t.equal(await nora.me(), undefined, typ ?? 'none')
  }
})

t.test(
  'a sign-in that is under way when its user signs out at the provider gets no session',
  async (t) => {
    const { acme, one, two, logout } = await twoInstances()
    const first = aBrowser(two)
    await first.through('acme', 'nora')
    acme.alter.idToken = async (token) => {
      delete acme.alter.idToken
      t.equal((await logout(await acme.logoutToken('nora'))).statusCode, 200)
      return token
    }
    const late = aBrowser(one)
    t.equal((await late.through('acme', 'nora')).problem, 'provider-refused')
    t.equal(await late.me(), undefined)
    acme.alter.idToken = claims({ iat: Math.floor(Date.now() / 1000) + 2 })
    t.equal((await late.through('acme', 'nora')).problem, undefined, 'a sign-in of after it')
  }
)

t.test(
  'a logout ends a sign-in that waits for its second factor to link the account',
  async (t) => {
    const { acme, one, logout } = await twoInstances()
    const user = await confirmed(one.database, await aUser(one.database, 'nora.field@example.com'))
    await anAppFor(one, user)
    t.equal((await aBrowser(one).through('acme', 'nora')).problem, 'second-factor-due')
    t.equal(await one.db.$count(pendingLogins), 1)
    await logout(await acme.logoutToken('lea'))
    t.equal(await one.db.$count(pendingLogins), 1)
    await logout(await acme.logoutToken('nora'))
    t.equal(await one.db.$count(pendingLogins), 0)
  }
)

t.test(
  'a logout ends a sign-in with a linked account that waits for its second factor',
  async (t) => {
    const { acme, one, logout } = await twoInstances()
    const user = await confirmed(one.database, await aUser(one.database, 'nora.field@example.com'))
    await aBrowser(one).through('acme', 'nora')
    await anAppFor(one, user)
    t.equal((await aBrowser(one).through('acme', 'nora')).problem, 'second-factor-due')
    t.equal(await one.db.$count(pendingLogins), 1)
    await logout(await acme.logoutToken('nora'))
    t.equal(await one.db.$count(pendingLogins), 0)
  }
)

t.test('a token of one provider does not use up the id of one of another', async (t) => {
  const { acme, beta, two, logoutAt } = await twoInstances()
  const lea = aBrowser(two)
  await lea.through('beta', 'lea')
  t.ok(await lea.me())
  const same = claims({ jti: 'the same' })
  await logoutAt('acme', await acme.logoutToken('nora', same))
  t.equal((await logoutAt('beta', await beta.logoutToken('lea', same))).statusCode, 200)
  t.equal(await lea.me(), undefined)
})

t.test('an older token that arrives late admits no sign-in of before the newer one', async (t) => {
  const { acme, two, logout } = await twoInstances()
  const nora = aBrowser(two)
  await nora.through('acme', 'nora')
  const now = Math.floor(Date.now() / 1000)
  for (const iat of [now, now - 100]) {
    t.equal((await logout(await acme.logoutToken('nora', claims({ iat })))).statusCode, 200)
  }
  acme.alter.idToken = claims({ iat: now - 50 })
  t.equal((await nora.through('acme', 'nora')).problem, 'provider-refused')
})

t.test('a logout token that is not valid ends nothing', async (t) => {
  const { acme, two, logout } = await twoInstances()
  const nora = aBrowser(two)
  await nora.through('acme', 'nora')
  const now = Math.floor(Date.now() / 1000)
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const without =
    (name: string) =>
    ({ header, claims: all }: Token) => ({
      header,
      claims: Object.fromEntries(
        Object.entries(all).filter(([key]) => key !== name)
      ) as Token['claims']
    })
  const cases: Record<string, Promise<string> | string> = {
    'a nonce': acme.logoutToken('nora', claims({ nonce: 'x' })),
    'another audience': acme.logoutToken('nora', claims({ aud: 'another' })),
    'another issuer': acme.logoutToken('nora', claims({ iss: 'https://evil.example' })),
    'an old one': acme.logoutToken('nora', claims({ iat: now - 200 })),
    'one from the future': acme.logoutToken('nora', claims({ iat: now + 200 })),
    'no jti': acme.logoutToken('nora', without('jti')),
    'no subject': acme.logoutToken('nora', without('sub')),
    'no events': acme.logoutToken('nora', without('events')),
    'other events': acme.logoutToken('nora', claims({ events: { 'http://other': {} } })),
    'no expiry': acme.logoutToken('nora', without('exp')),
    'a number as subject': acme.logoutToken('nora', claims({ sub: 5 })),
    'an object as subject': acme.logoutToken('nora', claims({ sub: {} })),
    'an object as jti': acme.logoutToken('nora', claims({ jti: {} })),
    'a number as jti': acme.logoutToken('nora', claims({ jti: 1 })),
    'an empty jti': acme.logoutToken('nora', claims({ jti: '' })),
    'an event that is null': acme.logoutToken('nora', claims({ events: { [event]: null } })),
    'an event that is a text': acme.logoutToken('nora', claims({ events: { [event]: 'x' } })),
    'another type': acme.logoutToken('nora', type('at+jwt')),
    'no signature': acme
      .logoutToken('nora')
      .then((token) => `${base64({ alg: 'none', typ: 'logout+jwt' })}.${token.split('.')[1]}.`),
    'another key': forgeToken(readToken(await acme.logoutToken('nora'))),
    'no token': 'x'
  }
  for (const [what, token] of Object.entries(cases)) {
    t.match((await logout(await token)).json(), { status: 400 }, what)
    t.ok(await nora.me(), what)
  }
  const json = await logout(await acme.logoutToken('nora'), 'application/json')
  t.equal(json.statusCode, 415)
})
