import t from 'tap'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { aRole, aUser, callerOf, operator, until } from '../support/app.ts'
import { checkAccessibility } from './axe.ts'
import type { Page } from 'playwright-core'
import { signIn, startConsole } from './console-pages.ts'

const { app, base, open, visit } = await startConsole(t)
const rows = (page: Page) => page.innerText('tbody')

t.test('an administrator signs in and finds a user', async (t) => {
  const admin = await aUser(app.database, 'admin@example.com')
  await grantRole(app.db, operator, { userId: admin.id, role: 'admin' })
  const other = await aUser(app.database, 'grace@example.com')
  const page = await visit('/console/users')
  await checkAccessibility(t, page, 'sign-in')
  await signIn(page, admin)
  await until(async () => (await rows(page)).includes(other.email))
  t.equal(await page.evaluate(() => location.pathname), '/console/users')
  await checkAccessibility(t, page, 'users')

  await page.fill('[name=q]', 'grace')
  await page.keyboard.press('Enter')
  await until(async () => !(await rows(page)).includes(admin.email))
  t.equal(await page.evaluate(() => location.search), '?q=grace')
  t.match(await rows(page), other.email)
  t.match(await page.textContent('.command code'), 'portal user list --q grace')

  await page.goto(`${base}/console/users?q=nobody-has-this`)
  await until(async () => /No users match/.test((await page.textContent('main')) ?? ''))
})

t.test(
  'when the session ends, the page keeps what was typed until the user signs in',
  async (t) => {
    const admin = await aUser(app.database)
    await grantRole(app.db, operator, { userId: admin.id, role: 'admin' })
    const page = await visit('/console/users')
    await signIn(page, admin)
    await until(async () => (await rows(page)).includes(admin.email))
    const typed = admin.email.slice(0, 8) // the list may show what it finds already
    await page.fill('[name=q]', typed)
    const elsewhere = await callerOf(app, admin)
    t.equal((await elsewhere.call('DELETE', '/api/user/sessions')).statusCode, 204)

    await page.evaluate(() => dispatchEvent(new Event('focus'))) // as when the tab is shown again
    await until(async () => /session has ended/.test((await page.textContent('dialog h2')) ?? ''))
    await checkAccessibility(t, page, 'the session has ended')
    await signIn(page, admin, 'dialog')
    await page.locator('dialog').waitFor({ state: 'detached' })
    t.equal(await page.inputValue('[name=q]'), typed)
    t.match(await rows(page), admin.email)
  }
)

const kept = (page: Page) => page.evaluate(() => JSON.stringify(sessionStorage))

/** A tab in which an administrator has opened the page of Grace. */
async function aTabThatOpened(grace: { id: string }) {
  const admin = await aUser(app.database)
  await grantRole(app.db, operator, { userId: admin.id, role: 'admin' })
  const page = await visit(`/console/users/${grace.id}`)
  await signIn(page, admin)
  await until(async () => (await kept(page)).includes(grace.id))
  await page.reload()
  await page.locator('header nav').waitFor()
  t.match(await kept(page), grace.id, 'a reload keeps it')
  return page
}

t.test('a sign-out leaves nothing in the browser of whom the user has opened', async (t) => {
  const page = await aTabThatOpened(await aUser(app.database))
  await page.click('.user > button')
  await page.click('#user-menu button')
  await page.locator('main [name=email]').waitFor()
  t.equal(await kept(page), '{}')
})

t.test('a user who takes the page over finds nothing of what the other has opened', async (t) => {
  const page = await aTabThatOpened(await aUser(app.database))
  const [other, another] = [await aUser(app.database), await aUser(app.database)]
  const [name = '', value = ''] = (await callerOf(app, other)).cookie.split(/=(.*)/)
  await page.context().addCookies([{ name, value, url: base }])
  await page.evaluate(() => dispatchEvent(new Event('focus'))) // as when the tab is shown again
  await until(async () => (await page.innerText('.who').catch(() => '')).includes(other.email))
  t.equal(await kept(page), '{}')

  const later = await aTabThatOpened(another)
  await later.goto(`${base}/console/not-found`)
  await later.context().clearCookies()
  await later.reload()
  await signIn(later, other)
  await later.locator('header nav').waitFor()
  t.equal(await kept(later), '{}', 'the session ended, and somebody else signed in')
})

t.test('without the permission, the page says which one is missing', async (t) => {
  const user = await aUser(app.database)
  await grantRole(app.db, operator, { userId: user.id, role: await aRole(app.database) })
  const page = await visit('/console/users')
  await signIn(page, user)
  await until(async () => (await page.textContent('h1')) === 'Users')
  t.match(await page.textContent('main'), 'needs the permission users:read')
})

t.test('violations of the content security policy are noticed', async (t) => {
  const problems: string[] = []
  const page = await open('/console', (problem) => problems.push(problem))
  await page.evaluate(() => document.body.setAttribute('style', 'color: red'))
  await until(() => problems.some((problem) => /style-src/.test(problem)))
  const write = () => {
    try {
      document.body.innerHTML = '<b>'
    } catch (error) {
      return (error as Error).name
    }
  }
  t.equal(await page.evaluate(write), 'TypeError', 'no HTML from text')
})
