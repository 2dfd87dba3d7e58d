import type { Request } from 'playwright-core'
import t from 'tap'
import { aRole, aUser, operator, until } from '../support/app.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { checkAccessibility } from './axe.ts'
import { press, shows, signIn, startConsole } from './console-pages.ts'
import { keyboardOf } from './keyboard.ts'

const { app, anAdministrator, base, open, visit, visitAs } = await startConsole(t)
const { user: admin } = await anAdministrator()
const page = await visitAs(admin, '/console/roles')
const isAt = (path: string) =>
  until(async () => (await page.evaluate(() => location.pathname)) === path)

t.test('the side bar groups the views, and marks the one that is shown', async (t) => {
  await shows(page, 'Roles', 'h1')
  const groups = await page.locator('header nav ul').allInnerTexts()
  t.same(
    groups.map((group) => group.trim().split(/\s*\n\s*/)),
    [
      ['Overview'],
      ['Users', 'Roles', 'Permissions', 'Sessions', 'Services', 'Providers'],
      ['Flags', 'Segments'],
      ['Activity', 'Webhooks', 'Mail'],
      ['Health']
    ]
  )
  t.same(await page.locator('header [aria-current=page]').allInnerTexts(), ['Roles'])
  t.match(await page.textContent('header'), 'development')
  await page.goto(`${base}/console/new-flag`)
  await shows(page, 'New flag', 'h1')
  const marked = await page.locator('header [aria-current=page]').allInnerTexts()
  t.same(marked, ['Flags'], 'a view that has no place of its own')
  for (const path of ['deleted-flags', 'new-segment']) {
    await page.goto(`${base}/console/${path}`)
    await shows(page, path === 'new-segment' ? 'New segment' : 'Deleted flags', 'h1')
    const place = path === 'new-segment' ? 'Segments' : 'Flags'
    t.same(await page.locator('header [aria-current=page]').allInnerTexts(), [place], path)
  }
})

t.test('who is signed in is asked once, before the script runs', async (t) => {
  const asked: string[] = []
  const note = (request: Request) => asked.push(new URL(request.url()).pathname)
  page.on('request', note)
  await page.reload()
  await page.locator('h1:focus').waitFor()
  page.off('request', note)
  t.equal(asked.filter((path) => path === '/api/auth/session').length, 1)
  const [session] = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('/api/auth/session'))
      .map((entry) => (entry as PerformanceResourceTiming).initiatorType)
  )
  t.equal(session, 'link', 'by the document')
})

t.test('the code of a rare view is loaded later, and again after a failure', async () => {
  const own = await visitAs(admin, '/console/users')
  const loaded = () =>
    own.evaluate(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/later-'))
    )
  await until(loaded) // once the browser has time
  const code = '**/assets/later-rare-views-*'
  await own.route(code, (route) => route.abort())
  await own.goto(`${base}/console/roles`)
  await shows(own, /could not be loaded.*try again/i, '[role=alert]')
  await shows(own, 'Roles', 'h1')
  await own.unroute(code)
  await press(own, 'Try again')
  await shows(own, 'Administrator', 'main table')
  await own.close()
})

t.test('the form of a sign-in is shown without any format of Intl', async (t) => {
  const visitor = await visit('/console')
  await visitor.addInitScript(() => {
    const count = (name: 'DateTimeFormat' | 'NumberFormat') => {
      const format = new Proxy(Intl[name] as new () => object, {
        construct(target, given, self) {
          performance.mark('format')
          return Reflect.construct(target, given, self) as object
        }
      })
      Object.assign(Intl, { [name]: format })
    }
    count('DateTimeFormat')
    count('NumberFormat')
  })
  const formats = () => visitor.evaluate(() => performance.getEntriesByName('format').length)
  await visitor.reload()
  await visitor.locator('[name=password]').waitFor()
  t.equal(await formats(), 0, 'the first one takes a browser 20 ms or more')
  await signIn(visitor, admin)
  await visitor.locator('.plot').first().waitFor()
  t.ok((await formats()) > 0, 'plots need some')
  await visitor.close()
})

t.test('a narrow page has one line of 3 rem, from which the views open', async (t) => {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 740 })
  t.equal((await page.locator('header').boundingBox())?.height, 48)
  t.ok(await page.locator('h1').isVisible())
  t.notOk(await page.locator('header nav').isVisible())
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await checkAccessibility(t, page, 'menu')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('link', { name: 'Health', exact: true }).click()
  await isAt('/console/health')
  t.notOk(await page.locator('header nav').isVisible(), 'the menu is closed')
  if (size) await page.setViewportSize(size)
})

t.test('the first link skips the navigation', async (t) => {
  await page.reload()
  await page.locator('h1:focus').waitFor()
  const first = page.locator('a, button, input, [tabindex]').first()
  t.equal(await first.textContent(), 'Skip to the content')
  await first.focus()
  await keyboardOf(page).press('Enter')
  t.equal(await page.textContent(':focus'), 'Health')
})

t.test('a theme is chosen in the menu of the user, and stays', async (t) => {
  const background = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await background()
  await page.getByRole('button', { name: admin.name }).click()
  await page.getByLabel('Dark').check()
  const dark = await background()
  t.not(dark, light)
  await page.reload()
  await shows(page, 'Health', 'h1')
  t.equal(await background(), dark)
  await page.getByRole('button', { name: admin.name }).click()
  await page.getByLabel('As the system').check()
  t.equal(await background(), light)
})

t.test('what cannot be rendered is a page with a way on, and the id of the request', async (t) => {
  const problems: string[] = []
  const broken = await open('/console/roles', (problem) => problems.push(problem))
  await shows(broken, 'Roles', 'h1')
  let id: string | undefined
  await broken.route('**/api/admin/permissions?*', async (route) => {
    const response = await route.fetch()
    id = response.headers()['x-request-id']
    await route.fulfill({ response, json: { items: [null], nextCursor: null } })
  })
  await broken.getByRole('link', { name: 'Permissions', exact: true }).click()
  await shows(broken, 'This page cannot be shown', 'h1')
  await until(() => problems.length > 0)
  t.ok(id && (await broken.textContent('main'))?.includes(id))
  await checkAccessibility(t, broken, 'broken')
  await broken.getByRole('link', { name: 'Flags', exact: true }).click()
  await shows(broken, 'Flags', 'h1')
  await broken.goBack()
  await broken.unrouteAll()
  await broken.getByRole('button', { name: 'Reload', exact: true }).click()
  await shows(broken, 'Permissions', 'h1')
})

t.test('users see only the views that they may open', async (t) => {
  const auditor = await aUser(app.database)
  const role = await aRole(app.database, 'activity:read', 'flags:read')
  await grantRole(app.db, operator, { userId: auditor.id, role })
  const own = await visitAs(auditor, '/console/activity')
  t.same(await own.locator('header nav a').allInnerTexts(), [
    'Overview',
    'Providers',
    'Flags',
    'Segments',
    'Activity',
    'Health'
  ])
})
