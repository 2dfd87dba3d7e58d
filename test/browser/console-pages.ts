import type { Test } from 'tap'
import { aUser, callerOf, password, until } from '../support/app.ts'
import type { Page } from './chromium.ts'
import { keyboardOf } from './keyboard.ts'
import { startPages } from './portal.ts'

/** A portal with a console, and tabs in which somebody uses it. */
export async function startConsole(t: Test) {
  const { app, base, open } = await startPages(t)
  /** A new tab, in which nobody is signed in. */
  async function visit(path: string) {
    const page = await open('/console/not-found')
    await page.command('Network.clearBrowserCookies')
    await page.go(base + path)
    await until(() => page.evaluate("document.querySelector('[name=email]') !== null"))
    return page
  }
  const isSignedIn = (page: Page) =>
    until(() => page.evaluate("document.querySelector('header nav') !== null"))
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
    /** The same with the keyboard alone. */
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
  await page.type(`${within} [name=email]`, email)
  await page.type(`${within} [name=password]`, password)
  await page.click(`${within} [type=submit]`)
}

/** Waits until the part of the page shows a text. */
export const shows = (page: Page, text: string | RegExp, selector = 'body') =>
  until(async () => {
    const found = await page.evaluate<string>(
      `document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`
    )
    return typeof text === 'string' ? found.includes(text) : text.test(found)
  })

/** Clicks the first element that the expression finds, once nothing moves it any more. */
async function clickOn(page: Page, expression: string) {
  await until(() =>
    page.evaluate(`(() => {
      const found = ${expression}
      document.querySelector('[data-click]')?.removeAttribute('data-click')
      found?.setAttribute('data-click', '')
      found?.scrollIntoView({ block: 'center' })
      return found && found.ariaDisabled !== 'true' && !document.querySelector('[aria-busy=true]')
    })()`)
  )
  await page.click('[data-click]')
}
/** Clicks the first button, link or summary with this text. */
export const press = (page: Page, text: string, within = 'body') =>
  clickOn(
    page,
    `[...document.querySelectorAll(${JSON.stringify(`:is(${within}) :is(a, button, summary)`)})]
      .find(({ innerText }) => innerText.trim() === ${JSON.stringify(text)})`
  )
/** Clicks what a selector finds. */
export const click = (page: Page, selector: string) =>
  clickOn(page, `document.querySelector(${JSON.stringify(selector)})`)
