import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { until } from '../support/app.ts'
import { root } from '../support/root.ts'
import type { Page } from './chromium.ts'

const axe = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const setScheme = (page: Page, value: 'light' | 'dark') =>
  page.command('Emulation.setEmulatedMedia', {
    features: [
      { name: 'prefers-color-scheme', value },
      // Colours that are still changing have another contrast.
      { name: 'prefers-reduced-motion', value: 'reduce' }
    ]
  })
const setWidth = async (page: Page, width: number) => {
  const size = { width, height: 800, deviceScaleFactor: 1, mobile: false }
  await page.command('Emulation.setDeviceMetricsOverride', size)
  await until(() => page.evaluate(`innerWidth === ${width}`))
}

/**
 * Checks what a page shows with axe (WCAG 2.2 AA and best practice), in light and dark mode and at
 * 320 and 1280 px, where it must not be wider than the window.
 */
export async function checkAccessibility(t: Test, page: Page, name: string) {
  await page.evaluate(`${axe}; undefined`)
  for (const scheme of ['light', 'dark'] as const) {
    await setScheme(page, scheme)
    for (const width of [320, 1280]) {
      await setWidth(page, width)
      const where = `${name}, ${scheme}, ${width} px`
      const found = await page.evaluate<object[]>(
        `axe.run({ runOnly: ${JSON.stringify(rules)} }).then(({ violations }) =>
          violations.flatMap(({ id, nodes }) =>
            nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary }))))`
      )
      t.same(found, [], where)
      t.ok(
        await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
        `${where}: fits`
      )
    }
  }
  await page.command('Emulation.clearDeviceMetricsOverride')
  await page.command('Emulation.setEmulatedMedia', { features: [] })
}

/** With SCREENSHOTS=on, writes docs/images/NAME.png: the page in light mode, 1280 px wide. */
export async function takeScreenshot(page: Page, name: string) {
  if (process.env.SCREENSHOTS !== 'on') return
  await setScheme(page, 'light')
  await setWidth(page, 1280)
  // Such as from the colours of dark mode.
  await until(() => page.evaluate('document.getAnimations().length === 0'))
  const { data } = await page.command<{ data: string }>('Page.captureScreenshot')
  const folder = path.join(root, 'docs/images')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, `${name}.png`), Buffer.from(data, 'base64'))
  await page.command('Emulation.clearDeviceMetricsOverride')
}
