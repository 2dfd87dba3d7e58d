import { readFileSync } from 'node:fs'
import path from 'node:path'
import type * as Axe from 'axe-core'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { root } from '../support/root.ts'

declare const axe: typeof Axe // in the page

const source = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')
/** WCAG 2.2 AA, which a mail can meet as well. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const rules = [...wcag, 'best-practice']
const size = { width: 1280, height: 900 }

/** The findings of axe in a page, by default by WCAG 2.2 AA and best practice. */
export async function axeFindings(page: Page, by = rules) {
  // A script element would be against the policy.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(source)
  return page.evaluate(async (runOnly) => {
    // A text that fades in has less contrast than it will have.
    const fading = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    await Promise.allSettled(fading.map(async ({ finished }) => finished))
    const { violations } = await axe.run({ runOnly })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary }))
    )
  }, by)
}

// Colours that are still changing have another contrast.
const setScheme = (page: Page, colorScheme: 'light' | 'dark') =>
  page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })

/**
 * Checks what a page shows with axe (by default WCAG 2.2 AA and best practice), in light and dark
 * mode and at 320 and 1280 px, where it must not be wider than the window.
 */
export async function checkAccessibility(t: Test, page: Page, name: string, by = rules) {
  for (const scheme of ['light', 'dark'] as const) {
    await setScheme(page, scheme)
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const where = `${name}, ${scheme}, ${width} px`
      t.same(await axeFindings(page, by), [], where)
      t.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        `${where}: fits`
      )
    }
  }
  await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
}
