import { eq } from 'drizzle-orm'
import { URI } from 'otpauth'
import { users } from '../../db/schema/users.ts'
import { createPermission } from '../../src/domain/access/custom-permissions.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { createFlag } from '../../src/domain/flags/flags.ts'
import t from 'tap'
import type { Test } from 'tap'
import { aRole, aUser, freshEmail, operator, password, testApp, until } from '../helpers.ts'
import { startMailServer } from '../mail/server.ts'
import { freePort } from '../postgres.ts'
import { startNginx } from '../proxies/proxies.ts'
import { confirmed } from '../mails.ts'
import { letProofsAge } from '../second-factors.ts'
import { addAuthenticator } from './authenticators.ts'
import { startChromium } from './chromium.ts'
import type { Page } from './chromium.ts'
import { installExample, npm, startExample, startService } from './example-app.ts'

// Chromium walks through examples/app as docs/tutorial.md describes it.

interface World {
  origin: string
  /** The link in the mail to a new user. */
  confirmationLink: (page: Page, email: string) => Promise<string>
  grantAccountant: (email: string) => Promise<unknown>
}

const folder = installExample(t)
const chromium = await startChromium(t)

const heading = (page: Page) => page.evaluate<string>("document.querySelector('h1')?.textContent")
const text = (page: Page, selector = 'main') =>
  page.evaluate<string>(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`)
const shows = (page: Page, expected: string | RegExp, selector?: string) =>
  until(async () => {
    const found = await text(page, selector)
    return typeof expected === 'string' ? found.includes(expected) : expected.test(found)
  })
async function fill(page: Page, form: string, fields: Record<string, string>) {
  for (const [name, value] of Object.entries(fields)) {
    await page.type(`${form} [name=${name}]`, value)
  }
  await page.click(`${form} button`)
}
const follow = (page: Page, href: string) => page.click(`#signed-in a[href="${href}"]`)
const invoices = (page: Page) =>
  page.evaluate<number>("fetch('/api/invoices').then(({ status }) => status)")

/** Collects errors of scripts and violations of the content policy. */
const watch = `
sessionStorage.complaints ??= ''
const complain = ({ message, reason, violatedDirective, blockedURI }) => {
  sessionStorage.complaints += [message, reason, violatedDirective, blockedURI].join(' ')
}
for (const type of ['error', 'unhandledrejection', 'securitypolicyviolation']) {
  addEventListener(type, complain)
}`

async function walk(t: Test, { origin, confirmationLink, grantAccountant }: World) {
  const email = freshEmail()
  const page = await chromium.open(origin)
  await page.command('Page.enable')
  await page.command('Page.addScriptToEvaluateOnNewDocument', { source: watch })
  await page.go(`${origin}/register`)
  const device = await addAuthenticator(page)

  t.equal(await invoices(page), 401, 'a visitor')
  await fill(page, 'form', { name: 'Ada Lovelace', email, password: 'password' })
  await shows(page, /common password/, 'main output')
  t.equal(
    await page.evaluate("document.querySelector('[name=password]').ariaInvalid"),
    'true',
    'the field to correct'
  )
  await fill(page, 'form', { name: 'Ada Lovelace', email, password })
  await shows(page, `We have sent a link to ${email}`)

  await page.go(await confirmationLink(page, email))
  await until(async () => (await heading(page)) === 'Confirm your address')
  t.equal(await page.evaluate('location.search'), '', 'the token is not in the address')
  await fill(page, 'main form', { password })
  await shows(page, 'Hello, Ada Lovelace')
  t.match(await text(page), 'Welcome.', 'the flag of a visitor and of other users')

  await follow(page, '/invoices')
  await shows(page, /permission/, 'main output')
  t.equal(await invoices(page), 403, 'without the permission')
  await grantAccountant(email)
  await page.click('main button')
  await shows(page, 'Analytical Engines Ltd')
  await page.go(origin)
  await shows(page, 'Your invoices have missed you.')

  await follow(page, '/profile')
  await until(async () => (await heading(page)) === 'Profile')
  await fill(page, 'main form', { location: 'London', website: 'no address' })
  t.equal(
    await page.evaluate("document.querySelector('[name=website]').validity.typeMismatch"),
    true,
    'the browser asks for an address'
  )
  await fill(page, 'main form', { website: 'https://example.com/ada' })
  await shows(page, 'Saved')
  await page.go(`${origin}/profile`)
  await until(() => page.evaluate("document.querySelector('[name=location]')?.value === 'London'"))

  const uri = await setUpCodes(t, page)
  await page.click('#sign-out')
  await shows(page, 'Sign in')
  t.equal(await invoices(page), 401, 'after the sign-out')
  await fill(page, '#password-form', { email, password })
  await until(() => page.evaluate("!document.querySelector('#code-form').hidden"))
  t.equal(await invoices(page), 401, 'with the password alone')
  await fill(page, '#code-form', { code: '000000' })
  await shows(page, /code/i, '#code-form output')
  await fill(page, '#code-form', { code: codeOf(uri, 1) })
  await shows(page, 'Hello, Ada Lovelace')

  await follow(page, '/security')
  await page.click('#add-form button')
  await shows(page, /^Added: /, '#add-form output')
  t.equal((await device.credentials()).length, 1)
  await page.click('#sign-out')
  await page.click('#passkey-form button')
  await shows(page, 'Hello, Ada Lovelace')

  await follow(page, '/invoices')
  await shows(page, 'Analytical Engines Ltd')
  const other = await chromium.open(origin)
  await other.click('#sign-out')
  await shows(other, 'Sign in')
  t.equal(await invoices(page), 401)
  await page.click('main button')
  await until(async () => (await heading(page)) === 'Sign in')
  t.notMatch(await text(page), 'Analytical Engines Ltd')
  t.equal(await page.evaluate('sessionStorage.complaints'), '', 'no error, and the policy is kept')
  await page.evaluate("document.body.setAttribute('style', 'color: red')")
  await until(() => page.evaluate("sessionStorage.complaints.includes('style-src')"))
}

/** Sets up an authenticator app, and returns the secret as a link. */
async function setUpCodes(t: Test, page: Page) {
  await follow(page, '/security')
  await shows(page, 'with your password alone')
  await page.click('#begin-form button')
  await until(() => page.evaluate("document.querySelector('#qr').naturalWidth > 0"))
  const uri = await page.evaluate<string>("document.querySelector('#app-link').href")
  t.match(await text(page, '[data-text=secret]'), /^[A-Z2-7]{32}$/)
  await fill(page, '#app-form', { code: codeOf(uri) })
  await shows(page, '10 recovery codes are left')
  t.equal(await page.evaluate("document.querySelectorAll('#recovery li').length"), 10)
  return uri
}

/** The code of an authenticator app, or the next one: each is accepted once. */
const codeOf = (uri: string, ahead = 0) =>
  URI.parse(uri).generate({ timestamp: Date.now() + ahead * 30_000 })

t.test('a user walks through the app in development', async (t) => {
  const { origin, portal, password: secret } = await startExample(t, folder)
  await walk(t, {
    origin,
    async confirmationLink(page, email) {
      await until(async () => {
        await page.go(`${origin}/mail`)
        return (await text(page, 'body')).includes(email)
      })
      await page.click('td a')
      await until(() => page.evaluate("document.querySelector('pre') !== null"))
      return /http:\S+\/confirm\?token=\S+/.exec(await text(page, 'pre'))?.[0] ?? ''
    },
    async grantAccountant(email) {
      const login = await fetch(`${portal}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'admin@portal.localhost', password: secret })
      })
      const cookie = login.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ')
      const found = await fetch(`${portal}/api/admin/users?q=${email}`, { headers: { cookie } })
      const { items } = (await found.json()) as { items: { id: string }[] }
      const url = `${portal}/api/admin/users/${items[0]?.id}/roles/accountant`
      t.equal((await fetch(url, { method: 'PUT', headers: { cookie } })).status, 204)
    }
  })
})

/** The built app behind nginx, with a portal in production mode. */
async function startBuilt(t: Test) {
  npm(folder, 'run', 'build')
  const portal = await freePort()
  const service = await startService(t, folder)
  const { port } = await startNginx(
    t,
    { portals: [portal, portal], service },
    { 'root /srv/app;': `root ${folder}/dist;` }
  )
  const origin = `http://localhost:${port}`
  const mailServer = await startMailServer(t)
  const app = await testApp(t, {
    development: false,
    PUBLIC_ORIGIN: origin,
    TRUST_PROXY: ['127.0.0.1'],
    EMAIL_VERIFICATION: 'required',
    MAIL_URL: mailServer.url,
    MAIL_FROM: 'portal@example.com',
    ACCOUNT_URL: `${origin}/account`
  })
  await app.listen({ host: '127.0.0.1', port: portal })
  await createPermission(app.db, operator, { key: 'invoices:read' })
  return { app, origin, mails: mailServer.mails, service }
}

const built = await startBuilt(t)

t.test('a user walks through the built app behind nginx in production mode', async (t) => {
  const { app, origin, mails, service } = built
  const accountant = await aRole(app.database, 'invoices:read')
  await createFlag(app.db, operator, {
    key: 'new-greeting',
    type: 'boolean',
    variants: { on: true, off: false },
    defaultVariant: 'off',
    offVariant: 'off',
    rules: [{ when: { rolesAny: [accountant] }, serve: { variant: 'on' } }]
  })
  await walk(t, {
    origin,
    async confirmationLink(_page, email) {
      const { mail } = await until(() => mails.find(({ to }) => to.includes(email)))
      return /http:\S+\/confirm\?token=\S+/.exec(mail.text ?? '')?.[0] ?? ''
    },
    async grantAccountant(email) {
      const [user] = await app.db.select().from(users).where(eq(users.email, email))
      await grantRole(app.db, operator, { userId: user?.id ?? '', role: accountant })
    }
  })
  const direct = await fetch(`http://127.0.0.1:${service}/api/invoices`)
  t.equal(direct.status, 503, 'the service answers only what the proxy has checked')
})

t.test('a change that needs a recent proof asks for it, and is then repeated', async (t) => {
  const { app, origin } = built
  const user = await confirmed(app.database, await aUser(app.database))
  const page = await chromium.open(`${origin}/sign-in`)
  await fill(page, '#password-form', { email: user.email, password })
  await shows(page, 'Hello, Ada Lovelace')
  await letProofsAge(app, user)
  await follow(page, '/security')

  await page.click('#begin-form button')
  await page.click('#proof [name=cancel]')
  await shows(page, /\w/, '#begin-form output')
  t.equal(await page.evaluate("document.querySelector('#app-form').hidden"), true, 'cancelled')

  await page.click('#begin-form button')
  await page.type('#proof [name=password]', 'not this password')
  await page.click('#proof button')
  await shows(page, /\w/, '#proof output')
  await page.type('#proof [name=password]', password)
  await page.click('#proof button')
  await until(() => page.evaluate("document.querySelector('#qr').naturalWidth > 0"))
  const uri = await page.evaluate<string>("document.querySelector('#app-link').href")
  await fill(page, '#app-form', { code: codeOf(uri) })
  await shows(page, '10 recovery codes are left')

  const codes = await text(page, '#recovery ul')
  await letProofsAge(app, user)
  await page.click('#renew-form button')
  await page.type('#proof [name=code]', codeOf(uri, 1))
  await page.click('#proof button')
  await until(async () => (await text(page, '#recovery ul')) !== codes)
  t.equal(await page.evaluate("document.querySelector('#proof').open"), false)
})
