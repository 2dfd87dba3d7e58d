import { readFileSync, readdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import type * as packages from '../../bin/client-package.js'
import type { ok } from '../../src/client/portal.ts'
import type { Portal } from '../../src/client/portal.ts'
import { temporaryFolder, ownApp } from '../support/app.ts'
import { root } from '../support/root.ts'
import { startChromium } from './chromium.ts'
import type { Changes } from './portal.ts'
import { makeCookiesStrict } from './provider-portal.ts'
import { startProxy } from './web-app.ts'
import type { Network } from './web-app.ts'

const { writeScripts } = (await import(path.join(root, 'bin/client-package.js'))) as typeof packages

/** The globals of the app's page. */
export interface AppWindow {
  portal: Portal
  ok: typeof ok
  /** How many questions for a proof are open or were asked, and how to answer the last one. */
  asked: number
  answer(isProved: boolean): void
  /** Users whose session ended other than by a sign-out. */
  ended: string[]
}

/** The app: what somebody writes in a script without a build. */
const script = `
import { createPortal, ok } from '/portal-client/portal.js'
Object.assign(window, { ok, asked: 0, ended: [] })
window.portal = createPortal({
  onProof: () => new Promise((resolve) => { window.asked++; window.answer = resolve }),
  onSignedOut: ({ id }) => window.ended.push(id)
})
await window.portal.session.look()
`

/**
 * A portal, and an app at its origin that uses the package `portal-client` as it is.
 * @param scripts further scripts by their path: what they are, from the folder of the package
 */
export async function startClientApp(
  t: Test,
  config: Changes = {},
  scripts: Record<string, (folder: string) => Promise<string>> = {}
) {
  const folder = temporaryFolder(t)
  await writeScripts(folder)
  const files = new Map([
    ['/app.js', script],
    ...readdirSync(folder)
      .filter((file) => file.endsWith('.js'))
      .map(
        (file) => [`/portal-client/${file}`, readFileSync(path.join(folder, file), 'utf8')] as const
      )
  ])
  for (const [url, text] of Object.entries(scripts)) files.set(url, await text(folder))
  let port = 0
  const network: Network = { is: 'fast' }
  const origin = await startProxy(t, files, () => port, network)
  const app = await ownApp(t, {
    PUBLIC_ORIGIN: origin,
    ...(typeof config === 'function' ? await config(origin) : config)
  })
  makeCookiesStrict(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
  t.teardown(() => app.server.closeAllConnections())
  const chromium = lazy(() => startChromium(t))
  /** A new tab of Chromium that runs a script. */
  async function visit(script: string) {
    const { open } = await chromium()
    const page = await open(origin, (problem) => t.fail(problem))
    await page.evaluate(async (script) => {
      await import(script)
    }, script)
    return page
  }
  return {
    app,
    origin,
    network,
    visit,
    /** A new tab of one browser: tabs share cookies. */
    open: async () => readied(await visit('/app.js')),
    /** Opens a page that runs the app itself, also when it is loaded again. */
    openPage: async () =>
      readied(await (await chromium()).open(`${origin}/page`, (problem) => t.fail(problem)))
  }
}

/** Runs a function in the page, with what the page has. */
export async function inApp<Result, Argument>(
  page: Page,
  work: (app: AppWindow, argument: Argument) => Result | Promise<Result>,
  argument?: Argument
): Promise<Result> {
  const handle = await page.evaluateHandle(() => window as unknown as AppWindow)
  return handle.evaluate(work as never, argument as never)
}

/** Waits until the app knows who is signed in. */
async function readied(page: Page) {
  await page.waitForFunction(
    () => ((window as unknown as AppWindow).portal?.session.value.is ?? 'unknown') !== 'unknown'
  )
  return page
}

function lazy<T>(make: () => T) {
  let made: T | undefined
  return () => (made ??= make())
}
