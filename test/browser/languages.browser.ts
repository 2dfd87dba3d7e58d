import { eq } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { aUser, callerOf } from '../support/app.ts'
import { isHeaded, shows, signIn } from './account-pages.ts'
import { prefer } from './chromium.ts'
import type { Page } from 'playwright-core'
import { startPages } from './portal.ts'

const { app, base, open } = await startPages(t)

/** A new tab of a browser that prefers this language, in which nobody is signed in. */
async function visit(path: string, language: string) {
  const page = await open('/account/not-found')
  await page.context().clearCookies()
  await prefer(page, language)
  await page.goto(base + path)
  return page
}
const languageOf = (page: Page) => page.evaluate(() => [...navigator.languages])

t.test('a language that Intl rejects leaves no page blank', async (t) => {
  const admin = await aUser(app.database)
  await callerOf(app, admin, 'admin')
  for (const language of ['en-US@posix', 'c', '*', 'i-klingon']) {
    const account = await visit('/account/sessions', language)
    t.same(await languageOf(account), [language])
    await isHeaded(account, 'Sign in to see your sessions')
    await signIn(account, admin.email)
    await isHeaded(account, 'Sessions')
    await shows(account, 'This browser')

    await account.goto(`${base}/console/sessions`)
    await shows(account, admin.email)
    t.match(await account.getAttribute('time', 'title'), /\d{4}/, 'a time is shown')
  }
})

t.test('times are in the language of the reader that Intl accepts', async (t) => {
  const user = await aUser(app.database)
  await callerOf(app, user)
  const createdAt = new Date(Date.now() - 49 * 3_600_000)
  await app.db.update(sessions).set({ createdAt }).where(eq(sessions.userId, user.id))
  const page = await visit('/account/sessions', '*,de-AT')
  t.same(await languageOf(page), ['*', 'de-AT'])
  await signIn(page, user.email)
  await isHeaded(page, 'Sitzungen')
  await shows(page, 'Zuletzt verwendet: gerade eben, angemeldet: vorgestern')
  t.match(await page.getAttribute('time', 'title'), /^\w+, \d+\. \w+ \d{4} um \d\d:\d\d/)
})

t.test('what a browser finds wrong in a form is said in the language of the page', async (t) => {
  const page = await visit('/account/register', 'de-AT')
  await isHeaded(page, 'Konto bei portal anlegen')
  await page.fill('[name=name]', 'Grete')
  await page.fill('[name=email]', 'grete')
  await page.click('main [type=submit]')
  await shows(page, 'Geben Sie eine E-Mail-Adresse ein')
  await shows(page, 'Füllen Sie dieses Feld aus.')
  t.equal(await page.getAttribute(':focus', 'name'), 'email', 'the first mistake has the focus')
  t.equal(await page.getAttribute('[name=email]', 'aria-invalid'), 'true')
  await page.fill('[name=email]', 'grete@example.com')
  t.equal(await page.getAttribute('[name=email]', 'aria-invalid'), null, 'until it is changed')
})

t.test('a stored language that no browser knows is shown as it is', async (t) => {
  const user = await aUser(app.database)
  await app.db.update(users).set({ locale: 'i-klingon' }).where(eq(users.id, user.id))
  const page = await visit('/account/profile', 'en')
  await signIn(page, user.email)
  await page.locator('[name=locale]').waitFor()
  t.match(await page.textContent('[name=locale]'), /i-klingon/)
})

t.test('a page that a network sends in place of the portal is explained', async (t) => {
  for (const [language, words, button] of [
    ['en', 'The response is not from the portal.', 'Sign in'],
    ['de', 'Die Antwort ist nicht vom Portal.', 'Anmelden']
  ] as const) {
    const page = await visit('/account/sign-in', language)
    await page.locator('[name=email]').waitFor()
    await page.route('**/api/auth/login', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Accept the terms</h1>' })
    )
    await page.fill('[name=email]', 'ada@example.com')
    await page.fill('[name=password]', 'correct horse battery')
    await page.getByRole('button', { name: button, exact: true }).click()
    await shows(page, words)
    t.equal(await page.inputValue('[name=email]'), 'ada@example.com', 'what was typed is kept')
  }
})
