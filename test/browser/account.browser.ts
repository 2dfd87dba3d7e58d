import t from 'tap'
import { aUser, password, until } from '../support/app.ts'
import { anAppFor, wrongCode } from '../support/second-factors.ts'
import { addAuthenticator } from './authenticators.ts'
import { checkAccessibility, takeScreenshot } from './axe.ts'
import type { Page } from './chromium.ts'
import { startPages } from './portal.ts'

const { app, base, open } = await startPages(t)

/** A new tab, in which nobody is signed in. */
async function visit(path: string) {
  const page = await open('/account/not-found')
  await page.command('Network.clearBrowserCookies')
  await page.go(base + path)
  return page
}
async function typePassword(page: Page, email: string) {
  await page.type('[name=email]', email)
  await page.type('[name=password]', password)
  await page.click('[type=submit]')
}
const isAt = (page: Page, path: string) =>
  until(() => page.evaluate(`location.pathname + location.search === ${JSON.stringify(path)}`))

t.test('a user signs in with a code, and gets to where they came from', async (t) => {
  const user = await aUser(app.database)
  const phone = await anAppFor(app, user)
  const page = await visit('/account/sign-in?return=/account?from=app')
  await until(() => page.evaluate("document.querySelector('[name=email]') !== null"))
  await checkAccessibility(t, page, 'sign-in')
  await takeScreenshot(page, 'account-sign-in')
  await typePassword(page, user.email)
  await until(() => page.evaluate("document.querySelector('[name=code]') !== null"))
  await checkAccessibility(t, page, 'second factor')
  await page.type('[name=code]', await wrongCode(phone))
  await page.click('[type=submit]')
  await until(() => page.evaluate("document.querySelector('[role=alert]') !== null"))
  t.equal(
    await page.evaluate("document.querySelector('[name=code]').value.length"),
    6,
    'it is kept'
  )
  await page.type('[name=code]', await phone.code())
  await page.click('[type=submit]')
  await isAt(page, '/account?from=app')
  await until(async () => (await page.read('main'))?.includes(user.email))
})

t.test('a user signs in with a passkey, in German', async (t) => {
  const user = await aUser(app.database)
  const page = await visit('/account/sign-in')
  await page.command('Emulation.setUserAgentOverride', { userAgent: '', acceptLanguage: 'de-AT' })
  const device = await addAuthenticator(page)
  await page.go(`${base}/account/sign-in`)
  t.equal(await page.read('h1'), 'Bei portal anmelden')
  t.equal(await page.evaluate('document.documentElement.lang'), 'de')
  await page.type('[name=email]', user.email)
  await page.type('[name=password]', 'not this password')
  await page.click('[type=submit]')
  await until(async () => /Passwort ist falsch/.test((await page.read('main')) ?? ''))
  await page.type('[name=password]', password)
  await page.click('[type=submit]')
  await until(() => page.evaluate("location.pathname === '/docs'"))

  await page.evaluate(`(async () => {
    const post = async (path, body) => (await fetch(path, {
      method: 'POST',
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    }))
    const options = await (await post('/api/user/passkeys/options')).json()
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const credential = (await navigator.credentials.create({ publicKey })).toJSON()
    await post('/api/user/passkeys', { credential })
    await post('/api/auth/logout')
  })()`)
  await device.setPresence(false) // so that the offer in the form waits
  await page.go(`${base}/account`)
  await until(() => page.evaluate("document.querySelector('[type=button]') !== null"))
  await device.setPresence(true)
  await page.click('[type=button]')
  await until(async () => (await page.read('main'))?.includes(user.email))
  t.equal(await page.evaluate('location.pathname'), '/account', 'a view keeps its address')
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
    await until(() => page.evaluate("document.querySelector('[name=email]') !== null"))
    await typePassword(page, email)
    await until(() => page.evaluate("location.pathname === '/docs'"))
    t.equal(await page.evaluate('location.origin'), base, given)
  }
})

t.test('a token is taken out of the address', async (t) => {
  const page = await visit('/account/not-found?token=canary&return=/account')
  await until(() => page.evaluate("document.querySelector('h1') !== null"))
  t.equal(await page.evaluate('location.search'), '?return=%2Faccount')
  t.equal(await page.evaluate('history.length'), 3, 'nor is it in the history')
})
