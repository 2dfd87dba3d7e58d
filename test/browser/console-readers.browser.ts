import t from 'tap'
import { createFlag } from '../../src/domain/flags/flags.ts'
import { aCaller, aRole, operator } from '../support/app.ts'
import { onOrOff } from '../support/flags.ts'
import { aService, aServiceKey } from '../support/keys.ts'
import { isLoaded, startConsole } from './console-pages.ts'

// Visits the console as people who may read everything, and change nothing.

const { app, base, visitAs } = await startConsole(t)
const { db, database } = app
const reading = ['users', 'roles', 'permissions', 'sessions', 'flags', 'activity', 'services']
const role = await aRole(database, ...reading.map((noun) => `${noun}:read`), 'keys:read')
const { user: reader } = await aCaller(app, role)
const { user: admin } = await aCaller(app, 'admin')
const service = await aService(database, role)
await aServiceKey(database, service)
await createFlag(db, operator, { key: 'new-checkout', ...onOrOff })

/** Buttons that change nothing in the data of the portal. */
const harmless = /^(Reload|Copy|Export CSV|Try$|Why|Send reset link)/

t.test('readers see no button and no field that changes something', async (t) => {
  const see = async (user: typeof reader) => {
    const page = await visitAs(user, '/console')
    return async (path: string) => {
      await page.goto(`${base}/console/${path}`)
      await page.locator('h1').waitFor()
      await isLoaded(page)
      const main = page.getByRole('main')
      const [buttons, boxes] = await Promise.all([
        main.getByRole('button', { disabled: false }).allInnerTexts(),
        main.locator(':is(input, select, textarea):enabled:not([role=search] *, .try *)').count()
      ])
      return { buttons: buttons.filter((text) => !harmless.test(text)), boxes }
    }
  }
  const views = [
    'users',
    `users/${admin.id}`,
    `users/${admin.id}/access`,
    `users/${admin.id}/sessions`,
    `users/${admin.id}/security`,
    'roles',
    `roles/${role}`,
    'permissions',
    'sessions',
    'services',
    `services/${service.key}`,
    'flags',
    'flags/new-checkout'
  ]
  const seen = await see(reader)
  const read = Object.fromEntries(await inTurn(views, seen))
  // There is one session in the browser: the next one replaces it.
  const managed = Object.fromEntries(await inTurn(views, await see(admin)))
  for (const view of views) {
    t.same(read[view], { buttons: [], boxes: 0 }, view)
    t.not(managed[view]?.buttons.length, 0, `${view}, for those who may`)
  }
})

async function inTurn<T>(views: string[], see: (view: string) => Promise<T>) {
  const seen: [view: string, T][] = []
  for (const view of views) seen.push([view, await see(view)])
  return seen
}
