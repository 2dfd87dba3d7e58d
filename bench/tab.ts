import type { Browser } from 'playwright-core'

/**
 * A tab that nothing observes but what is asked of it. Playwright observes the network of its own
 * tabs, which takes a slowed processor a tenth of the time in which the overview becomes useful, or
 * more.
 * @param before runs in each page before its scripts. What runs in a page has no named function
 *   within it, which would need a helper of the compiler.
 * @param slowdown the processor is this many times slower
 */
export async function unobservedTab(browser: Browser, before: () => void, slowdown: number) {
  const control = await browser.newBrowserCDPSession()
  const { targetId } = await control.send('Target.createTarget', { url: 'about:blank' })
  // A session that Playwright does not know: its messages are passed on as text.
  const { sessionId } = await control.send('Target.attachToTarget', { targetId, flatten: false })
  const waiting = new Map<number, (answer: Answer) => void>()
  let last = 0

  control.on('Target.receivedMessageFromTarget', ({ message }) => {
    const answer = JSON.parse(message) as Answer
    waiting.get(answer.id)?.(answer)
  })

  async function send(method: string, params: object = {}) {
    const id = ++last
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    const message = JSON.stringify({ id, method, params })
    await control.send('Target.sendMessageToTarget', { sessionId, message })
    const { error, result } = await answered
    waiting.delete(id)
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

  await send('Page.enable')
  await send('Page.addScriptToEvaluateOnNewDocument', { source: `(${before})()` })
  const size = { width: 1280, height: 900, deviceScaleFactor: 1, mobile: false }
  await send('Emulation.setDeviceMetricsOverride', size)
  await send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return {
    /** Runs this in the page. Returns what it returns, or what its promise resolves with. */
    async evaluate<Args extends unknown[], T>(work: (...args: Args) => T, ...args: Args) {
      const expression = `(${work})(${args.map((each) => JSON.stringify(each)).join()})`
      const params = { expression, awaitPromise: true, returnByValue: true }
      const { result, exceptionDetails } = await send('Runtime.evaluate', params)
      if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.text}`)
      return result?.value as Awaited<T>
    },
    /** Resolves when the page is the one at this address, which may have loaded nothing yet. */
    async goTo(url: string) {
      const { errorText } = await send('Page.navigate', { url })
      if (errorText) throw new Error(`${url}: ${errorText}`)
    },
    async setCookie(url: string, cookie: string) {
      const [name = '', value = ''] = cookie.split('=')
      await control.send('Storage.setCookies', { cookies: [{ url, name, value }] })
    }
  }
}

/** The answer of a browser to a message. Which fields a result has depends on the method. */
interface Answer {
  id: number
  error?: { message: string }
  result: {
    result?: { value?: unknown }
    exceptionDetails?: { text: string }
    errorText?: string
  }
}
