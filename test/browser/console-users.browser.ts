import { randomBytes, randomUUID } from 'node:crypto'
import t from 'tap'
import { passkeys } from '../../db/schema/second-factors.ts'
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
} from '../support/app.ts'
import { onOrOff } from '../support/flags.ts'
import { mailsOf } from '../support/mails.ts'
import { aUserWithApp } from '../support/second-factors.ts'
import { checkAccessibility } from './axe.ts'
import { isLoaded, press, says, shows, startConsole } from './console-pages.ts'
import { keyboardOf } from './keyboard.ts'

const { app, anAdministrator, visitAs } = await startConsole(t)
const { db, database } = app
const mails = mailsOf(app)
const { user: admin, call } = await anAdministrator()

t.test('hostile names stay text, and every section is accessible', async (t) => {
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
  for (const section of ['Profile', 'Access', 'Sessions', 'Security', 'Activity', 'JSON']) {
    await press(page, section, '.tabs')
    await isLoaded(page)
    t.equal(await page.locator('main img, main script').count(), 0)
    await checkAccessibility(t, page, section)
  }
  await press(page, 'Sessions', '.tabs')
  t.equal(
    await page.getAttribute('[aria-label=Sessions] tbody tr:first-child [title]', 'title'),
    agent['user-agent']
  )
  await press(page, 'Edit')
  await checkAccessibility(t, page, 'dialog')
})

t.test(
  'a user is created with a password, edited and deactivated, and each is answered',
  async (t) => {
    const email = freshEmail()
    const page = await visitAs(admin, '/console/users')
    await press(page, 'Invite')
    await page.fill('dialog [name=email]', email)
    await page.fill('dialog [name=name]', 'Joan')
    await press(page, 'Set a password instead', 'dialog')
    await page.fill('dialog [name=password]', password)
    await press(page, 'Create', 'dialog')
    await shows(page, 'Joan', 'h1')
    await says(page, 'Joan has an account now.')
    const id = await page.evaluate(() => location.pathname.split('/').at(-1))
    t.same(await mails.kindsTo(email), [])
    await press(page, 'Send reset link')
    await says(page, `Sent ${email} a link for a new password. It works for 30 minutes.`)
    t.same(await mails.kindsTo(email), ['recovery'])

    await press(page, 'Edit')
    await page.fill('dialog [name=name]', 'Joan Clarke')
    await page.fill('dialog [name="profile/timeZone"]', 'nowhere')
    await press(page, 'Save', 'dialog')
    // A mistake is beside its field, and nothing is lost.
    await shows(page, /time zone/i, 'dialog [aria-invalid=true] + small')
    await page.fill('dialog [name="profile/timeZone"]', 'Europe/London')
    await press(page, 'Save', 'dialog')
    await shows(page, 'Joan Clarke', 'h1')
    await says(page, 'The changes of Joan Clarke are saved.')
    const user = (await call('GET', `/api/admin/users/${id}`)).json()
    t.match(user, { email, name: 'Joan Clarke', profile: { timeZone: 'Europe/London', bio: null } })

    await press(page, 'Security', '.tabs')
    await press(page, 'Set a password')
    const username = 'dialog form:has([name=password]) [autocomplete=username]'
    t.equal(await page.inputValue(username), email, 'whose password a password manager stores')
    await page.fill('dialog [name=password]', password)
    await press(page, 'Set a password', 'dialog')
    await says(page, 'Joan Clarke has a new password, and is signed out everywhere.')

    await press(page, 'Deactivate')
    await press(page, 'Deactivate Joan Clarke', 'dialog')
    await says(page, 'Joan Clarke cannot sign in any more.')
    await shows(page, 'Deactivated', '.head')
    await press(page, 'Undo', '.status-line')
    await says(page, 'Joan Clarke can sign in again.')
    t.match((await call('GET', `/api/admin/users/${id}`)).json(), { status: 'active' })
  }
)

t.test('a role is granted, revoked, and back with Undo', async (t) => {
  const { user } = await aCaller(app)
  const key = await aRole(database, 'users:read')
  const roles = async () => (await call('GET', `/api/admin/users/${user.id}`)).json().roles
  const page = await visitAs(admin, `/console/users/${user.id}/access`)
  await press(page, 'Grant a role')
  await page.selectOption('dialog [name=role]', key)
  await press(page, 'Grant', 'dialog')
  await says(page, /has the role .+ now\./)
  await press(page, /^\d+ permissions, and the roles that grant them$/)
  await shows(page, /users:read/, '[aria-label=Permissions]')
  await page.locator('[aria-label=Roles] li', { hasText: key }).getByRole('button').click()
  await says(page, /no longer has the role/)
  t.notOk((await roles()).includes(key))
  await press(page, 'Undo', '.status-line')
  await says(page, /has the role .+ now\./)
  t.ok((await roles()).includes(key))
})

t.test('what was done stays in sight for six seconds, and for screen readers', async (t) => {
  const { user } = await aCaller(app)
  const page = await visitAs(admin, `/console/users/${user.id}`)
  await page.clock.install()
  await page.reload()
  await press(page, 'Deactivate')
  await press(page, 'Deactivate Ada Lovelace', 'dialog')
  await says(page, 'Ada Lovelace cannot sign in any more.')
  const line = page.locator('.status-line')
  await line.getByRole('button', { name: 'Undo' }).focus()
  await page.clock.runFor(20_000)
  t.equal(await line.count(), 1, 'as long as it has the focus')
  await page.locator('h1').focus()
  await page.clock.runFor(5000)
  t.equal(await line.count(), 1)
  await page.clock.runFor(1500)
  await line.waitFor({ state: 'detached' })
  await says(page, 'Ada Lovelace cannot sign in any more.')
})

t.test("one's own role and session are not lost without a question", async () => {
  const { user } = await aCaller(app, 'admin')
  const page = await visitAs(user, `/console/users/${user.id}/access`)
  await shows(page, 'You', '.head')
  await page.getByRole('button', { name: 'Revoke Administrator' }).click()
  await shows(page, 'This is your own role.', 'dialog')
  await press(page, 'Cancel', 'dialog')
  await press(page, 'Sessions', '.tabs')
  const item = page.locator('[aria-label=Sessions] tr', { hasText: 'This session' })
  await item.getByRole('button').click()
  await shows(page, 'If it is the one that you use now, you have to sign in again.', 'dialog')
  await press(page, 'End my session', 'dialog')
  await shows(page, 'Your session has ended')
})

t.test('a user is deleted by typing the address, and the dialog begins at Cancel', async (t) => {
  const { user } = await aCaller(app)
  const page = await visitAs(admin, `/console/users/${user.id}`)
  await press(page, 'Delete', '.danger-zone')
  await page.locator('dialog').waitFor()
  t.equal(await page.textContent(':focus'), 'Cancel')
  const { press: type } = keyboardOf(page)
  await page.fill('dialog [name=address]', 'another@example.com')
  await press(page, 'Delete Ada Lovelace', 'dialog')
  await shows(page, `Type ${user.email}`, 'dialog [aria-invalid=true] + small')

  await type('Escape')
  await shows(page, 'Discard what you have typed?')
  await checkAccessibility(t, page, 'discard')
  await type('Escape')
  await page.getByText('Discard what you have typed?').waitFor({ state: 'detached' })
  t.equal(await page.inputValue('dialog [name=address]'), 'another@example.com')
  t.equal((await call('GET', `/api/admin/users/${user.id}`)).statusCode, 200)

  await page.fill('dialog [name=address]', user.email)
  await press(page, 'Delete Ada Lovelace', 'dialog')
  await shows(page, 'Users', 'h1')
  await says(page, 'Ada Lovelace was deleted.')
  t.equal((await call('GET', `/api/admin/users/${user.id}`)).statusCode, 404)
})

t.test('what was typed is discarded on purpose', async () => {
  const page = await visitAs(admin, `/console/users/${admin.id}`)
  await press(page, 'Edit')
  await page.fill('dialog [name=name]', 'Half an hour of typing')
  await keyboardOf(page).press('Escape')
  await press(page, 'Discard it', 'dialog')
  await page.locator('dialog').first().waitFor({ state: 'detached' })
  await press(page, 'Edit')
  await page.locator('dialog').waitFor()
  await keyboardOf(page).press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
})

t.test('repeated refusals are one record, and a session says that no factor was used', async () => {
  const user = await aUser(database, freshEmail())
  for (let attempt = 0; attempt < 4; attempt++) {
    const payload = { email: user.email, password: 'not the password' }
    await app.inject({ method: 'POST', url: '/api/auth/login', payload })
  }
  await callerOf(app, user)
  const page = await visitAs(admin, `/console/users/${user.id}`)
  await shows(page, '4 times', '[aria-label="Last activity"]')
  await press(page, 'Sessions', '.tabs')
  await shows(page, 'Not used', '[aria-label=Sessions] tbody')
})

t.test('a change of a user shows in every section', async () => {
  const { user } = await aCaller(app)
  const role = await aRole(database, 'users:read')
  await createFlag(db, operator, {
    key: 'for-readers',
    ...onOrOff,
    rules: [{ when: { rolesAny: [role] }, serve: { variant: 'on' } }]
  })
  const page = await visitAs(admin, `/console/users/${user.id}/access`)
  await shows(page, /for-readers\s+false/, '[aria-label=Flags]')
  await press(page, 'Grant a role')
  await page.selectOption('dialog [name=role]', role)
  await press(page, 'Grant', 'dialog')
  await shows(page, /for-readers\s+true/, '[aria-label=Flags]')
  await press(page, 'Activity', '.tabs')
  await shows(page, /granted the role/, '[aria-label="About or by this user"]')
  const texts = async () => (await page.locator('.records li').allInnerTexts()).join()
  t.match(await texts(), /signed in/)
  await page.selectOption('[name=records]', 'about')
  await until(async () => !(await texts()).includes('signed in'))
  t.match(await texts(), /granted the role/)
})

t.test('second factors are listed with their ages, and all are removed at once', async (t) => {
  const { user } = await aUserWithApp(app)
  const page = await visitAs(admin, `/console/users/${user.id}/security`)
  await shows(page, 'Authenticator app')
  t.equal(await page.getByText('Remove all second factors').count(), 0, 'there is only one')
  await database.db.insert(passkeys).values({
    ...{ id: randomUUID(), userId: user.id, name: 'Phone', rpId: 'localhost' },
    ...{ credentialId: randomBytes(32), publicKey: randomBytes(77), algorithm: -7, counter: 0 },
    ...{ aaguid: randomUUID(), deviceType: 'multi', backedUp: true }
  })
  await page.reload()
  await shows(page, /Authenticator app\s+Set up .+, never used/, '[aria-label="Second factors"]')
  await press(page, 'Remove all second factors')
  await press(page, 'Remove all of Ada Lovelace', 'dialog')
  await says(page, 'Ada Lovelace has no second factor any more, and is signed out everywhere.')
  await shows(page, 'No second factor', '.head')
  t.match((await call('GET', `/api/admin/users/${user.id}`)).json(), { secondFactor: false })
})

t.test('readers see no buttons, and which permission a section needs', async (t) => {
  const reader = await aUser(database)
  const role = await aRole(database, 'users:read')
  await grantRole(db, operator, { userId: reader.id, role })
  const page = await visitAs(reader, `/console/users/${admin.id}`)
  await shows(page, admin.email, '.head')
  for (const [section, permission] of [
    ['Access', 'roles:read'],
    ['Sessions', 'sessions:read'],
    ['Activity', 'activity:read']
  ] as const) {
    await press(page, section, '.tabs')
    await shows(page, `This needs the permission ${permission}`)
  }
  await press(page, 'Security', '.tabs')
  await shows(page, 'The password alone is enough to sign in.')
  const buttons = await page.getByRole('main').getByRole('button').allInnerTexts()
  t.same(
    buttons.filter((text) => !text.startsWith('Copy')),
    [],
    'anybody may copy'
  )
  await isLoaded(page)
  t.equal(await page.locator('[role=alert]').count(), 0)
  const refused = await call('GET', `/api/admin/activity?outcome=failure&actorId=${reader.id}`)
  t.same(refused.json().items, [])
})
