import type { Page } from 'playwright-core'
import { until } from '../support/app.ts'
import { inApp } from './client-page.ts'
import type { AppWindow } from './client-page.ts'
import type { Send } from './webdriver.ts'

/** A tab of the app in any browser. Calls may wait for each other only through the page. */
export interface Tab {
  run<Result, Argument>(
    work: (app: AppWindow, argument: Argument) => Result | Promise<Result>,
    argument?: Argument
  ): Promise<Result>
  /** Chooses a person on the page of the provider. */
  choose(name: string): Promise<void>
}

export interface TestBrowser {
  /** Opens a tab, in which nobody is signed in if it is the first of a walk. */
  open(): Promise<Tab>
  forget(): Promise<unknown>
}

export const inChromium = (open: () => Promise<Page>): TestBrowser => {
  const pages: Page[] = []
  return {
    async open() {
      const page = await open()
      pages.push(page)
      return {
        run: (work, argument) => inApp(page, work, argument),
        choose: (name) => page.locator('button', { hasText: name }).click()
      }
    },
    async forget() {
      await pages[0]?.context().clearCookies()
      for (const page of pages.splice(0)) await page.close()
    }
  }
}

/** Firefox and WebKitGTK: all tabs share one connection, which does one thing at a time. */
export function byWebDriver(send: Send, origin: string): TestBrowser {
  let last: Promise<unknown> = Promise.resolve()
  const inTab = <T>(handle: unknown, work: () => Promise<T>) => {
    const result = last.then(async () => {
      await send('toTab', { handle })
      return work()
    })
    last = result.catch(() => {})
    return result
  }
  let count = 0
  const opened: unknown[] = []
  const evaluate = (handle: unknown, script: string, ...args: unknown[]) =>
    inTab(handle, () => send('run', { script, args }))

  return {
    async open() {
      const { handle } = (await send('newTab', { type: 'tab' })) as { handle: string }
      opened.push(handle)
      await inTab(handle, () => send('open', { url: `${origin}/page` }))
      const ready = `return window.portal?.session.value.is !== 'unknown' && !!window.portal`
      await until(() => evaluate(handle, ready).catch(() => false))
      return {
        async run<Result>(work: unknown, argument?: unknown) {
          const job = `job${count++}`
          const begin = `window.${job} = {}
            Promise.resolve().then(() => (${String(work)})(window, arguments[0])).then(
              (value) => Object.assign(window.${job}, { isDone: true, value: value ?? null }),
              (error) => Object.assign(window.${job}, { isDone: true, error: error.name }))`
          await evaluate(handle, begin, argument ?? null)
          const outcome = (await until(() =>
            evaluate(
              handle,
              `return window.${job} ? window.${job}.isDone && window.${job} : { error: 'gone' }`
            )
          )) as { value?: Result; error?: string }
          if (outcome.error !== undefined) throw new Error(outcome.error)
          return outcome.value as Result
        },
        async choose(name) {
          const value = `//button[contains(., '${name}')]`
          await until(() =>
            inTab(handle, async () => {
              const found = (await send('find', { using: 'xpath', value })) as object
              await send('click', { id: Object.values(found)[0] })
              return true
            }).catch(() => false)
          )
        }
      }
    },
    async forget() {
      for (const handle of opened.splice(0)) {
        await inTab(handle, async () => {
          await send('clearCookies')
          await send('open', { url: `${origin}/empty` })
        })
      }
    }
  }
}
