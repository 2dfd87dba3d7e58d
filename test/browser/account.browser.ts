import type { Page } from 'playwright-core'
import t from 'tap'
import { aUser, password, until } from '../support/app.ts'
import { anAppFor, wrongCode } from '../support/second-factors.ts'
import { isAt } from './account-pages.ts'
import { addAuthenticator } from './authenticators.ts'
import { checkAccessibility } from './axe.ts'
import { prefer } from './chromium.ts'
import { startPages } from './portal.ts'

const { app, base, open } = await startPages(t)

/** A new tab, in which nobody is signed in. */
async function visit(path: string) {
  const page = await open('/account/not-found')
  await page.context().clearCookies()
  await page.goto(base + path)
  return page
}

async function typePassword(page: Page, email: string) {
  await page.fill('[name=email]', email)
  await page.fill('[name=password]', password)
  await page.click('[type=submit]')
}

t.test('a user signs in with a code, and gets to where they came from', async (t) => {
  const user = await aUser(app.database)
  const phone = await anAppFor(app, user)
  const page = await visit('/account/sign-in?return=/account?from=app')
  await page.locator('[name=email]').waitFor()
  await checkAccessibility(t, page, 'sign-in')
  await typePassword(page, user.email)
  await page.locator('[name=code]').waitFor()
  t.equal(await page.textContent('h1'), 'Confirm your sign-in')
  t.match(await page.textContent('main'), user.email)
  t.equal(await page.locator('main a').count(), 0, 'the password was accepted')
  await checkAccessibility(t, page, 'second factor')
  await page.fill('[name=code]', await wrongCode(phone))
  await page.click('[type=submit]')
  await page.locator('[role=alert]').waitFor()
  t.equal((await page.inputValue('[name=code]')).length, 6, 'it is kept')
  await page.fill('[name=code]', await phone.code())
  await page.click('[type=submit]')
  await isAt(page, '/account?from=app')
  await until(async () => (await page.textContent('main'))?.includes(user.email))
})

t.test('a user signs in with a passkey, in German', async (t) => {
  const user = await aUser(app.database)
  const page = await visit('/account/sign-in')
  await prefer(page, 'de-AT')
  const device = await addAuthenticator(page)
  await page.goto(`${base}/account/sign-in`)
  t.equal(await page.textContent('h1'), 'Bei portal anmelden')
  t.equal(await page.evaluate(() => document.documentElement.lang), 'de')
  await page.fill('[name=email]', user.email)
  await page.fill('[name=password]', 'not this password')
  await page.click('[type=submit]')
  await until(async () => /Passwort ist falsch/.test((await page.textContent('main')) ?? ''))
  await page.fill('[name=password]', password)
  await page.click('[type=submit]')
  await isAt(page, '/account')

  await page.evaluate(async () => {
    const method = 'POST'
    const headers = { 'content-type': 'application/json' }
    const options = await (await fetch('/api/user/passkeys/options', { method })).json()
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const credential = await navigator.credentials.create({ publicKey })
    const body = JSON.stringify({ credential })
    await fetch('/api/user/passkeys', { method, headers, body })
    await fetch('/api/auth/logout', { method })
  })
  await device.setPresence(false) // so that the offer in the form waits
  await page.goto(`${base}/account`)
  const offer = page.getByRole('button', { name: 'Mit Passkey anmelden' })
  await offer.waitFor()
  await device.setPresence(true)
  await offer.click()
  await until(async () => (await page.textContent('main'))?.includes(user.email))
  t.equal(await page.evaluate(() => location.pathname), '/account', 'a view keeps its address')
})

t.test('a password can be shown, and is hidden when it is sent', async (t) => {
  const page = await visit('/account/sign-in')
  const type = () => page.getAttribute('[name=password]', 'type')
  await page.fill('[name=email]', 'ada@example.com')
  await page.fill('[name=password]', 'not this password')
  t.equal(await type(), 'password')
  await page.getByRole('button', { name: 'Show: Password' }).click()
  t.equal(await type(), 'text')
  t.equal(await page.getAttribute('[name=password]', 'autocomplete'), 'current-password')
  await checkAccessibility(t, page, 'a password that is shown')
  await page.click('[type=submit]')
  t.equal(await type(), 'password')
  await page.locator('[role=alert]').waitFor()
  t.equal(await page.inputValue('[name=password]'), 'not this password', 'it is kept')
})

t.test('an address of another site is not where a sign-in leads', async (t) => {
  const { email } = await aUser(app.database)
  for (const given of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    'javascript:document.title="evil"'
  ]) {
    const page = await visit(`/account/sign-in?return=${encodeURIComponent(given)}`)
    await page.locator('[name=email]').waitFor()
    await typePassword(page, email)
    await isAt(page, '/account')
    t.equal(await page.evaluate(() => location.origin), base, given)
  }
})

t.test('a token is taken out of the address', async (t) => {
  const page = await visit('/account/not-found?token=canary&return=/account')
  await page.locator('h1').waitFor()
  t.equal(await page.evaluate(() => location.search), '?return=%2Faccount')
  t.equal(await page.evaluate(() => history.length), 3, 'nor is it in the history')
})
