import { openDatabase } from '../db/client.ts'
import { buildApp } from '../src/app.ts'
import { createFlag } from '../src/domain/flags/flags.ts'
import { startChromium } from '../test/browser/chromium.ts'
import { aUser, callerOf, operator } from '../test/support/app.ts'
import { freePort } from '../test/support/postgres.ts'
import { testConfig } from '../test/support/test-config.ts'
import { below, median, round, save } from './figures.ts'
import { newPortalDatabase, progress, withPostgres } from './stage.ts'
import { unobservedTab } from './tab.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 12)
/** The processor of the browser is this many times slower. */
const slowdown = 4
/** Milliseconds within which a page is useful. */
const limit = 1000
/** A lower limit for the first views: the forms of the two sign-ins, and the overview. */
const firstLimit = 600
const signIns = { 'console sign-in': '/console', 'account sign-in': '/account/sign-in' }
const overview = '/console'

type Tab = Awaited<ReturnType<typeof unobservedTab>>

declare global {
  /**
   * Resolves when the page first shows what it is for, its heading, and nothing that is still
   * loading, with the milliseconds since the navigation. The frame after that is painted.
   */
  var useful: Promise<number>
}

function observe() {
  globalThis.useful = new Promise((resolve) => {
    const look = new MutationObserver(() => {
      // A page is hidden until it is complete. To ask for the styles would compute them twice.
      const isShown = document.querySelector('body:not([hidden]) main h1') !== null
      if (!isShown || document.querySelector('main [aria-busy=true]')) return
      look.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    })
    look.observe(document, { subtree: true, childList: true, attributes: true })
  })
}

/** Measures when each page of the console and of the account pages shows something useful. */
export const pages = () => withPostgres(measure)

async function measure(server: string) {
  const ends: (() => unknown)[] = []
  const t = { teardown: (end: () => unknown) => ends.push(end) }
  let scripts = 0 // that were fetched
  try {
    const port = await freePort()
    const base = `http://localhost:${port}`
    const database = await openDatabase(await newPortalDatabase(server, 'portal'))
    ends.push(() => database.close())
    const app = buildApp(testConfig({ PUBLIC_ORIGIN: base, ACCOUNT_URL: `${base}/account` }), {
      database
    })
    // Each load is the first one of its browser, which has to fetch and compile the script.
    app.addHook('onSend', async (request, reply) => {
      if (request.url.includes('/assets/')) reply.header('cache-control', 'no-store')
      if (request.url.endsWith('.js')) scripts++
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
    const { browser } = await startChromium(t)
    const tab = await unobservedTab(browser, observe, slowdown)

    const addresses = new Map(
      Object.entries(signIns).map(([name, path]) => [name, base + path] as const)
    )
    for (const address of addresses.values()) await usefulAt(tab, address) // bundles it
    const signedOut = await timesOf(tab, addresses)
    await tab.setCookie(base, cookie)

    const more = [`/console/users/${user.id}`, '/console/flags/checkout']
    const paths = [
      ...(await linksOf(tab, base, '/console')),
      ...more,
      ...(await linksOf(tab, base, '/account'))
    ]
    const shown = new Map(paths.map((path) => [path.replace(user.id, ':id'), base + path]))
    const signedIn = await timesOf(tab, shown)
    const claims = [
      ...Array.from(signedOut, ([name, time]) => below(name, time, firstLimit, 'ms')),
      ...Array.from(signedIn, ([path, time]) =>
        below(path, time, path === overview ? firstLimit : limit, 'ms')
      )
    ]
    if (scripts < rounds * (signedOut.size + signedIn.size)) throw new Error('a script was cached')
    const walk = { fastest: round(Math.min(...walks)), median: round(median(walks)) }
    save('pages', claims, { rounds, slowdown, walk })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** The path of a page and of those that it links to, after it has been bundled. */
async function linksOf(tab: Tab, base: string, path: string) {
  await usefulAt(tab, base + path)
  const paths = await tab.evaluate(
    (selector) =>
      [...document.querySelectorAll<HTMLAnchorElement>(selector)].map((link) => link.pathname),
    `a[href^="${path}/"]`
  )
  return [...new Set([path, ...paths])]
}

/**
 * Milliseconds from the start of the navigation, which waits until the last page has nothing left
 * to do. Until then, nothing asks the page: that would keep its slowed processor busy.
 */
async function usefulAt(tab: Tab, address: string) {
  await tab.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())))
  await tab.goTo(address)
  return tab.evaluate(() => useful)
}

interface Load {
  /** Milliseconds until the page was useful. */
  useful: number
  /** Milliseconds of the walk right before: it takes longer beside other work. */
  walk: number
}

/**
 * Milliseconds until each of these addresses is useful, by name, on a quiet machine: the median of
 * the third of the loads before which the machine was quietest.
 */
async function timesOf(tab: Tab, addresses: ReadonlyMap<string, string>) {
  const loads = new Map(Array.from(addresses.keys(), (name) => [name, [] as Load[]]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, address] of addresses) {
      loads.get(name)?.push({ walk: walk(), useful: await usefulAt(tab, address) })
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

/** All of this run, which say how quiet the machine was. */
const walks: number[] = []

/**
 * Milliseconds for steps through memory, each to a place that the last one names. Neighbours on a
 * shared machine slow a browser down by their use of the memory, more than of the processor.
 */
function walk() {
  const start = performance.now()
  for (let step = 0; step < 100_000; step++) place = ((places[place] ?? 0) + step) % places.length
  const time = performance.now() - start
  walks.push(time)
  return time
}
