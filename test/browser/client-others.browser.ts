import t from 'tap'
import { startClientApp } from './client-page.ts'
import { byWebDriver } from './client-tabs.ts'
import { walk } from './client-walks.ts'
import { startProviders } from './provider-portal.ts'
import { startFirefox, startWebKit } from './webdriver.ts'

// The package portal-client in Firefox and WebKitGTK. Chromium does the same in client.browser.ts.

const { providersOf } = await startProviders(t)
const world = await startClientApp(t, async (portal) => ({ providers: await providersOf(portal) }))

for (const [name, start] of [
  ['Firefox', startFirefox],
  ['WebKitGTK', startWebKit]
] as const) {
  t.test(name, async (t) => walk(t, byWebDriver(await start(t), world.origin), world))
}
