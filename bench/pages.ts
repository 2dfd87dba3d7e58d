import type { Page } from 'playwright-core'
import { openDatabase } from '../db/client.ts'
import { buildApp } from '../src/app.ts'
import { createFlag } from '../src/domain/flags/flags.ts'
import { startChromium } from '../test/browser/chromium.ts'
import { aUser, callerOf, operator, until } from '../test/support/app.ts'
import { freePort } from '../test/support/postgres.ts'
import { testConfig } from '../test/support/test-config.ts'
import { below, median, save } from './figures.ts'
import { newPortalDatabase, progress, withPostgres } from './stage.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
/** The processor of the browser is this many times slower. */
const slowdown = 4

/**
 * Records when a page first shows what it is for: its heading, and nothing that is still loading.
 * The frame after that is painted.
 */
function observe() {
  const look = new MutationObserver(() => {
    const found = (selector: string) => document.querySelector(`main ${selector}`) !== null
    if (!found('h1') || found('[aria-busy=true]')) return
    look.disconnect()
    requestAnimationFrame(() => setTimeout(() => performance.mark('useful')))
  })
  look.observe(document, { subtree: true, childList: true, attributes: true })
}

/** Measures when each page of the console and of the account pages shows something useful. */
export const pages = () => withPostgres(measure)

async function measure(server: string) {
  const ends: (() => unknown)[] = []
  const t = { teardown: (end: () => unknown) => ends.push(end) }
  try {
    const port = await freePort()
    const base = `http://localhost:${port}`
    const database = await openDatabase(await newPortalDatabase(server, 'portal'))
    ends.push(() => database.close())
    const app = buildApp(testConfig({ PUBLIC_ORIGIN: base, ACCOUNT_URL: `${base}/account` }), {
      database
    })
    ends.push(() => app.close())
    await app.listen({ host: '127.0.0.1', port })
    ends.push(() => app.server.closeAllConnections())
    const { cookie, user } = await callerOf(app, await aUser(database), 'admin')
    await createFlag(app.db, operator, {
      key: 'checkout',
      type: 'boolean',
      variants: { on: true, off: false },
      defaultVariant: 'on',
      offVariant: 'off',
      rules: [{ when: { rolesAny: ['user'] }, serve: { variant: 'off' } }]
    })
    const chromium = await startChromium(t)
    const page = await chromium.open(`${base}/console`)
    const [name = '', value = ''] = cookie.split('=')
    await page.context().addCookies([{ url: base, name, value }])
    await page.addInitScript(observe)
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })

    const more = [`/console/users/${user.id}`, '/console/flags/checkout']
    const paths = [
      ...(await linksOf(page, base, '/console')),
      ...more,
      ...(await linksOf(page, base, '/account'))
    ]
    await report(page, base, paths, user.id)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** The path of a page and of those that it links to, after it has been bundled. */
async function linksOf(page: Page, base: string, path: string) {
  await usefulAt(page, base + path)
  const links = page.locator(`a[href^="${path}/"]`)
  const paths = await links.evaluateAll((all) =>
    all.map((each) => (each as HTMLAnchorElement).pathname)
  )
  return [...new Set([path, ...paths])]
}

/** Milliseconds from the start of the navigation. */
async function usefulAt(page: Page, address: string) {
  await page.goto(address)
  return until(() => page.evaluate(() => performance.getEntriesByName('useful').at(0)?.startTime))
}

async function report(page: Page, base: string, paths: string[], userId: string) {
  const times = new Map(paths.map((path) => [path, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    for (const [path, all] of times) all.push(await usefulAt(page, base + path))
    progress(`round ${round + 1} of ${rounds}`)
  }
  const claims = Array.from(times, ([path, all]) =>
    below(path.replace(userId, ':id'), median(all), 1000, 'ms')
  )
  save('pages', claims, { rounds, slowdown })
}
