import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { until } from '../support/app.ts'
import { root } from '../support/root.ts'
import { axeFindings } from './axe.ts'

const schemes = ['light', 'dark'] as const
const widths = [360, 768, 1440] as const
/** For people who judge how the pages look. */
const pictures = process.env.SHOTS
/** Part of the names of the views to look at: all of them by default. */
const only = new RegExp(process.env.VIEWS ?? '')
if (pictures) mkdirSync(pictures, { recursive: true })

/** The paths of all views of these pages, with parameters as in `/users/:id`. */
export function pathsOf(pages: 'console' | 'account') {
  const list = { console: 'console/views.ts', account: 'account/main.tsx' }[pages]
  const source = readFileSync(path.join(root, 'src/pages', list), 'utf8')
  const paths = Array.from(source.matchAll(/\b(?:path: |view\()'(.+?)'/g), ([, each = '']) => each)
  if (paths.length < 10) throw new Error(`${list} is not what it was`)
  return paths
}

/** Waits until a page shows what it is for. */
export const isShown = (page: Page) =>
  until(() =>
    page.evaluate(
      () => !!document.querySelector('h1') && !document.querySelector('[aria-busy=true]')
    )
  )

/**
 * Checks what the page shows, light and dark, at each width, and zoomed: nothing scrolls sideways,
 * is cut, or sticks out, and axe finds nothing. Each field has its word for password managers.
 */
export async function checkLook(t: Test, page: Page, name: string) {
  if (!only.test(name)) return
  await isShown(page)
  t.same(await page.evaluate(fieldsWithoutWord), [], `${name}: words for password managers`)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const width of widths) {
      await resize(page, { width, height: 900 })
      const where = `${name}, ${colorScheme}, ${width} px`
      t.same(await page.evaluate(cutParts), [], where)
      await keepPicture(page, `${name}-${colorScheme}-${width}`)
      // Each scheme, and each of the two layouts, once.
      if (width === (colorScheme === 'light' ? 360 : 1440)) {
        t.same(await axeFindings(page), [], `${where}: axe`)
      }
    }
  }
  // This is a window of 1280 by 800 px at 200 %.
  await resize(page, { width: 640, height: 400 })
  t.same(await page.evaluate(cutParts), [], `${name}, twice as large`)
}

/** Until the page has been rendered in this size, also what a script arranges. */
async function resize(page: Page, size: { width: number; height: number }) {
  await page.setViewportSize(size)
  const frame = () => page.evaluate(() => new Promise(requestAnimationFrame))
  for (let n = 0; n < 3; n++) await frame()
}

/** With SHOTS=FOLDER, writes a picture of the whole page. */
export async function keepPicture(page: Page, name: string) {
  const window = page.viewportSize()
  if (!pictures || !window) return
  // All of it fits the window, so that what stays in sight covers nothing.
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ ...window, height: Math.min(Math.max(height, 900), 6000) })
  await page.screenshot({ path: path.join(pictures, `${name}.png`) })
  await page.setViewportSize(window)
}

/** Fields that do not say what a password manager may fill in. It runs in the page. */
function fieldsWithoutWord() {
  const fields = document.querySelectorAll<HTMLInputElement>('input, textarea')
  return [...fields]
    .filter(({ type }) => !['checkbox', 'radio', 'range', 'hidden'].includes(type))
    .filter((field) => !field.hasAttribute('autocomplete'))
    .map(({ outerHTML }) => outerHTML)
}

/** Finds parts that are not shown whole. It runs in the page. */
function cutParts() {
  const found: string[] = []
  const { scrollWidth } = document.documentElement
  if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} px wide`)
  // Fields scroll with the caret, and code and tabs have a scroll area of their own.
  const scrolling = ':is(.tabs, .sections) ul, pre, textarea, input, select, iframe, svg'
  const skipped = new Set(document.querySelectorAll(scrolling))
  const all = [...document.body.querySelectorAll<HTMLElement>('*')]
  for (const element of all) {
    const { parentElement: parent } = element
    const isHidden = getComputedStyle(element).clipPath !== 'none' // for screen readers only
    if (isHidden || (parent && skipped.has(parent))) skipped.add(element)
  }
  // The innermost first: what is around it is too wide because of it.
  for (const element of all.reverse()) {
    if (skipped.has(element) || !element.checkVisibility({ visibilityProperty: true })) continue
    const style = getComputedStyle(element)
    const box = element.getBoundingClientRect()
    const wide = element.scrollWidth - element.clientWidth
    const high = element.scrollHeight - element.clientHeight
    const isOutside = box.width > 0 && (box.right > innerWidth + 1 || box.left < -1)
    // Or the whole text is in a title.
    const isBox =
      style.display !== 'inline' &&
      (style.textOverflow !== 'ellipsis' || element.closest('[title]') === null)
    const isCut = isBox && (wide > 1 || (high > 1 && style.overflowY === 'hidden'))
    if (!isOutside && !isCut) continue
    for (let each: Element | null = element; each; each = each.parentElement) skipped.add(each)
    const text = element.innerText.replaceAll(/\s+/g, ' ').slice(0, 60)
    const what = isOutside ? 'outside' : `${wide} px too wide, ${high} px too high`
    found.push(`${what}: ${element.tagName.toLowerCase()}.${element.className} “${text}”`)
  }
  return found
}
