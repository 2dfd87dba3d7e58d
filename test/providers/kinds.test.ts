import { eq } from 'drizzle-orm'
import t from 'tap'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { identityOf } from '../../src/domain/providers/identity.ts'
import type { Provider } from '../../src/domain/providers/provider.ts'
import { aUser, ownApp } from '../support/app.ts'
import { confirmed, mailsOf } from '../support/mails.ts'
import { startApple } from '../support/providers/apple.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { configured } from '../support/providers/configured.ts'
import { startEntra } from '../support/providers/entra.ts'
import { startGithub } from '../support/providers/github.ts'

const email = 'nora.field@example.com'
const tenant = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490'

t.test('GitHub: a confirmed primary address is claimed, and opens no account', async (t) => {
  const github = await startGithub(t)
  const app = await ownApp(t, { providers: [configured.github(github)] })
  const mails = mailsOf(app)
  await confirmed(app.database, await aUser(app.database, email))
  const anybody = async () => (await aBrowser(app).through('github')).problem

  github.user.email = email // the profile shows what its owner writes there
  for (const emails of [
    [{ email, primary: true, verified: false }],
    [{ email, primary: false, verified: true }],
    [{ email, primary: true, verified: 'yes' }],
    [],
    { message: 'Not Found' }
  ]) {
    github.emails = emails
    t.equal(await anybody(), 'provider-email-missing', JSON.stringify(emails))
  }
  for (const id of [undefined, '583231', -0.5, {}]) {
    github.user.id = id
    t.equal(await anybody(), 'provider-refused', `id ${JSON.stringify(id)}`)
  }
  github.user.id = 583_231
  github.error = 'bad_verification_code' // with status 200
  t.equal(await anybody(), 'provider-refused')
  github.error = undefined

  // GitHub sends 30 addresses unless it is asked for more.
  const others = Array.from({ length: 60 }, (_, i) => ({
    email: `other-${i}@example.com`,
    primary: false,
    verified: true
  }))
  github.emails = [...others, { email, primary: true, verified: true }]
  const browser = aBrowser(app)
  t.equal((await browser.through('github')).problem, 'account-exists')
  t.equal(await browser.me(), undefined)

  const own = 'octo@example.com'
  github.emails = [{ email: own, primary: true, verified: true }]
  t.equal((await browser.through('github')).problem, 'email-unverified')
  const token = await mails.token(own, 'confirm')
  t.equal(
    (await browser.through('github', undefined, { intent: 'confirm', token })).problem,
    undefined
  )
  t.match(await browser.me(), { user: { email: own, emailVerified: true } })
  t.match(await app.db.select().from(providerAccounts), [
    { issuer: 'https://github.com', subject: '583231', provider: 'github' }
  ])
})

t.test('Entra: an address counts only if its domain is the tenant’s own', async (t) => {
  const entra = await startEntra(t, tenant)
  const app = await ownApp(t, { providers: [configured.entra(entra)] })
  const victim = await confirmed(app.database, await aUser(app.database, email))
  for (const edov of [false, undefined, '0', 0, '1', 'false', {}, null]) {
    if (edov === undefined) delete entra.claims.xms_edov
    else entra.claims.xms_edov = edov
    const browser = aBrowser(app)
    t.equal((await browser.through('entra')).problem, 'provider-email-missing', String(edov))
    t.equal(await browser.me(), undefined)
  }
  entra.claims.xms_edov = 1
  const browser = aBrowser(app)
  t.equal((await browser.through('entra')).problem, undefined)
  t.equal((await browser.me())?.user.id, victim.id)
})

t.test('Entra: the domains of a single tenant are its own, unless it denies one', async (t) => {
  const entra = await startEntra(t, tenant)
  const provider = configured.entra(entra, { domains: ['example.com'], trustsEmail: 'domains' })
  const app = await ownApp(t, { providers: [provider] })
  entra.claims.xms_edov = false
  t.equal((await aBrowser(app).through('entra')).problem, 'provider-email-missing')
  delete entra.claims.xms_edov
  t.equal((await aBrowser(app).through('entra')).problem, undefined)
})

t.test('Apple: a posted callback, a signed client secret, and a text for true', async (t) => {
  const apple = await startApple(t)
  const email = 'nora@privaterelay.appleid.com'
  apple.claims.email = email
  const app = await ownApp(t, { providers: [configured.apple(apple)] })
  apple.claims.email_verified = 'false'
  t.equal((await aBrowser(app).through('apple')).problem, 'provider-email-missing')
  apple.claims.email_verified = 'true'
  const browser = aBrowser(app)
  t.equal((await browser.through('apple')).problem, undefined)
  t.match(await browser.me(), { user: { email, emailVerified: true, name: 'nora' } })
  const [account] = await app.db
    .select()
    .from(providerAccounts)
    .where(eq(providerAccounts.provider, 'apple'))
  t.equal(account?.subject, apple.claims.sub)
})

t.test('Apple: an address of another mailbox is claimed, and opens no account', async (t) => {
  const apple = await startApple(t)
  const app = await ownApp(t, { providers: [configured.apple(apple)] })
  await confirmed(app.database, await aUser(app.database, email))
  t.equal((await aBrowser(app).through('apple')).problem, 'account-exists')
  t.equal(await app.db.$count(providerAccounts), 0)
})

/** Google as the configuration names it. */
const google = {
  key: 'google',
  kind: 'google',
  trustsEmail: 'never',
  domains: [],
  assurance: { amr: [], acr: [] }
} as unknown as Provider
const oidc = (changes: Partial<Provider>) => ({ ...google, kind: 'oidc' as const, ...changes })

t.test('what is trusted about an address depends on the kind of provider', async (t) => {
  const trust = (provider: Provider, claims: object) =>
    identityOf(provider, { iss: 'https://op.example', sub: 's', ...claims }).address?.trust
  const staff = oidc({ trustsEmail: 'domains', domains: ['acme.example'] })
  const cases: [Provider, object, string | undefined][] = [
    [google, { email: 'a@gmail.com', email_verified: true }, 'authoritative'],
    [google, { email: 'a@googlemail.com', email_verified: true }, 'authoritative'],
    [
      google,
      { email: 'a@acme.example', email_verified: true, hd: 'acme.example' },
      'authoritative'
    ],
    [google, { email: 'a@acme.example', email_verified: true, hd: 'beta.example' }, 'claimed'],
    [google, { email: 'a@acme.example', email_verified: true }, 'claimed'],
    [google, { email: 'a@gmail.com', email_verified: false }, undefined],
    [google, { email: 'a@gmail.com', email_verified: 'true' }, 'authoritative'],
    [google, { email: 'a@gmail.com' }, undefined],
    [google, { email: 'a@gmail.com.evil.example', email_verified: true }, 'claimed'],
    [staff, { email: 'a@acme.example' }, 'authoritative'],
    [staff, { email: 'A@ACME.example' }, 'authoritative'],
    [staff, { email: 'a@acme.example', email_verified: false }, undefined],
    [staff, { email: 'a@sub.acme.example' }, undefined],
    [staff, { email: 'a@other.example', email_verified: true }, 'claimed'],
    [
      oidc({ trustsEmail: 'claim' }),
      { email: 'a@b.example', email_verified: true },
      'authoritative'
    ],
    [
      oidc({ trustsEmail: 'claim' }),
      { email: 'a@b.example', email_verified: 'true' },
      'authoritative'
    ],
    [oidc({ trustsEmail: 'claim' }), { email: 'a@b.example' }, undefined],
    [oidc({ trustsEmail: 'never' }), { email: 'a@b.example', email_verified: true }, 'claimed'],
    [oidc({ trustsEmail: 'never' }), { email: 'no address', email_verified: true }, undefined]
  ]
  for (const [provider, claims, expected] of cases) {
    t.equal(trust(provider, claims), expected, `${provider.kind} ${JSON.stringify(claims)}`)
  }
})

t.test('only true, and true as text, say that an address is confirmed', async (t) => {
  const provider = (kind: string) => ({ ...google, kind }) as Provider
  const staff = oidc({ trustsEmail: 'domains', domains: ['acme.example'] })
  const entra = { ...provider('microsoft'), domains: ['acme.example'] }
  const apple = provider('apple')
  const speaking: [Provider, string][] = [
    [staff, 'a@acme.example'],
    [entra, 'a@acme.example'],
    [oidc({ trustsEmail: 'claim' }), 'a@acme.example'],
    [google, 'a@gmail.com'],
    ...['icloud.com', 'me.com', 'mac.com', 'privaterelay.appleid.com'].map(
      (domain): [Provider, string] => [apple, `a@${domain}`]
    )
  ]
  for (const [by, email] of speaking) {
    const trust = (verified: unknown) =>
      identityOf(by, { iss: 'https://op.example', sub: 's', email, email_verified: verified })
        .address?.trust
    for (const verified of [true, 'true']) {
      t.equal(trust(verified), 'authoritative', `${by.kind} ${JSON.stringify(verified)}`)
    }
    for (const verified of [false, 'false', 0, 1, null, 'no', 'TRUE', '', [], [true], {}]) {
      t.equal(trust(verified), undefined, `${by.kind} ${email} ${JSON.stringify(verified)}`)
    }
  }
})
