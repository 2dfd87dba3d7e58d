import t from 'tap'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { createFlag } from '../../src/domain/flags/flags.ts'
import { aRole, aUser, callerOf, freshEmail, operator, password, until } from '../helpers.ts'
import { checkAccessibility, takeScreenshot } from './axe.ts'
import type { Page } from './chromium.ts'
import { startPages } from './portal.ts'

const { app, base, open } = await startPages(t)
const { db, database } = app

const admin = await aUser(database, 'admin@example.com')
await grantRole(db, operator, { userId: admin.id, role: 'admin' })
const { call } = await callerOf(app, admin)

const shows = (page: Page, text: string | RegExp, selector = 'body') =>
  until(async () => {
    const found = await page.evaluate<string>(
      `document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`
    )
    return typeof text === 'string' ? found.includes(text) : text.test(found)
  })

/** Clicks the first button, link or summary with this text, inside of the selector. */
async function press(page: Page, text: string, within = 'body') {
  await until(() =>
    page.evaluate(`(() => {
      const found = [...document.querySelectorAll(${JSON.stringify(within)})]
        .flatMap((each) => [...each.querySelectorAll('a, button, summary')])
        .find(({ innerText, disabled }) => innerText.trim() === ${JSON.stringify(text)} && !disabled)
      document.querySelector('[data-pressed]')?.removeAttribute('data-pressed')
      found?.setAttribute('data-pressed', '')
      found?.scrollIntoView({ block: 'center' })
      return found !== undefined
    })()`)
  )
  await page.click('[data-pressed]')
}

async function signIn(page: Page, { email }: { email: string }, within = 'main') {
  await page.type(`${within} [name=email]`, email)
  await page.type(`${within} [name=password]`, password)
  await page.click(`${within} [type=submit]`)
}

/** The console of somebody who has just signed in. */
async function consoleOf(user: { email: string }, path = '/console') {
  const page = await open('/console')
  await page.command('Network.enable')
  await page.command('Network.clearBrowserCookies')
  await page.go(base + path)
  await signIn(page, user)
  await until(() => page.evaluate("document.querySelector('header nav') !== null"))
  return page
}

t.test('why no flag, who gave a role, signing out everywhere: each in four clicks', async (t) => {
  const ada = await aUser(database, 'ada.king@example.com')
  const { cookie } = await callerOf(app, ada)
  const role = await aRole(database, 'users:read')
  t.equal((await call('PUT', `/api/admin/users/${ada.id}/roles/${role}`)).statusCode, 204)
  await createFlag(db, operator, {
    key: 'new-checkout',
    type: 'boolean',
    variants: { on: true, off: false },
    defaultVariant: 'off',
    offVariant: 'off',
    rules: [
      { when: { rolesAny: ['admin'] }, serve: { variant: 'on' } },
      { when: { users: ['somebody-else'] }, serve: { variant: 'on' } }
    ]
  })
  const page = await consoleOf(admin)
  const key = (name: string, text?: string) =>
    page.command('Input.dispatchKeyEvent', { type: 'keyDown', key: name, code: name, text })
  /** From the first page of the console to the user, and on by these clicks. */
  const reach = async (...further: [text: string, within?: string][]) => {
    await page.go(`${base}/console`)
    let clicks = 0
    const click = (...where: [text: string, within?: string]) => {
      clicks++
      return press(page, ...where)
    }
    await click('Users', 'nav')
    await until(async () => {
      await key('Tab')
      return page.evaluate("document.activeElement.name === 'q'")
    })
    await page.command('Input.insertText', { text: 'ada.king' })
    await key('Enter', '\r')
    await until(() => page.evaluate("document.querySelectorAll('tbody tr').length === 1"))
    await click(ada.name, 'tbody')
    for (const each of further) await click(...each)
    t.ok(clicks <= 4, `${clicks} clicks`)
  }

  await reach()
  await shows(page, new RegExp(`${role}\\s+always\\s+${admin.email}`), '[aria-label=Roles]')
  await takeScreenshot(page, 'console-user')

  await reach(['Why?'])
  await shows(page, 'No rule matched: the default variant.', 'dialog')
  await shows(page, 'Did not match: any of the roles admin, serves on', 'dialog')

  t.equal((await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 200)
  await reach(['Sign out everywhere'], ['Sign out everywhere', 'dialog'])
  await shows(page, 'This user is not signed in.')
  t.equal((await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 401)
  // The focus is where it was.
  await until(() => page.evaluate("document.activeElement?.innerText === 'Sign out everywhere'"))
})

t.test('hostile names stay text, and the pages are accessible', async (t) => {
  const name = '<img src=x onerror=alert(1)>"\'&lt;'
  const user = await aUser(database, freshEmail())
  const own = await callerOf(app, user)
  t.equal((await own.call('PUT', '/api/user/name', { name })).statusCode, 200)
  const agent = { 'user-agent': '<script>alert(2)</script>' }
  await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: agent,
    payload: { email: user.email, password }
  })
  const page = await consoleOf(admin, `/console/users/${user.id}`)
  await shows(page, name, 'h1')
  await shows(page, agent['user-agent'], '[aria-label=Sessions]')
  t.equal(await page.evaluate("document.querySelectorAll('main img, main script').length"), 0)
  await checkAccessibility(t, page, 'user')
  await press(page, 'Edit')
  await checkAccessibility(t, page, 'dialog')
})
