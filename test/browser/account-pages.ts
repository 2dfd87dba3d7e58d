import type { Test } from 'tap'
import type { Config } from '../../src/config/config.ts'
import { password, until } from '../support/app.ts'
import type { Page } from './chromium.ts'
import { startPages } from './portal.ts'

/** A portal with account pages, and how a person uses them: by the words on the page. */
export async function startAccount(t: Test, changes: Partial<Config> = {}) {
  const { app, base, open } = await startPages(t, changes)
  /** A new tab, in which nobody is signed in. */
  async function visit(path: string) {
    const page = await open('/account/not-found')
    await page.command('Network.clearBrowserCookies')
    await page.go(base + path)
    return page
  }
  return {
    app,
    base,
    visit,
    /** A new tab with a view, after signing in to it. */
    async visitAs({ email }: { email: string }, path: string) {
      const page = await visit(path)
      await signIn(page, email)
      return page
    }
  }
}

/** Types address and password into the form that the page shows, and presses the button. */
export async function signIn(page: Page, email: string, secret = password) {
  await page.type('[name=email][autocomplete^=username]', email)
  await page.type('[name=password]', secret)
  await page.click('[type=submit]')
}

/** Waits until the page has these words, which a person can see. */
export const shows = (page: Page, words: string | RegExp) =>
  until(async () => {
    const text = await page.evaluate<string>("document.body?.innerText ?? ''")
    return typeof words === 'string' ? text.includes(words) : words.test(text)
  })

export const isAt = (page: Page, path: string) =>
  until(() => page.evaluate(`location.pathname + location.search === ${JSON.stringify(path)}`))

/** The heading of the view, once it is this one. */
export const isHeaded = (page: Page, heading: string) =>
  until(() => page.evaluate(`document.querySelector('h1')?.textContent === ${quote(heading)}`))

const quote = JSON.stringify

/** Waits until the text is announced and has the focus, whose button is gone. */
export const isReported = (page: Page, text: string) =>
  until(() =>
    page.evaluate(`(({ activeElement: it }) =>
      it.role === 'status' && it.textContent === ${quote(text)})(document)`)
  )

/**
 * Marks the element that an expression finds, once it rests in the window, and returns a selector
 * for it. A heading that gets the focus scrolls the page, some frames after it is shown.
 */
async function mark(page: Page, expression: string) {
  await until(() =>
    page.evaluate(`(async () => {
      const found = ${expression}
      if (!found) return false
      document.querySelector('[data-found]')?.removeAttribute('data-found')
      found.setAttribute('data-found', '')
      found.scrollIntoView({ block: 'center', behavior: 'instant' })
      const place = () => found.getBoundingClientRect().top
      const before = place()
      for (let n = 0; n < 4; n++) await new Promise(requestAnimationFrame)
      return found.isConnected && place() === before
    })()`)
  )
  return '[data-found]'
}

/** The part of the page to look in: the dialog, the section with this heading, or all of it. */
const scope = (heading: string | undefined) =>
  heading === undefined
    ? "(document.querySelector('dialog') ?? document)"
    : `[...document.querySelectorAll('section, li')]
        .find((part) => part.querySelector('h2, strong')?.textContent === ${quote(heading)})`

/** Presses the button or link with this label, once it can be pressed. */
export async function press(page: Page, label: string, under?: string) {
  const found = `[...(${scope(under)}?.querySelectorAll('button:not([aria-disabled=true]), a') ?? [])]
    .find((each) => each.textContent === ${quote(label)})`
  await until(async () => {
    const selector = await mark(page, found)
    await page.evaluate(`{
      window.isPressed = false
      const listen = () => { window.isPressed = true }
      document.querySelector('${selector}')?.addEventListener('click', listen, { capture: true })
    }`)
    await page.click(selector)
    // It may have moved away, because what is above it was loaded. Another page has no such value.
    return (await page.evaluate('window.isPressed')) !== false
  })
}

/** Selects the field with this label. */
export const field = (page: Page, label: string, under?: string) =>
  mark(
    page,
    `[...(${scope(under)}?.querySelectorAll('label') ?? [])]
      .find((each) => each.textContent === ${quote(label)})?.control`
  )

/** Types into the field with this label. */
export const write = async (page: Page, label: string, text: string, under?: string) =>
  page.type(await field(page, label, under), text)

/** Types into the field with this label, and presses this button. */
export async function send(page: Page, label: string, text: string, button: string) {
  await write(page, label, text)
  await press(page, button)
}
