import t from 'tap'
import { aUser } from '../support/app.ts'
import { isAt, isHeaded, press, startAccount } from './account-pages.ts'

const { app, base, visit, visitAs } = await startAccount(t)

t.test('who is signed in goes on from the pages for others', async (t) => {
  const user = await aUser(app.database)
  const page = await visitAs(user, '/account/security')
  await page.locator('header').waitFor()
  await page.goto(`${base}/account/sign-in?return=/account/sessions`)
  await isAt(page, '/account/sessions')
  await page.goto(`${base}/account/register`)
  await isAt(page, '/account')
  await isHeaded(page, 'Your account')
  t.equal(await page.locator('form').count(), 0)
  await page.goto(`${base}/account/deleted`)
  await isHeaded(page, 'Your account')
  await page.goto(`${base}/account/forgot`)
  await page.locator('[name=email]').waitFor()
  t.equal(await page.inputValue('[name=email]'), user.email)
  t.equal(await page.locator('main').getByRole('link').count(), 0)
  await press(page, 'Account')
  await isHeaded(page, 'Your account')
})

t.test('every view of a signed-in user has the product and the way back to the app', async (t) => {
  const user = await aUser(app.database)
  for (const view of ['', '/security', '/sessions', '/profile', '/data', '/delete']) {
    const page = await visitAs(user, `/account${view}?return=/invoices`)
    const back = page.locator('header').getByRole('link', { name: 'Back to portal' })
    await back.waitFor()
    t.equal(await back.getAttribute('href'), `${base}/invoices`)
    t.match(await page.locator('header').innerText(), /^portal/)
  }
})

t.test(
  'on a phone, the sections are one line of tabs, and the current one is in sight',
  async (t) => {
    const user = await aUser(app.database)
    const page = await visitAs(user, '/account/data')
    await isHeaded(page, 'Your data')
    await page.setViewportSize({ width: 320, height: 640 })
    await page.reload()
    await isHeaded(page, 'Your data')
    const tops = await page
      .locator('.sections a')
      .evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top))
    t.ok(tops.length > 3)
    t.equal(new Set(tops).size, 1)
    const { x = -1, width = 0 } =
      (await page.locator('.sections [aria-current]').boundingBox()) ?? {}
    t.ok(x > 0 && x + width <= 320, `from ${x}, ${width} px wide`)
    t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  }
)

t.test('before the sign-in, a view is a card of 26 rem, and fits a phone', async (t) => {
  const page = await visit('/account/sign-in')
  const card = page.locator('main.card')
  t.equal((await card.boundingBox())?.width, 416)
  t.match(await card.innerText(), /^portal/)
  await page.setViewportSize({ width: 320, height: 640 })
  t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  await page.goto(`${base}/account/deleted`)
  await page.getByRole('link', { name: 'Create an account' }).waitFor()
})
