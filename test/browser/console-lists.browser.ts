import t from 'tap'
import { createFlag } from '../../src/domain/flags/flags.ts'
import { aUser, callerOf, operator, until } from '../support/app.ts'
import { aFlag } from '../support/flags.ts'
import { click, isLoaded, openCommand, press, shows, startConsole } from './console-pages.ts'

const { app, base, anAdministrator, visitAs } = await startConsole(t)
const { user: admin } = await anAdministrator()
const users = await Promise.all(
  Array.from({ length: 55 }, (_, n) =>
    aUser(app.database, `user-${String(n).padStart(2, '0')}@example.com`)
  )
)
const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0'
for (const user of users) {
  const { cookie } = await callerOf(app, user)
  await app.inject({ url: '/api/auth/me', headers: { cookie, 'user-agent': agent } })
}

t.test('a list says what it shows, and leads forward and back', async (t) => {
  const page = await visitAs(admin, '/console/users?sort=email')
  await shows(page, '1–50 of more than 50 users', '.paging')
  await press(page, 'Next', '.paging')
  await shows(page, '51–56 of 56 users', '.paging')
  t.match(await page.textContent('tbody tr:last-child'), 'user-54@example.com')
  await press(page, 'Previous', '.paging')
  await shows(page, '1–50 of more than 50 users', '.paging')
  t.match(await page.textContent('tbody tr:first-child'), 'admin@example.com')

  await press(page, 'Next', '.paging')
  await shows(page, '51–56 of 56 users', '.paging')
  await page.reload()
  await shows(page, '6 users on this page', '.paging')
  await press(page, 'First page', '.paging')
  await shows(page, '1–50 of more than 50 users', '.paging')
})

t.test('the title of a column sorts, and again the other way', async (t) => {
  const page = await visitAs(admin, '/console/users')
  const sorted = () =>
    page
      .locator('th[aria-sort]')
      .evaluateAll((all) =>
        all.map((each) => `${each.textContent} ${each.getAttribute('aria-sort')}`)
      )
  await until(async () => (await sorted()).join() === 'Created descending')
  await click(page, 'th a >> text=Created')
  await until(async () => (await sorted()).join() === 'Created ascending')
  t.equal(await page.evaluate(() => location.search), '?sort=createdAt')
  await isLoaded(page)
  t.match(await page.textContent('tbody tr:first-child'), 'admin@example.com')
  await page.fill('[name=q]', 'user-1')
  await page.press('[name=q]', 'Enter')
  await shows(page, '10 users', '.paging')
  t.equal(await page.evaluate(() => location.search), '?q=user-1&sort=createdAt', 'it stays sorted')
})

t.test('the search finds while one types, and Back is the list before it', async (t) => {
  const page = await visitAs(admin, '/console/users')
  const search = () => page.evaluate(() => location.search)
  await shows(page, '1–50 of more than 50 users', '.paging')
  await page.locator('[name=q]').pressSequentially('user-2')
  await shows(page, '10 users', '.paging')
  t.equal(await search(), '?q=user-2')
  await page.locator('[name=q]').pressSequentially('3')
  await shows(page, '1 user', '.paging')
  t.equal(await search(), '?q=user-23')
  t.equal(await page.inputValue('[name=q]'), 'user-23')
  t.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'q')

  await page.goBack()
  await shows(page, '1–50 of more than 50 users', '.paging')
  t.equal(await search(), '')
  t.equal(await page.inputValue('[name=q]'), '')
  await page.goForward()
  await shows(page, '1 user', '.paging')
  t.equal(await page.inputValue('[name=q]'), 'user-23')

  await page.fill('[name=q]', 'nobody-has-this')
  await shows(page, 'No users match these filters.', 'main')
  await press(page, 'Show all users', 'main')
  await shows(page, '1–50 of more than 50 users', '.paging')
  t.equal(await page.inputValue('[name=q]'), '')
})

t.test('Back returns to the same place of the list, from memory', async (t) => {
  const page = await visitAs(admin, '/console/users')
  await shows(page, '1–50 of more than 50 users', '.paging')
  const top = () => page.evaluate(() => scrollY)
  await page.evaluate(() => scrollTo(0, 900))
  await until(async () => (await top()) === 900)
  await click(page, 'tbody tr:nth-child(25) a')
  await shows(page, 'Sessions', '.tabs')
  t.equal(await top(), 0)
  await page.route('**/api/admin/users?*', () => {}) // the list is not loaded again
  await page.goBack()
  await until(async () => (await top()) === 900)
  t.equal(await page.locator('tbody tr').count(), 50)
})

t.test('nothing is cut at any width, and below 48 rem rows are cards', async (t) => {
  const page = await visitAs(admin, '/console')
  const views = ['users', 'roles', 'permissions', 'sessions?state=all', 'flags', 'activity', 'mail']
  for (const view of views) {
    await page.goto(`${base}/console/${view}`)
    await page.locator('.paging, .empty').first().waitFor()
    await isLoaded(page)
    for (const width of [360, 767, 768, 1023, 1025, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const { cut, heads } = await page.evaluate(() => ({
        cut: [document.documentElement, ...document.querySelectorAll('main, main *')]
          .filter((each) => each.clientWidth > 0 && !each.closest('.unseen, svg, pre'))
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
          .map(({ tagName, className }) => `${tagName}.${String(className)}`),
        heads: document.querySelector('.table thead')?.checkVisibility()
      }))
      t.same(cut, [], `${view} at ${width} px`)
      if (heads !== undefined) t.equal(heads, width >= 768, `heads of ${view} at ${width} px`)
    }
  }
})

t.test('fifty sessions take one call, and are short', async (t) => {
  const page = await visitAs(admin, '/console/not-found')
  await shows(page, 'Page not found', 'h1')
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/admin/')) calls.push(pathname)
  })
  await press(page, 'Sessions', 'nav')
  await shows(page, '1–50 of more than 50 sessions', '.paging')
  t.equal(await page.locator('tbody tr').count(), 50)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  t.ok(height <= 2800, `${height} px`)
  const row = page.locator('tbody tr', { hasText: 'user-' }).first()
  t.match(await row.innerText(), /Ada Lovelace\s+user-\d\d@example.com/)
  t.match(await row.locator('time').first().getAttribute('title'), /20\d\d/, 'the exact time')
  await page.waitForLoadState('networkidle')
  t.same(calls, ['/api/admin/sessions'], 'users and browsers come with the sessions')
})

t.test('sessions of somebody are found by address', async (t) => {
  const [user] = users
  if (!user) throw new Error('nobody')
  const page = await visitAs(admin, '/console/sessions')
  const person = '[placeholder="Name or address"]'
  await page.fill(person, user.email)
  await until(async () => (await page.locator(`option[value="${user.email}"]`).count()) === 1)
  await page.press(person, 'Enter')
  await shows(page, '1 session', '.paging')
  t.equal(await page.evaluate(() => location.search), `?userId=${user.id}`)
  await page.fill(person, '')
  await page.press(person, 'Tab')
  await shows(page, '1–50 of more than 50 sessions', '.paging')
})

t.test('the session of this browser is marked, and no other of the same user', async (t) => {
  await visitAs(admin, '/console/sessions')
  const page = await visitAs(admin, '/console/sessions')
  await shows(page, 'This session', 'tbody tr:first-child')
  t.equal(await page.getByText('This session').count(), 1)
})

t.test('commands can be copied', async (t) => {
  const page = await visitAs(admin, '/console/users?q=user-1')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openCommand(page)
  await press(page, 'Copy the command', '.command')
  await shows(page, 'The command is in the clipboard.')
  t.equal(await page.evaluate(() => navigator.clipboard.readText()), 'portal user list --q user-1')
})

t.test('an empty list explains what belongs there, and offers the first step', async (t) => {
  const page = await visitAs(admin, '/console')
  for (const [view, explains, command, step] of [
    ['flags', 'A flag turns a feature on for', 'portal flag create', 'Create a flag'],
    ['services', 'A service has roles and API keys', 'portal service create', 'Create a service'],
    ['mail', 'Links to confirm an address', 'portal mail test']
  ] as const) {
    await page.goto(`${base}/console/${view}`)
    await shows(page, explains, '.empty p')
    t.match(await page.textContent('.empty code'), command)
    const steps = await page.locator('.empty .actions :is(button, [role=button])').allInnerTexts()
    t.same(steps, step === undefined ? [] : [step], view)
  }
})

t.test('flags are found by words, state and type, and counted', async (t) => {
  for (const [key, changes] of [
    ['find-me', { description: 'Für die Suche' }],
    ['find-me-too', { state: 'disabled' }]
  ] as const) {
    await createFlag(app.db, operator, aFlag({ key, ...changes }))
  }
  const page = await visitAs(admin, '/console/flags')
  await shows(page, '2 flags', '.paging')
  const keys = () => page.locator('main tbody td:first-child').allInnerTexts()
  await page.getByLabel('Key or description').fill('suche FIND')
  await shows(page, '1 flag', '.paging')
  t.match((await keys()).join(), /find-me\s+Für die Suche/)
  t.equal(new URL(page.url()).searchParams.get('q'), 'suche FIND')
  await page.goto(`${base}/console/flags?q=find`)
  await page.getByLabel('State').selectOption('disabled')
  await shows(page, '1 flag', '.paging')
  t.match((await keys()).join(), 'find-me-too')
  await page.getByLabel('Type').selectOption('number')
  await shows(page, 'No flags match these filters.')
})
