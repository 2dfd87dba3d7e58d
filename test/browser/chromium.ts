import path from 'node:path'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { debianPackages, debianProgram } from '../resilience/debian.ts'
import { root } from '../support/root.ts'

/** Only a failure takes this long. */
const patience = 240_000

/** Pictures are for people, who judge them with the fonts of a desktop. */
async function desktopFonts() {
  if (!process.env.SHOTS && process.env.SCREENSHOTS !== 'on') return {}
  await debianPackages('fonts-inter', 'fonts-jetbrains-mono')
  return { FONTCONFIG_FILE: path.join(root, 'test/browser/fonts.conf') }
}

/**
 * Debian's Chromium without a window, which ends with the test. Its tabs share their cookies.
 */
export async function startChromium(t: Pick<Test, 'teardown'>) {
  const browser = await chromium.launch({
    executablePath: await debianProgram('chromium'),
    args: ['--disable-gpu'],
    env: { ...process.env, ...(await desktopFonts()) },
    // The sandbox of the operating system, which root cannot have. That of frames stays.
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: patience
  })
  t.teardown(() => browser.close())
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  context.setDefaultTimeout(patience)
  return {
    browser,
    /**
     * Opens a new tab.
     * @param onProblem gets each error that the tools for developers would show: what a policy
     *   blocks, what a script throws or reports, but not responses such as 401
     */
    async open(url: string, onProblem?: (problem: string) => void) {
      const page = await context.newPage()
      if (onProblem) {
        page.on('pageerror', (error) => onProblem(String(error)))
        page.on('console', (message) => {
          const isResponse = message.text().startsWith('Failed to load resource')
          if (message.type() === 'error' && !isResponse) onProblem(message.text())
        })
      }
      await page.goto(url)
      return page
    }
  }
}

/** Makes a tab prefer a language, whatever its name, with the next page that it loads. */
export async function prefer(page: Page, acceptLanguage: string) {
  const session = await page.context().newCDPSession(page)
  // An empty user agent would leave the language as it is.
  const userAgent = await page.evaluate(() => navigator.userAgent)
  await session.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage })
}

/** Holds the requests of a page to an address until the function is called that it returns. */
export async function hold(page: Page, url: string) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** An entry that TypeScript does not know. */
type Shift = PerformanceEntry & { value: number }

/** Resolves once what has changed is painted, and observers have been told. */
const frames = (of: Page) =>
  of.evaluate(async () => {
    for (let n = 0; n < 3; n++) await new Promise(requestAnimationFrame)
  })

/** A tab of a phone, and the sum of what moves in it without being asked to. */
export async function aStillTab(page: Page) {
  const tab = await page.context().newPage()
  await tab.setViewportSize({ width: 412, height: 823 })
  await tab.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as Shift).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const shift = async () => {
    await frames(tab)
    const all = await tab.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts)
    return all.reduce((total, each) => total + each, 0)
  }
  return { tab, shift }
}
