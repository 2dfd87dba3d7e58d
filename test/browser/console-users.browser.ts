import t from 'tap'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { registerUser } from '../../src/domain/sign-in/registration.ts'
import { verifyEmail } from '../../src/domain/administration/verified-emails.ts'
import { createRole } from '../../src/domain/access/roles.ts'
import { createFlag } from '../../src/domain/flags/flags.ts'
import { onOrOff } from '../support/flags.ts'
import {
  aCaller,
  anonymous,
  aRole,
  aUser,
  callerOf,
  freshEmail,
  operator,
  password,
  until
} from '../support/app.ts'
import { mailsOf } from '../support/mails.ts'
import { aUserWithApp } from '../support/second-factors.ts'
import { checkAccessibility, takeScreenshot } from './axe.ts'
import { click, press, shows, startConsole } from './console-pages.ts'
import { keyboardOf } from './keyboard.ts'

const { app, base, anAdministrator, visitAs } = await startConsole(t)
const { db, database } = app
const mails = mailsOf(t, app)
const { user: admin, call } = await anAdministrator()

t.test('why no flag, who gave a role, signing out everywhere: each in four clicks', async (t) => {
  const grace = await registerUser(app.services, anonymous, {
    email: 'grace.hopper@example.com',
    name: 'Grace Hopper',
    password
  })
  await verifyEmail(db, operator, { userId: grace.id })
  const { cookie } = await callerOf(app, grace)
  for (const [key, name] of [
    ['billing', 'Billing'],
    ['support', 'Support']
  ] as const) {
    await createRole(db, operator, { key, name, permissions: ['users:read'] })
    t.equal((await call('PUT', `/api/admin/users/${grace.id}/roles/${key}`)).statusCode, 204)
  }
  await createFlag(db, operator, {
    key: 'new-checkout',
    ...onOrOff,
    rules: [
      { when: { rolesAny: ['admin'] }, serve: { variant: 'on' } },
      { when: { users: ['somebody-else'] }, serve: { variant: 'on' } }
    ]
  })
  const page = await visitAs(admin, '/console')
  const { press: type, write } = keyboardOf(page)
  /** From the first page of the console to the user, and on by these clicks. */
  const reach = async (...further: [text: string, within?: string][]) => {
    await page.goto(`${base}/console`)
    let clicks = 0
    const click = (...where: [text: string, within?: string]) => {
      clicks++
      return press(page, ...where)
    }
    await click('Users', 'nav')
    await until(async () => {
      await type('Tab')
      return (await page.locator('[name=q]:focus').count()) > 0
    })
    await write('hopper')
    await type('Enter')
    await until(async () => (await page.locator('tbody tr').count()) === 1)
    await click(grace.name, 'tbody')
    for (const each of further) await click(...each)
    t.ok(clicks <= 4, `${clicks} clicks`)
  }

  await reach()
  await shows(page, new RegExp(`support\\s+always\\s+${admin.email}`), '[aria-label=Roles]')
  await shows(page, /grace\.hopper@example\.com \(confirmed\)/, '.facts')
  await shows(page, /Second factor at sign-in\s+not required/, '.facts')
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
  await page
    .locator(':focus')
    .and(page.getByText('Sign out everywhere', { exact: true }))
    .waitFor()
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
  const page = await visitAs(admin, `/console/users/${user.id}`)
  await shows(page, name, 'h1')
  await shows(page, agent['user-agent'], '[aria-label=Sessions]')
  t.equal(await page.locator('main img, main script').count(), 0)
  await checkAccessibility(t, page, 'user')
  await press(page, 'Edit')
  await checkAccessibility(t, page, 'dialog')
})

t.test('a user is created, edited, deactivated, and deleted by typing the address', async (t) => {
  const email = freshEmail()
  const page = await visitAs(admin, '/console/users')
  await press(page, 'Create a user')
  await page.fill('dialog [name=email]', email)
  await page.fill('dialog [name=name]', 'Joan')
  await click(page, 'dialog [name=link]')
  await press(page, 'Create', 'dialog')
  await shows(page, 'Joan', 'h1')
  const id = await page.evaluate(() => location.pathname.split('/').at(-1))
  t.same(await mails.kindsTo(email), ['recovery'])
  await press(page, 'Send a link for a new password')
  await shows(page, `A link is on its way to ${email}.`)
  t.same(await mails.kindsTo(email), ['recovery', 'recovery'])
  await press(page, 'Set a password')
  await page.fill('dialog [name=password]', password)
  await press(page, 'Set a password', 'dialog')
  await page.locator('dialog').waitFor({ state: 'detached' })

  await press(page, 'Edit')
  await page.fill('dialog [name=name]', 'Joan Clarke')
  await page.fill('dialog [name="profile/timeZone"]', 'nowhere')
  await press(page, 'Save', 'dialog')
  // A mistake is beside its field, and nothing is lost.
  await shows(page, /time zone/i, 'dialog [aria-invalid=true] + small')
  await page.fill('dialog [name="profile/timeZone"]', 'Europe/London')
  await press(page, 'Save', 'dialog')
  await shows(page, 'Joan Clarke', 'h1')
  const user = (await call('GET', `/api/admin/users/${id}`)).json()
  t.match(user, { email, name: 'Joan Clarke', profile: { timeZone: 'Europe/London', bio: null } })

  const role = await aRole(database, 'users:read')
  await page.fill('[name=role]', role)
  await press(page, 'Grant')
  await shows(page, role, '[aria-label=Roles]')
  await press(page, 'Permissions, and the roles that grant them')
  await shows(page, `users:read\t${role}`, '[aria-label=Permissions]')
  await press(page, 'Revoke', '[aria-label=Roles] tr:first-child')
  await until(async () => !(await page.textContent('[aria-label=Roles]'))?.includes(role))

  await press(page, 'Deactivate')
  await press(page, 'Deactivate', 'dialog')
  await press(page, 'Activate')
  await shows(page, 'Deactivate')

  await press(page, 'Delete')
  await page.fill('dialog [name=address]', 'another@example.com')
  await press(page, 'Delete', 'dialog')
  await shows(page, `Type ${email}`, 'dialog [aria-invalid=true] + small')
  t.equal((await call('GET', `/api/admin/users/${id}`)).statusCode, 200)
  await page.fill('dialog [name=address]', email)
  await press(page, 'Delete', 'dialog')
  await shows(page, 'Users', 'h1')
  t.equal((await call('GET', `/api/admin/users/${id}`)).statusCode, 404)
})

t.test('a change of a user shows in every section', async (t) => {
  const { user } = await aCaller(app)
  const role = await aRole(database, 'users:read')
  await createFlag(db, operator, {
    key: 'for-readers',
    ...onOrOff,
    rules: [{ when: { rolesAny: [role] }, serve: { variant: 'on' } }]
  })
  const page = await visitAs(admin, `/console/users/${user.id}`)
  await shows(page, /for-readers\s+false/, '[aria-label=Flags]')
  await page.fill('[name=role]', role)
  await press(page, 'Grant')
  await shows(page, /for-readers\s+true/, '[aria-label=Flags]')
  await shows(page, 'user.role-grant', '[aria-label="About this user"]')

  t.ok(await page.textContent('[aria-label=Sessions]'), 'signed in')
  await press(page, 'Set a password')
  await page.fill('dialog [name=password]', 'my own horse battery')
  await press(page, 'Set a password', 'dialog')
  await shows(page, 'This user is not signed in.')
  await shows(page, 'user.password-set', '[aria-label="About this user"]')
})

t.test('one session is ended, and the second factors are removed', async (t) => {
  const { user: other, cookie } = await aCaller(app)
  const page = await visitAs(admin, `/console/users/${other.id}`)
  const who = (headers: { cookie: string }) => app.inject({ url: '/api/auth/me', headers })
  t.equal((await who({ cookie })).statusCode, 200)
  await press(page, 'End', '[aria-label=Sessions]')
  await shows(page, 'This user is not signed in.')
  t.equal((await who({ cookie })).statusCode, 401)

  const { user } = await aUserWithApp(app)
  await page.goto(`${base}/console/users/${user.id}`)
  await shows(page, /Second factor at sign-in\s+required/)
  await press(page, 'Remove second factors')
  await press(page, 'Remove second factors', 'dialog')
  await shows(page, /Second factor at sign-in\s+not required/)
  t.match((await call('GET', `/api/admin/users/${user.id}`)).json(), { secondFactor: false })
})

t.test('sections that need another permission say so, and request nothing', async (t) => {
  const reader = await aUser(database)
  const role = await aRole(database, 'users:read')
  await grantRole(db, operator, { userId: reader.id, role })
  const page = await visitAs(reader, `/console/users/${admin.id}`)
  for (const permission of ['roles:read', 'sessions:read', 'activity:read']) {
    await shows(page, `This needs the permission ${permission}`)
  }
  await until(async () => (await page.locator('main [aria-busy=true]').count()) === 0)
  t.equal(await page.locator('[role=alert]').count(), 0)
  const refused = await call('GET', `/api/admin/activity?outcome=failure&actorId=${reader.id}`)
  t.same(refused.json().items, [])
})
