import type { Page } from 'playwright-core'
import { until } from '../support/app.ts'

/** The text of the label that has the focus, or of the element itself. */
const focused = () => {
  const it = document.activeElement as HTMLInputElement
  return (it.labels?.[0] ?? it).innerText.replace(/\s+/g, ' ').trim()
}

/** Uses a page with nothing but the keyboard. */
export function keyboardOf(page: Page) {
  const press = (key: string) => page.keyboard.press(key)
  const focus = () => page.evaluate(focused)
  /** Presses Tab until what has the focus is called this. */
  async function reach(name: string | RegExp, { back = false } = {}) {
    const seen: string[] = []
    for (let n = 0; n < 300; n++) {
      await press(back ? 'Shift+Tab' : 'Tab')
      const found = await focus()
      if (typeof name === 'string' ? found.startsWith(name) : name.test(found)) return
      seen.push(found)
    }
    throw new Error(`no ${name} among ${[...new Set(seen)].join(' | ')}`)
  }
  const write = async (text: string) => {
    await page.evaluate(() => (document.activeElement as HTMLInputElement).select?.())
    await page.keyboard.insertText(text)
  }
  return {
    press,
    reach,
    /** Waits until the focus is at what has this name. */
    isAt: (name: string) => until(async () => (await focus()).startsWith(name)),
    /** Replaces the text of the field that has the focus. */
    write,
    async fill(name: string | RegExp, text: string) {
      await reach(name)
      await write(text)
    },
    async activate(name: string | RegExp) {
      await reach(name)
      await press('Enter')
    },
    /** Chooses an option of a select. */
    async choose(name: string | RegExp, option: string) {
      await reach(name)
      await press('Home')
      const selected = page.locator('select:focus option:checked')
      for (let n = 0; n < 60; n++) {
        if ((await selected.textContent()) === option) return
        await press('ArrowDown')
      }
      throw new Error(`no option ${option}`)
    },
    /** Waits until the page shows a text. */
    shows: (text: string | RegExp) =>
      until(async () => {
        const shown = await page.innerText('body')
        return typeof text === 'string' ? shown.includes(text) : text.test(shown)
      })
  }
}
