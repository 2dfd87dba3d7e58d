import t from 'tap'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { createFlag } from '../../src/domain/flags/flags.ts'
import {
  aCaller,
  aRole,
  aUser,
  callerOf,
  freshEmail,
  operator,
  password,
  until
} from '../helpers.ts'
import { mailsOf } from '../mails.ts'
import { aUserWithApp } from '../second-factors.ts'
import { checkAccessibility, takeScreenshot } from './axe.ts'
import type { Page } from './chromium.ts'
import { keyboardOf } from './keyboard.ts'
import { startPages } from './portal.ts'

const { app, base, open } = await startPages(t)
const { db, database } = app

const mails = mailsOf(t, app)
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

/** Clicks the first element that the expression finds, once nothing moves it any more. */
async function clickOn(page: Page, expression: string) {
  await until(() =>
    page.evaluate(`(() => {
      const found = ${expression}
      document.querySelector('[data-click]')?.removeAttribute('data-click')
      found?.setAttribute('data-click', '')
      found?.scrollIntoView({ block: 'center' })
      return found && found.ariaDisabled !== 'true' && !document.querySelector('[aria-busy=true]')
    })()`)
  )
  await page.click('[data-click]')
}
/** Clicks the first button, link or summary with this text. */
const press = (page: Page, text: string, within = 'body') =>
  clickOn(
    page,
    `[...document.querySelectorAll(${JSON.stringify(`:is(${within}) :is(a, button, summary)`)})]
      .find(({ innerText }) => innerText.trim() === ${JSON.stringify(text)})`
  )
const click = (page: Page, selector: string) =>
  clickOn(page, `document.querySelector(${JSON.stringify(selector)})`)

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
  await checkAccessibility(t, page, 'why')

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

t.test('a user is created, edited, deactivated, and deleted by typing the address', async (t) => {
  const email = freshEmail()
  const page = await consoleOf(admin, '/console/users')
  await press(page, 'Create a user')
  await page.type('dialog [name=email]', email)
  await page.type('dialog [name=name]', 'Joan')
  await click(page, 'dialog [name=link]')
  await press(page, 'Create', 'dialog')
  await shows(page, 'Joan', 'h1')
  const id = await page.evaluate<string>("location.pathname.split('/').at(-1)")
  t.same(await mails.kindsTo(email), ['recovery'])
  await press(page, 'Send a link for a new password')
  await shows(page, `A link is on its way to ${email}.`)
  t.same(await mails.kindsTo(email), ['recovery', 'recovery'])
  await press(page, 'Set a password')
  await page.type('dialog [name=password]', password)
  await press(page, 'Set a password', 'dialog')
  await until(() => page.evaluate("document.querySelector('dialog') === null"))

  await press(page, 'Edit')
  await page.type('dialog [name=name]', 'Joan Clarke')
  await page.type('dialog [name="profile/timeZone"]', 'nowhere')
  await press(page, 'Save', 'dialog')
  // A mistake is beside its field, and nothing is lost.
  await shows(page, /time zone/i, 'dialog [aria-invalid=true] + small')
  await page.type('dialog [name="profile/timeZone"]', 'Europe/London')
  await press(page, 'Save', 'dialog')
  await shows(page, 'Joan Clarke', 'h1')
  const user = (await call('GET', `/api/admin/users/${id}`)).json()
  t.match(user, { email, name: 'Joan Clarke', profile: { timeZone: 'Europe/London', bio: null } })

  const role = await aRole(database, 'users:read')
  await page.type('[name=role]', role)
  await press(page, 'Grant')
  await shows(page, role, '[aria-label=Roles]')
  await press(page, 'Why may they: each permission, and the roles that grant it')
  await shows(page, `users:read\t${role}`, '[aria-label=Permissions]')
  await press(page, 'Revoke', '[aria-label=Roles] tr:first-child')
  await until(async () => !(await page.read('[aria-label=Roles]'))?.includes(role))

  await press(page, 'Deactivate')
  await press(page, 'Deactivate', 'dialog')
  await press(page, 'Activate')
  await shows(page, 'Deactivate')

  await press(page, 'Delete')
  await page.type('dialog [name=address]', 'another@example.com')
  await press(page, 'Delete', 'dialog')
  t.notOk(await page.evaluate("document.querySelector('dialog form').checkValidity()"))
  t.equal((await call('GET', `/api/admin/users/${id}`)).statusCode, 200)
  await page.type('dialog [name=address]', email)
  await press(page, 'Delete', 'dialog')
  await shows(page, 'Users', 'h1')
  t.equal((await call('GET', `/api/admin/users/${id}`)).statusCode, 404)
})

t.test('one session is ended, and the second factors are removed', async (t) => {
  const { user: other, cookie } = await aCaller(app)
  const page = await consoleOf(admin, `/console/users/${other.id}`)
  const who = (headers: { cookie: string }) => app.inject({ url: '/api/auth/me', headers })
  t.equal((await who({ cookie })).statusCode, 200)
  await press(page, 'End', '[aria-label=Sessions]')
  await shows(page, 'This user is not signed in.')
  t.equal((await who({ cookie })).statusCode, 401)

  const { user } = await aUserWithApp(app)
  await page.go(`${base}/console/users/${user.id}`)
  await shows(page, /Second factor\s+required to sign in/)
  await press(page, 'Remove second factors')
  await press(page, 'Remove second factors', 'dialog')
  await shows(page, /Second factor\s+none required to sign in/)
  t.match((await call('GET', `/api/admin/users/${user.id}`)).json(), { secondFactor: false })
})

t.test('a double click on a slow network sends one request', async (t) => {
  const page = await consoleOf(admin, '/console/roles')
  const key = `role-${Date.now()}`
  await press(page, 'Create a role')
  await page.type('dialog [name=key]', key)
  await page.type('dialog [name=name]', 'Once')
  // Requests wait until the end of the interception.
  await page.command('Fetch.enable', { patterns: [{ urlPattern: '*/api/admin/roles' }] })
  await page.click('dialog [type=submit]')
  await page.click('dialog [type=submit]')
  await until(() =>
    page.evaluate("document.querySelector('dialog [type=submit]').ariaDisabled === 'true'")
  )
  await page.command('Fetch.disable')
  await shows(page, 'Once', 'h1')
  const sent = (await call('GET', '/api/admin/activity?action=role.create')).json()
  t.equal(
    sent.items.filter((each: { details: { key: string } }) => each.details.key === key).length,
    1
  )
  const requests = `performance.getEntriesByType('resource')
    .filter(({ name, initiatorType }) => name.endsWith('/api/admin/roles')).length`
  t.equal(await page.evaluate(requests), 1)
})

t.test('a session that ends in the middle of a form: the page says so, and keeps it', async (t) => {
  const other = await aUser(database)
  await grantRole(db, operator, { userId: other.id, role: 'admin' })
  const page = await consoleOf(other, '/console/roles')
  await press(page, 'Create a role')
  await page.type('dialog [name=key]', 'kept')
  await page.type('dialog [name=name]', 'Kept while away')
  t.equal((await call('DELETE', `/api/admin/sessions?userId=${other.id}`)).statusCode, 204)
  await press(page, 'Create', 'dialog')
  await shows(page, 'Your session has ended')
  const ended = 'dialog:has([name=password])'
  await signIn(page, other, ended)
  await until(() => page.evaluate(`document.querySelector('${ended}') === null`))
  t.equal(
    await page.evaluate("document.querySelector('dialog [name=name]').value"),
    'Kept while away'
  )
  await press(page, 'Create', 'dialog')
  await shows(page, 'Kept while away', 'h1')
})

t.test('roles and permissions: lists, a page for each role, and the matrix', async (t) => {
  const role = await aRole(database, 'users:read')
  const permissionsOf = async () =>
    (await call('GET', `/api/admin/roles/${role}`)).json<{ permissions: string[] }>().permissions
  const page = await consoleOf(admin, '/console/roles')
  await shows(page, role, 'table')
  await checkAccessibility(t, page, 'roles')

  await press(page, role, 'table')
  await shows(page, 'Nobody has this role.')
  await press(page, 'Edit')
  await click(page, 'dialog [name=secondFactor]')
  await press(page, 'Save', 'dialog')
  await until(() => page.evaluate("document.querySelector('dialog') === null"))
  await shows(page, 'only in sessions with a second factor')
  await checkAccessibility(t, page, 'role')

  await press(page, 'Permissions', 'nav')
  await shows(page, role, 'table')
  await press(page, 'Create a permission')
  await page.type('dialog [name=key]', 'invoices:read')
  await press(page, 'Create', 'dialog')
  const cell = `[aria-label="${role}: invoices:read"]`
  await click(page, cell)
  await shows(page, `${role} now has invoices:read.`)
  t.same(await permissionsOf(), ['invoices:read', 'users:read'])

  const { press: type } = keyboardOf(page)
  await type(' ')
  await shows(page, `${role} no longer has invoices:read.`)
  t.same(await permissionsOf(), ['users:read'])
  await type('ArrowDown')
  await type(' ')
  await shows(page, new RegExp(`${role} now has (?!invoices)`))
  t.equal((await permissionsOf()).length, 2)
  await checkAccessibility(t, page, 'permissions')
  await takeScreenshot(page, 'console-permissions')
})

t.test('a change beyond the own permissions is refused with a sentence', async (t) => {
  const limited = await aRole(database, 'roles:read', 'roles:update', 'permissions:read')
  const clerk = await aUser(database)
  await grantRole(db, operator, { userId: clerk.id, role: limited })
  const page = await consoleOf(clerk, `/console/roles/${limited}`)
  const cell = `[aria-label="${limited}: users:delete"]`
  await click(page, cell)
  await shows(page, 'You cannot grant or revoke a permission you do not have', '[role=alert]')
  await until(() => page.evaluate(`!document.querySelector('${cell}').checked`))
  t.notMatch((await call('GET', `/api/admin/roles/${limited}`)).json().permissions, 'users:delete')
})

t.test('sections that need another permission say so, and request nothing', async (t) => {
  const reader = await aUser(database)
  const role = await aRole(database, 'users:read')
  await grantRole(db, operator, { userId: reader.id, role })
  const page = await consoleOf(reader, `/console/users/${admin.id}`)
  for (const permission of ['roles:read', 'sessions:read', 'activity:read']) {
    await shows(page, `This needs the permission ${permission}`)
  }
  await until(() => page.evaluate("!document.querySelector('main [aria-busy=true]')"))
  t.equal(await page.evaluate("document.querySelector('[role=alert]')"), null)
  const refused = await call('GET', `/api/admin/activity?outcome=failure&actorId=${reader.id}`)
  t.same(refused.json().items, [])
})
