import type { Page } from 'playwright-core'
import { openDatabase } from '../db/client.ts'
import { buildApp } from '../src/app.ts'
import { createFlag } from '../src/domain/flags/flags.ts'
import { startChromium } from '../test/browser/chromium.ts'
import { aUser, callerOf, operator } from '../test/support/app.ts'
import { freePort } from '../test/support/postgres.ts'
import { testConfig } from '../test/support/test-config.ts'
import { below, median, save } from './figures.ts'
import { newPortalDatabase, progress, withPostgres } from './stage.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 12)
/** The processor of the browser is this many times slower. */
const slowdown = 4
/** Milliseconds within which a page is useful. */
const limit = 1000
/** The same for what is seen first: the forms of the two sign-ins, and the overview. */
const firstLimit = 600
const signIns = { 'console sign-in': '/console', 'account sign-in': '/account/sign-in' }
const overview = '/console'

/**
 * Reports when a page first shows what it is for: its heading, and nothing that is still loading.
 * The frame after that is painted. It runs in the page, where a named function within it would need
 * a helper of the compiler.
 */
function observe() {
  const look = new MutationObserver(() => {
    // A page is hidden until it is complete. To ask for the styles would have them computed twice.
    const isShown = document.querySelector('body:not([hidden]) main h1') !== null
    if (!isShown || document.querySelector('main [aria-busy=true]')) return
    look.disconnect()
    requestAnimationFrame(() => setTimeout(() => console.debug(performance.now())))
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

/**
 * Milliseconds from the start of the navigation, which waits until the last page has nothing left
 * to do. Until then, nothing asks the page: that would keep its slowed processor busy.
 */
async function usefulAt(page: Page, address: string) {
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  const [message] = await Promise.all([
    page.waitForEvent('console', (each) => each.type() === 'debug'),
    page.goto(address, { waitUntil: 'commit' })
  ])
  return Number(message.text())
}

interface Load {
  /** Milliseconds until the page was useful. */
  useful: number
  /** Of the walk right before: it takes longer beside other work. */
  walk: number
}

/**
 * Milliseconds until each of these addresses is useful, by name, on a quiet machine: the median of
 * the third of the loads before which the machine was quietest.
 */
async function timesOf(page: Page, addresses: ReadonlyMap<string, string>) {
  const loads = new Map(Array.from(addresses.keys(), (name) => [name, [] as Load[]]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, address] of addresses) {
      loads.get(name)?.push({ walk: walk(), useful: await usefulAt(page, address) })
    }
    progress(`round ${round + 1} of ${rounds}`)
  }
  const quietest = (all: Load[]) =>
    all.toSorted((a, b) => a.walk - b.walk).slice(0, Math.ceil(rounds / 3))
  return new Map(
    Array.from(loads, ([name, all]) => [name, median(quietest(all).map(({ useful }) => useful))])
  )
}

const places = Uint32Array.from(
  { length: 1 << 23 },
  (_, place) => Math.imul(place, 2654435761) >>> 9
)

let place = 1

/**
 * Milliseconds for steps through memory, each to a place that the last one names. Neighbours on a
 * shared machine slow a browser down by their use of the memory, more than of the processor.
 */
function walk() {
  const start = performance.now()
  for (let step = 0; step < 100_000; step++) place = ((places[place] ?? 0) + step) % places.length
  return performance.now() - start
}
