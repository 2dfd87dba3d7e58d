import t from 'tap'
import { recordAll } from '../../src/domain/activity/record.ts'
import { version } from '../../src/version.ts'
import { aCaller, anonymous, callerOf, password, until } from '../support/app.ts'
import { registerUser } from '../../src/domain/sign-in/registration.ts'
import { checkAccessibility } from './axe.ts'
import { aStillTab, hold } from './chromium.ts'
import type { Page } from 'playwright-core'
import { startConsole } from './console-pages.ts'
import { keyboardOf } from './keyboard.ts'

const { app, base, visitAs } = await startConsole(t)
const markup = '<img src=x onerror="console.error(1)"><script>console.error(2)</script>'
const { user: admin, call } = await aCaller(app, 'admin')
const hostile = await registerUser(app.context, anonymous, {
  email: 'mallory@example.com',
  password,
  name: markup.slice(0, 100)
})
const mallory = await callerOf(app, hostile)

/** Mallory fails to sign in, in a browser whose name is markup. */
const failToSignIn = () =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'user-agent': markup },
    payload: { email: hostile.email, password: 'not this password' }
  })
for (let failure = 0; failure < 3; failure += 1) await failToSignIn()
await mallory.call('GET', '/api/admin/users')
await recordAll(app.db, anonymous, 'throttle.limited', [
  { outcome: 'failure', reason: 'rate-limited', details: { limit: 'login', count: 7 } }
])

const wentWrong = [
  `A sign-in as ${hostile.name} failed: wrong password`,
  'Too many attempts were refused, 7 times',
  `${hostile.name} was refused GET /api/admin/users, which needs users:read`
]

const page = await visitAs(admin, '/console')
const { press: type } = keyboardOf(page)

const address = () => page.evaluate(() => location.pathname + location.search)
const has = (selector: string) => page.locator(selector).first().waitFor()
const isAt = (expected: string) => until(async () => (await address()) === expected)
const mainHas = (text: string) =>
  until(async () => (await page.textContent('main'))?.includes(text))
const press = (name: string, within = 'main') =>
  page.locator(within).getByRole('button', { name, exact: true }).first().click()
const subjects = () => page.locator('tbody td:first-child').allInnerTexts()
/** The sentences of activity records, without where they came from. */
const sentences = () =>
  page.locator('.records li > div').evaluateAll((all) =>
    all.map((each) => {
      const shown = each.cloneNode(true) as Element
      for (const rest of shown.querySelectorAll('small, .unseen')) rest.remove()
      return shown.textContent ?? ''
    })
  )

interface Shown {
  title: string
  legend: string[]
  /** Whether anything is drawn in each colour. */
  isDrawn: boolean[]
}
const plots = (of: Page): Promise<Shown[]> =>
  of.locator('.plot').evaluateAll((all) =>
    all.map((plot) => ({
      title: plot.querySelector('strong')?.textContent ?? '',
      legend: [...plot.querySelectorAll('.legend li')].map((li) => li.textContent ?? ''),
      isDrawn: [...plot.querySelectorAll('svg [class*=tone]')].map((path) => {
        const { width, height } = (path as SVGGraphicsElement).getBBox()
        return width > 0 && height > 0
      })
    }))
  )

t.test('the overview shows the state, counts over time and the last failures', async (t) => {
  await has('.plot')
  await has('.records')
  t.equal(await address(), '/console')
  const state = (await page.textContent('main')) ?? ''
  for (const text of [
    'Nothing needs attention.',
    'Users2 +2 in 48 hours',
    'Sign-ins3 3 more than in the 48 hours before',
    'Failed sign-ins3 3 more than in the 48 hours before'
  ]) {
    t.ok(state.includes(text), text)
  }
  const { items } = (await call('GET', '/api/admin/activity/summary?bucket=day')).json()
  t.match(items, [{}], 'there is something to show')
  t.same(await plots(page), [
    { title: 'Sign-ins', legend: ['success 3', 'failure 3'], isDrawn: [true, true] },
    { title: 'Registrations', legend: ['success 2', 'failure 0'], isDrawn: [true, false] },
    {
      title: 'Refusals',
      legend: ['too many attempts 7', 'permission denied 1', 'token rejected 0', 'cross-site 0'],
      isDrawn: [true, true, false, false]
    }
  ])
  t.same((await sentences()).sort(), wentWrong.toSorted())
  const repeated = page.locator('.records li', { hasText: 'wrong password' }).locator('small')
  t.match(await repeated.innerText(), /, 3 times$/, 'equal ones are one')
  await checkAccessibility(t, page, 'overview')

  const axis = (name: string) => page.locator(`.plot .${name} small`).allInnerTexts()
  const [highest = '', middle, lowest] = (await axis('values')).slice(0, 3)
  t.ok(Number(highest) >= 2, 'several sign-ins in one hour, or in two')
  t.same([middle, lowest], [String(Number(highest) / 2), '0'], 'the scale')
  const times = (await axis('span')).slice(0, 2).filter(Boolean)
  t.equal(new Set(times).size, 2, 'the times of the ends')
  const plot = page.locator('.plot svg').first()
  const { width } = (await plot.boundingBox()) ?? { width: 0 }
  await plot.hover({ position: { x: width - 2, y: 10 } })
  t.equal(
    await page.textContent('.plot figcaption small'),
    await page.textContent('.plot .span :last-child'),
    'the time under the pointer'
  )

  const rowsOfTable = () => page.locator('.plot tr').count()
  await page.click('.plot summary')
  await until(async () => (await rowsOfTable()) > 48)
  await page.click('[href$="30-days"]')
  await isAt('/console?period=30-days')
  await until(async () => (await rowsOfTable()) < 40)
  t.match(await plots(page), [{ legend: ['success 3', 'failure 3'] }])
})

t.test('a plot leads to the records behind it', async (t) => {
  await page.click('.plot [href*="outcome=failure"]')
  await until(async () => (await address()).startsWith('/console/activity?'))
  t.match(await address(), /\?action=auth.login&outcome=failure&from=[^&]+$/)
  await until(async () => (await sentences()).length === 1)
  t.match(await page.innerText('.records li'), /sign-in[^]+, 3 times/, 'equal ones are one')
  await until(async () => (await plots(page)).length === 1)
  t.match(await plots(page), [{ legend: ['success 0', 'failure 3'], isDrawn: [false, true] }])
})

t.test('filters of the activity are in the address, and in commands', async (t) => {
  await page.goto(`${base}/console/activity?actorId=${hostile.id}`)
  await has('.records')
  await page.selectOption('[name=outcome]', 'failure')
  await isAt(`/console/activity?actorId=${hostile.id}&outcome=failure`)
  await until(async () => (await sentences()).length === 1)
  t.same(await sentences(), wentWrong.slice(-1))
  await checkAccessibility(t, page, 'activity')

  const commands = await page.locator('.command code').allTextContents()
  t.equal(commands[0]?.trim(), `portal activity list --outcome failure --actor ${hostile.id}`)
})

t.test('a record is shown in full, as text', async (t) => {
  await page.goto(`${base}/console/activity?action=auth.login&outcome=failure`)
  await has('.plot')
  await page.click('.records li > a')
  await has('dialog .facts')
  const record = await page.textContent('dialog pre')
  t.match(record, JSON.stringify(markup), 'the user agent')
  t.match(await address(), '&record=')
  await checkAccessibility(t, page, 'activity record')
  await type('Escape')
  await isAt('/console/activity?action=auth.login&outcome=failure')
  t.equal(await page.locator('dialog, main img, main script').count(), 0)
})

t.test('loading again keeps position and focus', async (t) => {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 600, height: 300 })
  const button = page.locator('main button').first()
  const top = async () => (await button.boundingBox())?.y
  await button.focus()
  await page.evaluate(() => scrollTo(0, 250))
  const position = await top()
  t.ok(Number(await page.evaluate(() => scrollY)) > 0)
  await failToSignIn()
  await type('Enter')
  await until(async () => /, 4 times/.test(await page.innerText('.records li')))
  t.equal(await top(), position)
  t.equal(await button.evaluate((each) => each === document.activeElement), true)
  if (size) await page.setViewportSize(size)
})

t.test('on a phone, nothing of the overview moves while its parts arrive one by one', async (t) => {
  const { tab, shift } = await aStillTab(page)
  const state = await hold(tab, '**/api/admin/overview')
  const counts = await hold(tab, '**/api/admin/activity/summary?*')
  await tab.goto(`${base}/console`)
  await tab.locator('.skeleton').first().waitFor()
  counts()
  await tab.locator('.plot').first().waitFor({ state: 'attached' })
  state()
  await tab.locator('.figures').waitFor()
  await tab.locator('.records').waitFor()
  t.ok((await shift()) <= 0.02)
  await tab.close()
})

t.test('the page of a user does not move when the number of live sessions arrives', async (t) => {
  const { tab, shift } = await aStillTab(page)
  const count = await hold(tab, '**/api/admin/sessions?*')
  await tab.goto(`${base}/console/users/${hostile.id}`)
  const live = tab.locator('dl.facts a[href$="/sessions"]')
  t.equal(await live.innerText(), '…')
  await tab.locator('.records').waitFor()
  const before = await shift()
  count()
  await until(async () => (await live.innerText()) === '1')
  t.equal((await shift()) - before, 0)
  await tab.close()
})

t.test('an administrator ends one session, and then all of a user', async (t) => {
  const other = await callerOf(app, hostile)
  await page.goto(`${base}/console/sessions`)
  await until(async () => (await subjects()).some((text) => text.includes(hostile.email)))
  await checkAccessibility(t, page, 'sessions')
  await page.goto(`${base}/console/sessions?userId=${hostile.id}`)
  await until(async () => (await subjects()).length === 2)
  // The newest one is the first.
  await page.focus('tbody button')
  await type('Enter')
  await until(async () => (await subjects()).length === 1)
  t.equal(
    await page.getAttribute(':focus', 'aria-label'),
    'Sessions',
    'the focus stays in the table'
  )
  t.equal((await other.call('GET', '/api/auth/me')).statusCode, 401)
  t.equal((await mallory.call('GET', '/api/auth/me')).statusCode, 200)

  await press('End all sessions of this user')
  await has('dialog')
  await checkAccessibility(t, page, 'end all sessions')
  await press('End all sessions', 'dialog')
  await mainHas('No sessions match')
  t.equal((await mallory.call('GET', '/api/auth/me')).statusCode, 401)
})

t.test('health lists all checks, what is wrong first with the command that helps', async (t) => {
  await page.goto(`${base}/console/health`)
  await mainHas('Nothing needs attention.')
  const checks = page.locator('[aria-label=Checks] li')
  t.same(await checks.locator('strong').allInnerTexts(), [
    ...[
      'Instance',
      'Undelivered mail',
      'Waiting mail',
      'Refused registrations',
      'Refused attempts'
    ],
    ...['Failed sign-ins', 'Clean-up jobs', 'Database']
  ])
  t.same(new Set(await checks.locator('.chip').allInnerTexts()), new Set(['OK']))
  await mainHas(`Version ${version} takes requests.`)
  await mainHas(app.database.label)
  await checkAccessibility(t, page, 'health')
  app.readiness.drain()
  await press('Reload')
  await mainHas('Needs attention: 1 of 8 checks')
  t.match(await checks.first().innerText(), 'This instance takes no requests. It is shutting down.')
  await checks.first().locator('summary').click()
  t.match(await checks.first().innerText(), 'portal doctor')
  await checkAccessibility(t, page, 'health with a finding')
})
