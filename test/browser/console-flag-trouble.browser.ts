import type { Page } from 'playwright-core'
import t from 'tap'
import { onOrOff } from '../support/flags.ts'
import { aUser, callerOf, password, until } from '../support/app.ts'
import { checkAccessibility } from './axe.ts'
import { hold } from './chromium.ts'
import { startConsole } from './console-pages.ts'

// Changes that meet others, sessions that end, and mistakes.

const { app, anAdministrator, visitByKeyboard } = await startConsole(t)
const admin = await anAdministrator()
const flagOf = async (key: string) => (await admin.call('GET', `/api/admin/flags/${key}`)).json()
const describes = (page: Page, text: string) =>
  until(async () => (await page.inputValue('#description')) === text)

const refused = 'This was changed after you opened it.'

t.test('a save over a change of others is refused, and Reload keeps what was typed', async (t) => {
  const create = { ...onOrOff, key: 'two-tabs', description: 'At first' }
  t.equal((await admin.call('POST', '/api/admin/flags', create)).statusCode, 201)
  const { page, fill, activate, shows } = await visitByKeyboard(
    admin.user,
    '/console/flags/two-tabs/edit?user=ada@example.com'
  )
  await page.locator('h1', { hasText: 'two-tabs' }).waitFor()
  await until(async () => (await page.inputValue('[name=user]')) === 'ada@example.com')
  const change = (body: object) => admin.call('PATCH', '/api/admin/flags/two-tabs', body)
  await fill('Description', 'Mine')
  await change({ description: 'Theirs <b>', defaultVariant: 'on' })
  await activate('Save')
  await shows(refused)
  await page.locator('.problem').getByText('Theirs <b>').waitFor()
  t.match(
    await page.textContent('.problem'),
    /Saved in the meantime:Description−\sAt first\+\sTheirs <b>Default variant−\soff\+\son/
  )
  await checkAccessibility(t, page, 'conflict')
  await activate('Reload')
  await page.locator('.problem').waitFor({ state: 'detached' })
  await describes(page, 'Mine')
  await shows('Not saved: description.')
  t.match(await flagOf('two-tabs'), { description: 'Theirs <b>' }, 'not saved yet')
  await activate('Save')
  await shows('Everything is saved.')
  t.match(await flagOf('two-tabs'), { description: 'Mine', defaultVariant: 'on' })

  await fill('Description', 'Mine again')
  await change({ description: 'Theirs again' })
  await activate('Save')
  await shows(refused)
  await activate('Discard the changes')
  await describes(page, 'Theirs again')
  t.equal((await flagOf('two-tabs')).description, 'Theirs again')
})

t.test('a flag that is disabled keeps what others have saved in the meantime', async (t) => {
  await admin.call('POST', '/api/admin/flags', { ...onOrOff, key: 'turned' })
  const { page, fill, activate, shows } = await visitByKeyboard(
    admin.user,
    '/console/flags/turned/edit'
  )
  await page.locator('h1', { hasText: 'turned' }).waitFor()
  await fill('Description', 'Mine')
  await admin.call('PATCH', '/api/admin/flags/turned', { description: 'Theirs' })
  await page.getByRole('button', { name: 'Disable turned' }).press('Enter')
  await shows('The flag turned is disabled.')
  await activate('Save')
  await shows(refused)
  t.match(await flagOf('turned'), { state: 'disabled', description: 'Theirs' })
})

t.test('unsaved changes outlive the session and the view, and leaving asks first', async (t) => {
  const other = await callerOf(app, await aUser(app.database), 'admin')
  await other.call('POST', '/api/admin/flags', { ...onOrOff, key: 'kept' })
  const { page, fill, activate, press, shows } = await visitByKeyboard(
    other.user,
    '/console/flags/kept/edit'
  )
  await page.locator('h1', { hasText: 'kept' }).waitFor()
  const asks = () =>
    page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
  t.equal(await asks(), false)
  await fill('Description', 'Typed for minutes')
  t.equal(await asks(), true)

  await other.call('DELETE', '/api/user/sessions')
  await activate('Save')
  await shows('Your session has ended')
  await fill('E-mail address', other.user.email)
  await fill('Password', password)
  await press('Enter')
  await page.locator('dialog').waitFor({ state: 'detached' })
  await page.locator('header').getByRole('link', { name: 'Flags', exact: true }).click()
  await shows('kept Unsaved changes')
  await activate('kept')
  await shows('Unsaved changes')
  await activate('Edit')
  await describes(page, 'Typed for minutes')
  await activate('Save')
  await shows('Everything is saved.')
  t.equal(await asks(), false)
  t.equal((await flagOf('kept')).description, 'Typed for minutes')
})

t.test('input during a save of a flag is kept, also for a new flag', async () => {
  await admin.call('POST', '/api/admin/flags', { ...onOrOff, key: 'slow' })
  const { page, reach, write, press, fill, activate, shows } = await visitByKeyboard(
    admin.user,
    '/console/flags/slow/edit'
  )
  const busy = page.locator('[type=submit][aria-busy=true]')
  /** Presses a button, and types another description before the portal has answered. */
  const typeDuring = async (button: string, text: string) => {
    await reach(button)
    const release = await hold(page, '**/api/admin/flags*')
    await press('Enter')
    await busy.waitFor()
    await reach('Description', { back: true })
    await write(text)
    release()
    await busy.waitFor({ state: 'detached' })
  }
  await page.locator('h1', { hasText: 'slow' }).waitFor()
  await fill('Description', 'First')
  await typeDuring('Save', 'Second')
  await until(async () => (await flagOf('slow')).description === 'First')
  await describes(page, 'Second')
  await shows('Not saved: description.')
  await activate('Save')
  await shows('Everything is saved.')
  await until(async () => (await flagOf('slow')).description === 'Second')

  await page.locator('header').getByRole('link', { name: 'Flags', exact: true }).click()
  await shows('Create a flag')
  await activate('Create a flag')
  await shows('New flag')
  await fill('Key', 'slow-new')
  await typeDuring('Create', 'Typed meanwhile')
  await page.locator('h1', { hasText: 'slow-new' }).waitFor()
  await describes(page, 'Typed meanwhile')
  await activate('Save')
  await until(async () => (await flagOf('slow-new')).description === 'Typed meanwhile')
})

t.test('refusals of the portal are shown where the mistake is', async (t) => {
  await admin.call('POST', '/api/admin/flags', { ...onOrOff, key: 'refused' })
  const { page, write, press, isAt, reach, activate, shows } = await visitByKeyboard(
    admin.user,
    '/console/flags/refused/edit'
  )
  await page.locator('h1', { hasText: 'refused' }).waitFor()
  await activate('Add a rule')
  await write('admin, nobody-has-this')
  await activate('Save')
  await shows(/nobody-has-this: .*role/)
  await reach('Rule 1, roles', { back: true })
  await press('Enter')
  await isAt('Roles')
  t.equal(await page.getAttribute(':focus', 'aria-invalid'), 'true')
  await press('Backspace')
  t.equal(await page.getAttribute(':focus', 'aria-invalid'), null)
})

t.test('a flag of objects is created; values, names and keys are checked', async (t) => {
  await admin.call('POST', '/api/admin/flags', { ...onOrOff, key: 'taken' })
  const { page, fill, choose, activate, reach, write, press, isAt, shows } = await visitByKeyboard(
    admin.user,
    '/console/new-flag'
  )
  await shows('New flag')
  await fill('Key', 'taken')
  await choose('Type', 'object')
  await fill('Name', 'small')
  await fill('Value', '{ "limit": ')
  await fill('Name', 'small')
  await activate('Create')
  await shows('Variants: Two variants are called small.')
  await shows(/Variant small: Enter an object in JSON/)
  await reach('Variant small', { back: true })
  await press('Enter')
  await isAt('Value')
  await write('{ "limit": 10 }')
  await fill('Name', 'large')
  await activate('Create')
  await shows('A feature flag with this key already exists')
  await reach('Key', { back: true })
  await write('limits')
  await activate('Create')
  await page.locator('h1', { hasText: 'limits' }).waitFor()
  t.equal(await page.evaluate(() => location.pathname), '/console/flags/limits')
  const variants = { small: { limit: 10 }, large: {} }
  t.match(await flagOf('limits'), { type: 'object', variants, defaultVariant: 'large' })
})
