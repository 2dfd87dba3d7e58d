import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Test } from 'tap'
import { until } from '../support/app.ts'
import { debianProgram } from '../resilience/debian.ts'
import { speak } from './devtools.ts'
import type { Send } from './devtools.ts'

interface Target {
  targetId: string
  type: string
  url: string
}
interface Point {
  x: number
  y: number
}
interface PointInFrame extends Point {
  isHovered(): Promise<boolean>
}
export type Page = ReturnType<typeof pageOf>

/**
 * Debian's Chromium without a window, driven over a pipe by the Chrome DevTools Protocol. It ends
 * with the test.
 */
export async function startChromium(t: Pick<Test, 'teardown'>) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-chromium-'))
  const child = spawn(
    await debianProgram('chromium'),
    [
      '--headless',
      '--remote-debugging-pipe',
      `--user-data-dir=${folder}`,
      '--window-size=1280,1000',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      // The sandbox of the operating system, which root cannot have. That of frames stays.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])
    ],
    {
      env: { PATH: process.env.PATH, HOME: folder },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      detached: true // a group of its own, to end all of its processes at once
    }
  )
  const ended = new Promise((resolve) => child.once('close', resolve))
  t.teardown(async () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  })
  const { send, listen } = speak(child.stdio[3] as Writable, child.stdio[4] as Readable)

  const known = new Set<string>()
  const attach = async ({ targetId }: Pick<Target, 'targetId'>) => {
    known.add(targetId)
    const options = { targetId, flatten: true }
    return (await send<{ sessionId: string }>('Target.attachToTarget', options)).sessionId
  }
  /** A new page or frame with an address that begins like this, as soon as there is one. */
  const find = async (type: 'page' | 'iframe', address: string) => {
    let found: Target | undefined
    await until(async () => {
      const { targetInfos } = await send<{ targetInfos: Target[] }>('Target.getTargets')
      found = targetInfos.find(
        (each) => each.type === type && each.url.startsWith(address) && !known.has(each.targetId)
      )
      return found
    })
    return attach(found as Target)
  }

  return {
    /**
     * Opens a new tab.
     * @param onProblem gets each error that the tools for developers would show: what a policy
     *   blocks, what a script throws or reports, but not responses such as 401
     */
    async open(url: string, onProblem?: (problem: string) => void) {
      const target = await send<Target>('Target.createTarget', { url: 'about:blank' })
      const session = await attach(target)
      const page = pageOf(send, session)
      if (onProblem) {
        listen(session, (method, params) => {
          const problem = problemIn(method, params)
          if (problem !== undefined) onProblem(problem)
        })
        for (const domain of ['Runtime', 'Log']) await page.command(`${domain}.enable`)
      }
      await page.go(url)
      return page
    },
    /** A tab that a page has opened. */
    findPage: async (address: string) => pageOf(send, await find('page', address)),
    /** The middle of an element in a frame that runs no script, from the corner of the frame. */
    async findInFrame(address: string, selector: string): Promise<PointInFrame> {
      const session = await find('iframe', address)
      const nodeOf = async (selector: string) => {
        const { root } = await send<{ root: { nodeId: number } }>('DOM.getDocument', {}, session)
        const query = { nodeId: root.nodeId, selector }
        return (await send<{ nodeId: number }>('DOM.querySelector', query, session)).nodeId
      }
      let quad: number[] = []
      await until(async () => {
        const nodeId = await nodeOf(selector)
        if (nodeId === 0) return false
        const box = { nodeId }
        const { model } = await send<{ model: { content: number[] } }>(
          'DOM.getBoxModel',
          box,
          session
        )
        quad = model.content
        return true
      })
      const [left = 0, top = 0, , , right = 0, bottom = 0] = quad
      return {
        x: (left + right) / 2,
        y: (top + bottom) / 2,
        isHovered: async () => (await nodeOf(`${selector}:hover`)) !== 0
      }
    }
  }
}

function pageOf(send: Send, session: string) {
  /** The value of an expression in the page, or in the next one if the page is just leaving. */
  async function evaluate<T>(expression: string): Promise<T> {
    const request = { expression, awaitPromise: true, returnByValue: true }
    const answer = await send<{ result: { value: T }; exceptionDetails?: object }>(
      'Runtime.evaluate',
      request,
      session
    ).catch((error: unknown) => {
      if (!/navigated or closed|context was destroyed/.test(String(error))) throw error
    })
    if (!answer) return evaluate(expression)
    const { result, exceptionDetails } = answer
    if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`)
    return result.value
  }
  const isLoaded = () =>
    evaluate<boolean>(`document.readyState === 'complete' && location.href !== 'about:blank'`)
  const press = async ({ x, y }: Point) => {
    for (const type of ['mousePressed', 'mouseReleased']) {
      const event = { type, x, y, button: 'left', clickCount: 1 }
      await send('Input.dispatchMouseEvent', event, session)
    }
  }
  /** The corner and the middle of the first line of an element, as soon as it is there. */
  const boxOf = async (selector: string) => {
    let box: Record<'left' | 'top' | 'x' | 'y', number> | undefined
    await until(async () => {
      box = await evaluate(`(() => {
        const { left, top, width, height } =
          document.querySelector(${JSON.stringify(selector)})?.getClientRects()[0] ?? {}
        return width > 0 && { left, top, x: left + width / 2, y: top + height / 2 }
      })()`)
      return box
    })
    return box as NonNullable<typeof box>
  }
  return {
    evaluate,
    /** A command of the protocol, for this page. */
    command: <T = object>(method: string, params: object = {}) => send<T>(method, params, session),
    async go(url: string) {
      await send('Page.navigate', { url }, session)
      await until(isLoaded)
    },
    click: async (selector: string) => press(await boxOf(selector)),
    /** Clicks an element in a frame, as soon as the browser leads the mouse there. */
    async clickInFrame({ x, y, isHovered }: PointInFrame) {
      await send('Page.bringToFront', {}, session) // one in the background hardly moves the mouse
      const { left, top } = await boxOf('iframe')
      const point = { x: left + x, y: top + y }
      await until(async () => {
        await send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...point }, session)
        return isHovered()
      })
      await press(point)
    },
    async type(selector: string, text: string) {
      await press(await boxOf(selector))
      await evaluate(`document.querySelector(${JSON.stringify(selector)}).select()`)
      await send('Input.insertText', { text }, session)
    },
    /** The text of an element, as soon as it has one. */
    async read(selector: string) {
      let text: string | undefined
      await until(async () => {
        text = await evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent`)
        return text
      })
      return text
    }
  }
}

/** The error that an event reports, if it is one. */
function problemIn(method: string, params: unknown): string | undefined {
  const { type, args, exceptionDetails, entry } = params as {
    type?: string
    args?: { value?: unknown; description?: string }[]
    exceptionDetails?: object
    entry?: { level: string; source: string; text: string }
  }
  if (method === 'Runtime.exceptionThrown') return JSON.stringify(exceptionDetails)
  if (method === 'Runtime.consoleAPICalled' && type === 'error') {
    return args?.map(({ value, description }) => description ?? String(value)).join(' ')
  }
  if (method !== 'Log.entryAdded' || !entry || entry.source === 'network') return undefined
  return entry.level === 'error' ? `${entry.source}: ${entry.text}` : undefined
}
