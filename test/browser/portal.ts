import type { Test } from 'tap'
import type { Config } from '../../src/config/config.ts'
import { ownApp } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { startChromium } from './chromium.ts'

/** Changes of the configuration, also those that depend on the origin of the portal. */
export type Changes =
  | Partial<Config>
  | ((base: string) => Partial<Config> | Promise<Partial<Config>>)

/** A portal whose pages a browser opens. What its developer tools report fails the test. */
export async function startPages(t: Test, changes: Changes = {}) {
  const port = await freePort()
  const base = `http://localhost:${port}`
  const account = `${base}/account` // also where a sign-in leads, as in development
  const app = await ownApp(t, {
    PUBLIC_ORIGIN: base,
    ACCOUNT_URL: account,
    APP_URL: account,
    ...(typeof changes === 'function' ? await changes(base) : changes)
  })
  await app.listen({ host: '127.0.0.1', port })
  // Processes of the browser outlive it a little, and would keep the portal from closing.
  t.teardown(() => app.server.closeAllConnections())
  const chromium = await startChromium(t)
  return {
    app,
    base,
    /** Opens a path of the portal. */
    open: (path: string, onProblem = (problem: string): unknown => t.fail(problem)) =>
      chromium.open(base + path, onProblem)
  }
}
