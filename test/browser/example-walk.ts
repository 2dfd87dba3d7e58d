import { URI } from 'otpauth'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { freshEmail, password, until } from '../support/app.ts'
import { addAuthenticator } from './authenticators.ts'
import type { startChromium } from './chromium.ts'

interface World {
  origin: string
  /** The link in the mail to a new user. */
  confirmationLink: (page: Page, email: string) => Promise<string>
  grantAccountant: (email: string) => Promise<unknown>
}

const isHeaded = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
export const text = async (page: Page, selector = 'main') =>
  (await page.textContent(selector)) ?? ''
export const shows = (page: Page, expected: string | RegExp, selector?: string) =>
  until(async () => {
    const found = await text(page, selector)
    return typeof expected === 'string' ? found.includes(expected) : expected.test(found)
  })
export async function fill(page: Page, form: string, fields: Record<string, string>) {
  for (const [name, value] of Object.entries(fields)) {
    await page.fill(`${form} [name=${name}]`, value)
  }
  await page.click(`${form} button`)
}
export const follow = (page: Page, href: string) => page.click(`#signed-in a[href="${href}"]`)
const invoices = (page: Page) => page.evaluate(async () => (await fetch('/api/invoices')).status)

/** Collects errors of scripts and violations of the content policy. */
function watch() {
  sessionStorage.complaints ??= ''
  for (const type of ['error', 'unhandledrejection', 'securitypolicyviolation']) {
    addEventListener(type, (event) => {
      const { message, reason, violatedDirective, blockedURI } = event as Event &
        Record<'message' | 'reason' | 'violatedDirective' | 'blockedURI', unknown>
      sessionStorage.complaints += [message, reason, violatedDirective, blockedURI].join(' ')
    })
  }
}
const complaints = (page: Page) => page.evaluate<string>(() => sessionStorage.complaints)

/** Walks through every view, and requires that no script fails and the policy is kept. */
export async function walk(
  t: Test,
  chromium: Awaited<ReturnType<typeof startChromium>>,
  { origin, confirmationLink, grantAccountant }: World
) {
  const email = freshEmail()
  const page = await chromium.open(origin)
  await page.addInitScript(watch)
  await page.goto(`${origin}/register`)
  const device = await addAuthenticator(page)

  t.equal(await invoices(page), 401, 'a visitor')
  await fill(page, 'form', { name: 'Ada Lovelace', email, password: 'password' })
  await shows(page, /common password/, 'main output')
  t.equal(
    await page.getAttribute('[name=password]', 'aria-invalid'),
    'true',
    'the field to correct'
  )
  await fill(page, 'form', { name: 'Ada Lovelace', email, password })
  await shows(page, `We have sent a link to ${email}`)

  await page.goto(await confirmationLink(page, email))
  await isHeaded(page, 'Confirm your address')
  t.equal(await page.evaluate(() => location.search), '', 'the token is not in the address')
  await fill(page, 'main form', { password })
  await shows(page, 'Hello, Ada Lovelace')
  t.match(await text(page), 'Welcome.', 'the flag of a visitor and of other users')

  await follow(page, '/invoices')
  await shows(page, /permission/, 'main output')
  t.equal(await invoices(page), 403, 'without the permission')
  await grantAccountant(email)
  await page.click('main button')
  await shows(page, 'Analytical Engines Ltd')
  await page.goto(origin)
  await shows(page, 'Your invoices have missed you.')

  await follow(page, '/profile')
  await isHeaded(page, 'Profile')
  await fill(page, 'main form', { location: 'London', website: 'no address' })
  t.equal(
    await page
      .locator('[name=website]')
      .evaluate((input) => (input as HTMLInputElement).validity.typeMismatch),
    true,
    'the browser asks for an address'
  )
  await fill(page, 'main form', { website: 'https://example.com/ada' })
  await shows(page, 'Saved')
  await page.goto(`${origin}/profile`)
  await until(async () => (await page.inputValue('[name=location]')) === 'London')

  const uri = await setUpCodes(t, page)
  await page.click('#sign-out')
  await shows(page, 'Sign in')
  t.equal(await invoices(page), 401, 'after the sign-out')
  await fill(page, '#password-form', { email, password })
  await page.locator('#code-form').waitFor()
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
  await isHeaded(page, 'Sign in') // the other tab has told this one
  t.notMatch(await text(page), 'Analytical Engines Ltd')
  t.equal(await complaints(page), '', 'no error, and the policy is kept')
  await page.evaluate(() => document.body.setAttribute('style', 'color: red'))
  await until(async () => (await complaints(page)).includes('style-src'))
}

/** Sets up an authenticator app, and returns the secret as a link. */
async function setUpCodes(t: Test, page: Page) {
  await follow(page, '/security')
  await shows(page, 'with your password alone')
  await page.click('#begin-form button')
  const uri = await appLink(page)
  t.match(await text(page, '[data-text=secret]'), /^[A-Z2-7]{32}$/)
  await fill(page, '#app-form', { code: codeOf(uri) })
  await shows(page, '10 recovery codes are left')
  t.equal(await page.locator('#recovery li').count(), 10)
  return uri
}

/** The secret of the app that is being set up, as a link, once the page shows it. */
export async function appLink(page: Page) {
  const qr = page.locator('#qr')
  await until(() => qr.evaluate((image) => (image as HTMLImageElement).naturalWidth > 0))
  return (await page.getAttribute('#app-link', 'href')) ?? ''
}

/** The code of an authenticator app, or the next one: each is accepted once. */
export const codeOf = (uri: string, ahead = 0) =>
  URI.parse(uri).generate({ timestamp: Date.now() + ahead * 30_000 })
