import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import t from 'tap'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { aRole, aUser, operator, password, until } from '../support/app.ts'
import { axeFindings } from './axe.ts'
import { openCommand, press, says, shows, startConsole } from './console-pages.ts'

// How the console shows states: what is disabled, current, wrong, done or over.

const { app, anAdministrator, base, open, visitAs } = await startConsole(t)
const { user: admin, call } = await anAdministrator()
const page = await visitAs(admin, '/console/roles')
const settled = () => page.emulateMedia({ reducedMotion: 'reduce' })
await settled()

/** The style of what a selector finds first. */
const styleOf = (of: Page, selector: string, part?: string) =>
  of
    .locator(selector)
    .first()
    .evaluate((element, part) => ({ ...getComputedStyle(element, part) }), part)

t.test('disabled buttons and fields of every kind look disabled, in dialogs as well', async (t) => {
  const looks = await page.evaluate(() => {
    const kinds = ['', 'outline', 'secondary', 'secondary outline', 'dangerous', 'plain']
    return ['main', 'dialog'].flatMap((place) => {
      const within = document.body.appendChild(document.createElement(place))
      const lookOf = (tag: string, name = '') => {
        const element = within.appendChild(document.createElement(tag))
        element.className = name
        element.toggleAttribute('disabled', !name.includes('locked'))
        const { color, backgroundColor } = getComputedStyle(element)
        return `${place} ${tag} ${name}: ${color} on ${backgroundColor}`
      }
      const all = [
        ...kinds.flatMap((kind) => [lookOf('button', kind), lookOf('button', `${kind} locked`)]),
        ...['input', 'select', 'textarea'].map((tag) => lookOf(tag))
      ]
      within.remove()
      return all
    })
  })
  const sunken = looks[0]?.split(': ')[1]
  t.equal(looks.length, 30)
  t.same(
    looks.filter((look) => !look.endsWith(`: ${sunken}`)),
    []
  )
})

t.test('the current view stays marked under the pointer', async (t) => {
  const current = 'header nav [aria-current]'
  await page.mouse.move(700, 5)
  const before = await styleOf(page, current)
  await page.hover(current)
  const { backgroundColor, color } = await styleOf(page, current)
  t.same(
    { backgroundColor, color },
    { backgroundColor: before.backgroundColor, color: before.color }
  )
})

t.test('links beside chips are underlined: axe finds nothing at any width', async (t) => {
  await shows(page, 'Roles', 'h1')
  await page.locator('td .chip').first().waitFor()
  const size = page.viewportSize()
  for (const width of [720, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    t.same(await axeFindings(page), [], `${width} px`)
  }
  if (size) await page.setViewportSize(size)
})

t.test('the tabs of a user stay in place, whichever is current', async (t) => {
  const places = async (tab: string) => {
    await page.goto(`${base}/console/users/${admin.id}/${tab}`)
    await page.locator('.tabs [aria-current]').waitFor()
    return page
      .locator('.tabs a')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x))
  }
  t.same(await places('security'), await places('access'))
})

t.test('with forced colours one sees where one is, and what floats', async (t) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  const outlined = async (selector: string) => {
    const { outlineStyle, outlineColor, outlineWidth } = await styleOf(page, selector)
    return outlineStyle === 'solid' && outlineWidth !== '0px' && outlineColor !== 'rgba(0, 0, 0, 0)'
  }
  t.ok(await outlined('.views [aria-current]'), 'the current view')
  t.notOk(await outlined('.views a:not([aria-current])'))
  const { borderBottomColor: line } = await styleOf(page, '.tabs a:not([aria-current])')
  t.equal(line, (await styleOf(page, 'html')).backgroundColor, 'no line under other tabs')
  t.not((await styleOf(page, '.tabs [aria-current]')).borderBottomColor, line)
  await page.getByRole('button', { name: admin.name }).click()
  t.ok(await outlined('.menu:popover-open'), 'a menu')
  await page.keyboard.press('Escape')
  await page.goto(`${base}/console`)
  await page.locator('.legend i').first().waitFor()
  t.equal(
    (await styleOf(page, '.legend i')).forcedColorAdjust,
    'none',
    'legends keep their colours'
  )
  await page.emulateMedia({ forcedColors: null })
  await settled()
})

t.test('the name of the product has room beside what it is administered for', async (t) => {
  const size = page.viewportSize()
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 700 })
    for (const name of ['portal', 'Acme Ledger']) {
      const { cut, lines } = await page.locator('.brand span').evaluate((span, name) => {
        if (span.firstChild) span.firstChild.textContent = name
        const range = document.createRange()
        range.selectNodeContents(span.firstChild!)
        return { cut: span.scrollWidth - span.clientWidth, lines: range.getClientRects().length }
      }, name)
      t.same([cut <= 0, lines], [true, 1], `${name} at ${width} px`)
    }
  }
  if (size) await page.setViewportSize(size)
})

t.test('a mistake takes the place of the hint', async (t) => {
  await page.goto(`${base}/console/roles`)
  await press(page, 'Create a role')
  const help = page.locator('dialog .field:has([name=key]) small')
  const hint = await help.innerText()
  await page.fill('dialog [name=key]', 'Not a key')
  await page.click('dialog [type=submit]')
  await until(async () => (await help.innerText()) !== hint)
  t.notMatch(await help.innerText(), hint)
})

t.test('what an action has done is gone with the next action, and has its tone', async (t) => {
  await page.goto(`${base}/console/roles`)
  await openCommand(page)
  const toast = page.locator('.status-line')
  const copy = () => page.locator('.command .copy').first().click()
  await page.context().grantPermissions(['clipboard-write'])
  await copy()
  await page.locator('.status-line.good', { hasText: 'The command is in the clipboard.' }).waitFor()
  t.equal(await toast.locator('svg').count(), 1, 'with a tick')

  await press(page, 'Create a role')
  await page.locator('dialog:modal').waitFor()
  t.equal(await toast.count(), 0, 'by the next action')
  await page.keyboard.press('Escape')
  await copy()
  await toast.waitFor()
  await page.getByRole('link', { name: 'Permissions', exact: true }).click()
  await shows(page, 'Permissions', 'h1')
  t.equal(await toast.count(), 0, 'by navigation')
  await openCommand(page)
  await copy()
  await toast.waitFor()
  await page.goBack()
  await shows(page, 'Roles', 'h1')
  t.equal(await toast.count(), 0, 'by Back')
  await openCommand(page)

  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
  })
  await copy()
  await page.locator('.status-line.bad', { hasText: 'does not allow copying' }).waitFor()
})

t.test('the overview groups the digits of every number', async () => {
  await app.db.execute(sql`
    insert into activity (id, at, action, outcome, actor_type, source)
    select gen_random_uuid(), now(), 'user.create', 'success', 'cli', 'cli'
    from generate_series(1, 1234)`)
  await page.goto(`${base}/console`)
  await shows(page, /\+1,23\d in 48 hours/, '.figures')
})

t.test('who may not see the overview begins with the first view that they may', async (t) => {
  const support = await aUser(app.database)
  const role = await aRole(app.database, 'users:read', 'sessions:read')
  await grantRole(app.db, operator, { userId: support.id, role })
  const own = await visitAs(support, '/console')
  await shows(own, 'Users', 'h1')
  t.equal(new URL(own.url()).pathname, '/console/users')
  await own.context().clearCookies()
  await own.close()
})

t.test('a sign-out in one tab hides what another one shows', async (t) => {
  const [first, second] = [await visitAs(admin, '/console/roles'), await open('/console/users')]
  await second.locator('tbody').waitFor()
  await first.getByRole('button', { name: admin.name }).click()
  await press(first, 'Sign out')
  await second.locator('dialog:modal').waitFor() // nobody has touched it
  const { backgroundColor } = await styleOf(second, 'dialog', '::backdrop')
  t.notMatch(backgroundColor, /rgba|transparent/, 'nothing can be read behind it')
  await Promise.all([first.close(), second.close()])
})

t.test('the dialog of an ended session knows whose it was', async (t) => {
  const own = await visitAs(admin, '/console/roles')
  await press(own, 'Create a role')
  await own.fill('dialog [name=key]', 'kept')
  await own.fill('dialog [name=name]', 'Kept')
  await call('DELETE', `/api/admin/sessions?userId=${admin.id}`)
  await own.click('dialog [type=submit]')
  const ended = own.getByRole('dialog', { name: 'Your session has ended' })
  await ended.waitFor()
  t.equal(await ended.locator('[name=email]').inputValue(), admin.email)
  t.equal(await own.evaluate(() => document.activeElement?.getAttribute('name')), 'password')
  await own.keyboard.insertText(password)
  await own.keyboard.press('Enter')
  await ended.waitFor({ state: 'detached' })
  t.equal(await own.inputValue('dialog [name=key]'), 'kept')
  t.equal(await own.locator('dialog [role=alert]').count(), 0, 'the message is gone')
  await own.click('dialog [type=submit]')
  await says(own, 'The role Kept was created.')
})
