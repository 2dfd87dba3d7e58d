import { until } from '../support/app.ts'
import type { Page } from './chromium.ts'

const keys = {
  Tab: 9,
  Enter: 13,
  Escape: 27,
  ' ': 32,
  End: 35,
  Home: 36,
  ArrowUp: 38,
  ArrowDown: 40
} as const
type Key = keyof typeof keys

/** What has the focus: the text of its label, or its own. */
const focused = `(() => {
  const { activeElement: it } = document
  return (it.labels?.[0] ?? it).innerText.replace(/\\s+/g, ' ').trim()
})()`

/** Uses a page with nothing but the keyboard. */
export function keyboardOf(page: Page) {
  async function press(key: Key, { shift = false } = {}) {
    const event = {
      ...{ key, code: key === ' ' ? 'Space' : key, windowsVirtualKeyCode: keys[key] },
      modifiers: shift ? 8 : 0
    }
    const text = { Enter: '\r', ' ': ' ' }[key as string]
    await page.command('Input.dispatchKeyEvent', {
      ...event,
      type: text === undefined ? 'rawKeyDown' : 'keyDown',
      ...(text !== undefined && { text })
    })
    await page.command('Input.dispatchKeyEvent', { ...event, type: 'keyUp' })
  }
  const focus = () => page.evaluate<string>(focused)
  /** Presses Tab until what has the focus is called this. */
  async function reach(name: string | RegExp, { back = false } = {}) {
    const seen: string[] = []
    for (let n = 0; n < 300; n++) {
      await press('Tab', { shift: back })
      const found = await focus()
      if (typeof name === 'string' ? found.startsWith(name) : name.test(found)) return
      seen.push(found)
    }
    throw new Error(`no ${name} among ${[...new Set(seen)].join(' | ')}`)
  }
  const write = async (text: string) => {
    await page.evaluate('document.activeElement.select?.()')
    await page.command('Input.insertText', { text })
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
    async activate(name: string | RegExp, key: Key = 'Enter') {
      await reach(name)
      await press(key)
    },
    /** Chooses an option of a select. */
    async choose(name: string | RegExp, option: string) {
      await reach(name)
      await press('Home')
      const read = 'document.activeElement.selectedOptions?.[0]?.text'
      for (let n = 0; n < 60; n++) {
        if ((await page.evaluate(read)) === option) return
        await press('ArrowDown')
      }
      throw new Error(`no option ${option}`)
    },
    /** Waits until the page shows a text. */
    shows: (text: string | RegExp) =>
      until(async () => {
        const shown = await page.evaluate<string>('document.body.innerText')
        return typeof text === 'string' ? shown.includes(text) : text.test(shown)
      })
  }
}
