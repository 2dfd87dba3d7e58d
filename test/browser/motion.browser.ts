import t from 'tap'
import type { Page } from 'playwright-core'
import { aUser } from '../support/app.ts'
import { hold } from './chromium.ts'
import { startConsole } from './console-pages.ts'

const { app, anAdministrator, base, visit, visitAs } = await startConsole(t)

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
  const { user } = await anAdministrator()
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
