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
/** Milliseconds within which a page is useful. */
const limit = 1000
/** The same for what is seen first: the forms of the two sign-ins, and the overview. */
const firstLimit = 600
const signIns = { 'console sign-in': '/console', 'account sign-in': '/account/sign-in' }
const overview = '/console'

/**
 * Records when a page first shows what it is for: its heading, and nothing that is still loading.
 * The frame after that is painted. It runs in the page, where a named function within it would need
 * a helper of the compiler.
 */
function observe() {
  const look = new MutationObserver(() => {
    const isThere = document.querySelector('main h1')?.checkVisibility()
    if (!isThere || document.querySelector('main [aria-busy=true]')) return
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
    await page.addInitScript(observe)
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })

    const addresses = new Map(
      Object.entries(signIns).map(([name, path]) => [name, base + path] as const)
    )
    for (const address of addresses.values()) await usefulAt(page, address) // bundles it
    const signedOut = await timesOf(page, addresses)
    const [name = '', value = ''] = cookie.split('=')
    await page.context().addCookies([{ url: base, name, value }])

    const more = [`/console/users/${user.id}`, '/console/flags/checkout']
    const paths = [
      ...(await linksOf(page, base, '/console')),
      ...more,
      ...(await linksOf(page, base, '/account'))
    ]
    const shown = new Map(paths.map((path) => [path.replace(user.id, ':id'), base + path]))
    const signedIn = await timesOf(page, shown)
    const claims = [
      ...Array.from(signedOut, ([name, time]) => below(name, time, firstLimit, 'ms')),
      ...Array.from(signedIn, ([path, time]) =>
        below(path, time, path === overview ? firstLimit : limit, 'ms')
      )
    ]
    save('pages', claims, { rounds, slowdown })
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

/** The median of the milliseconds until each of these addresses is useful, by name. */
async function timesOf(page: Page, addresses: ReadonlyMap<string, string>) {
  const times = new Map(Array.from(addresses.keys(), (name) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, address] of addresses) times.get(name)?.push(await usefulAt(page, address))
    progress(`round ${round + 1} of ${rounds}`)
  }
  return new Map(Array.from(times, ([name, all]) => [name, median(all)]))
}
