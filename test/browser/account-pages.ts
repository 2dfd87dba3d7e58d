import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { password, until } from '../support/app.ts'
import { startPages } from './portal.ts'
import type { Changes } from './portal.ts'

/** A portal with account pages, and how a person uses them: by the words on the page. */
export async function startAccount(t: Test, changes: Changes = {}) {
  const { app, base, open } = await startPages(t, changes)
  /** A new tab, in which nobody is signed in. */
  async function visit(path: string) {
    const page = await open('/account/not-found')
    await page.context().clearCookies()
    await page.goto(base + path)
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
  await page.fill('[name=email][autocomplete^=username]', email)
  await page.fill('[name=password]', secret)
  await page.click('[type=submit]')
}

/** Waits until the page has these words, which a person can see. */
export const shows = (page: Page, words: string | RegExp) =>
  until(async () => {
    const text = await page.innerText('body')
    return typeof words === 'string' ? text.includes(words) : words.test(text)
  })

export const isAt = (page: Page, path: string) =>
  page.waitForURL(({ pathname, search }) => pathname + search === path, { waitUntil: 'commit' })

/** Waits until the view has this heading. */
export const isHeaded = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** Waits until the first page of the account with this address is shown. */
export async function isHomeOf(page: Page, email: string) {
  await isHeaded(page, 'Your account')
  await shows(page, email)
}

/** Waits until the text is announced and has the focus, whose button is gone. */
export const isReported = (page: Page, text: string) =>
  page
    .locator('[role=status]:focus')
    .and(page.getByText(text, { exact: true }))
    .waitFor()

/** The part of the page to look in: the dialog above all others, the section with this heading, or all of it. */
const scope = (page: Page, heading: string | undefined) =>
  heading === undefined
    ? page.locator('dialog:not(:has(dialog)), body:not(:has(dialog))').last()
    : page.locator('section, li', {
        has: page.locator('h2, strong').and(page.getByText(heading, { exact: true }))
      })

/** Presses the button or link with this label, once it can be pressed. */
export const press = (page: Page, label: string, under?: string) =>
  scope(page, under)
    .locator('button:not([aria-disabled=true]), a')
    .and(page.getByText(label, { exact: true }))
    .first()
    .click()

/** Presses the button of the row with this title, which opens its dialog. */
export const open = (page: Page, title: string) =>
  page
    .locator('li', { has: page.locator('strong').and(page.getByText(title, { exact: true })) })
    .locator('.actions > :is(button:not([aria-disabled=true]), a)')
    .click()

/** The field with this label. */
export const field = (page: Page, label: string, under?: string) =>
  scope(page, under).getByLabel(label, { exact: true }).first()

/** Types into the field with this label. */
export const write = (page: Page, label: string, text: string, under?: string) =>
  field(page, label, under).fill(text)

/** Types a code, made only once its field is there, because it counts for half a minute. */
export async function writeCode(page: Page, code: () => Promise<string>) {
  const codeField = field(page, 'Code from your authenticator app')
  await codeField.waitFor()
  await codeField.fill(await code())
}

/** Types into the field with this label, and presses this button. */
export async function send(page: Page, label: string, text: string, button: string) {
  await write(page, label, text)
  await press(page, button)
}

/** From now on, nothing can be read from the portal: the network is gone but for changes. */
export const rejectReads = (page: Page) =>
  page.evaluate(() => {
    const { fetch } = window
    window.fetch = (request) =>
      (request as Request).method === 'GET'
        ? Promise.reject(new TypeError('offline'))
        : fetch(request)
  })
