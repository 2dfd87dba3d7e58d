import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { aUser, callerOf, password, until } from '../support/app.ts'
import { keyboardOf } from './keyboard.ts'
import { startPages } from './portal.ts'
import type { Changes } from './portal.ts'

/** A portal with a console, and tabs in which somebody uses it. */
export async function startConsole(t: Test, changes: Changes = {}) {
  const { app, base, open } = await startPages(t, changes)
  /** A new tab, in which nobody is signed in. */
  async function visit(path: string) {
    const page = await open('/console/not-found')
    await page.context().clearCookies()
    await page.goto(base + path)
    await page.locator('[name=email]').waitFor()
    return page
  }
  const isSignedIn = (page: Page) => page.locator('header nav').waitFor()
  return {
    app,
    base,
    open,
    visit,
    /** An administrator with an address that pages can show. */
    anAdministrator: async () =>
      callerOf(app, await aUser(app.database, 'admin@example.com'), 'admin'),
    /** A new tab with a view, after signing in to it. */
    async visitAs(user: { email: string }, path: string) {
      const page = await visit(path)
      await signIn(page, user)
      await isSignedIn(page)
      return page
    },
    /** Signs in with the keyboard alone. */
    async visitByKeyboard({ email }: { email: string }, path: string) {
      const page = await visit(path)
      const keyboard = keyboardOf(page)
      await keyboard.fill('E-mail address', email)
      await keyboard.fill('Password', password)
      await keyboard.press('Enter')
      await isSignedIn(page)
      return { page, ...keyboard }
    }
  }
}

/** Types address and password into the form in this part of the page, and presses the button. */
export async function signIn(page: Page, { email }: { email: string }, within = 'main') {
  await page.fill(`${within} [name=email]`, email)
  await page.fill(`${within} [name=password]`, password)
  await page.click(`${within} [type=submit]`)
}

/** Opens the first command of a view. */
export const openCommand = (page: Page) => page.locator('.command > summary').first().click()

/** Waits for a command that the view offers, opened or not. */
export const offers = (page: Page, command: string) =>
  page.locator('.command code', { hasText: command }).first().waitFor({ state: 'attached' })

/** Waits until the part of the page shows a text. */
export const shows = (page: Page, text: string | RegExp, selector = 'body') =>
  until(async () => {
    const found = await page.innerText(selector)
    return typeof text === 'string' ? found.includes(text) : text.test(found)
  })

/** Waits until the console says what an action has done, which stays there for screen readers. */
export const says = (page: Page, text: string | RegExp) => shows(page, text, '.shell > :last-child')

/** Clicks what a selector finds first, once the page loads nothing that could move it. */
export async function click(page: Page, selector: string) {
  await isLoaded(page)
  await page.click(selector)
}
/** Waits until nothing is being loaded. */
export const isLoaded = (page: Page) => until(async () => (await isBusy(page).count()) === 0)
const isBusy = (page: Page) => page.locator('[aria-busy=true]')

/** Clicks the first button, link or summary with this text. */
export async function press(page: Page, text: string | RegExp, within = 'body') {
  const found = page
    .locator(`:is(${within}) :is(a, button, summary)`)
    .and(page.getByText(text, { exact: true }))
    .first()
  await found.waitFor()
  await isLoaded(page)
  await found.click()
}
