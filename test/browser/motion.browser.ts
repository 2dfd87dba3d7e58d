import t from 'tap'
import type { Page } from 'playwright-core'
import { aUser, until } from '../support/app.ts'
import { hold } from './chromium.ts'
import { openCommand, startConsole } from './console-pages.ts'

const { app, anAdministrator, base, visit, visitAs } = await startConsole(t)
const { user } = await anAdministrator()

/** How many elements of the page, or their decorations, move or would move. */
const moving = (page: Page) =>
  page.evaluate(() => {
    const styles = [...document.querySelectorAll('*')].flatMap((element) =>
      [undefined, '::before', '::after'].map((part) => getComputedStyle(element, part))
    )
    return styles.filter(
      ({ animationName, transitionDuration }) =>
        animationName !== 'none' || transitionDuration.split(', ').some((each) => each !== '0s')
    ).length
  })

t.test('nothing moves where the reader wants no motion', async (t) => {
  const other = await aUser(app.database)
  const page = await visitAs(user, '/console')
  for (const path of ['', '/users', `/users/${other.id}`, '/new-flag', '/mail']) {
    await page.goto(`${base}/console${path}`)
    await page.locator('h1').waitFor()
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    t.ok((await moving(page)) > 0, `${path}: some do otherwise`)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    t.equal(await moving(page), 0, path)
  }
})

t.test('a button under way is marked without turning', async (t) => {
  const { email } = await aUser(app.database)
  const page = await visit('/console')
  const release = await hold(page, '**/api/auth/login')
  await page.fill('[name=email]', email)
  await page.fill('[name=password]', 'not the password')
  await page.click('main [type=submit]')
  await page.locator('button[aria-busy=true]').waitFor()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const turning = await moving(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  t.ok(turning > 0)
  t.equal(await moving(page), 0)
  release()
  await page.locator('button[aria-busy=true]').waitFor({ state: 'detached' })
})

t.test('what comes over the page fades in, and rows stand for what is loaded', async (t) => {
  const page = await visitAs(user, '/console/roles')
  page.setDefaultTimeout(15_000) // DEV
  const release = await hold(page, '**/api/admin/permissions?**')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  /** The opacities with which these begin. */
  const begun = () =>
    page.evaluate(() => (globalThis as { begun?: string[] }).begun?.toSorted().join(' '))
  await page.evaluate(() => {
    const begun = new Set<string>()
    addEventListener('transitionrun', ({ target, propertyName }) => {
      const { classList, localName } = target as Element
      if (propertyName === 'opacity') begun.add(classList[0] ?? localName)
      Object.assign(globalThis, { begun: [...begun] })
    })
  })
  await openCommand(page)
  await page.locator('.command .copy').first().click()
  await page.locator('.status-line').waitFor()
  await page.locator('.user > button').click()
  await page.locator('.menu:popover-open').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Create a role' }).click()
  await page.locator('dialog:modal').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Permissions', exact: true }).click()
  const { height } = (await page.locator('.skeleton').boundingBox()) ?? { height: 0 }
  t.ok(height > 120, 'of several rows')
  await until(async () => (await begun()) === 'dialog menu skeleton status-line')
  release()
  await page.locator('.skeleton').waitFor({ state: 'detached' })
})
