import t from 'tap'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { aRole, aUser, operator, until } from '../support/app.ts'
import { aService, aServiceKey, fillKeys, keyCaller } from '../support/keys.ts'
import { checkAccessibility } from './axe.ts'
import { press, says, shows, startConsole } from './console-pages.ts'
import { keyboardOf } from './keyboard.ts'

// Services and API keys in the console.

const { app, base, anAdministrator, visitAs } = await startConsole(t)
const { db, database } = app
const { user: admin, call } = await anAdministrator()
const role = await aRole(database, 'users:read')
const page = await visitAs(admin, '/console/services')

t.test('a service is created, given a role and a key, and its key works', async (t) => {
  await shows(page, 'There are no services')
  await checkAccessibility(t, page, 'no services')
  await press(page, 'Create a service')
  await page.fill('dialog [name=key]', 'reporting')
  await page.fill('dialog [name=name]', 'Reporting')
  await checkAccessibility(t, page, 'a new service')
  await press(page, 'Create', 'dialog')
  await shows(page, 'Reporting', 'h1')
  await shows(page, 'Reporting has no role, and may do nothing.')
  await press(page, 'Grant a role')
  await page.selectOption('dialog [name=role]', role)
  await press(page, 'Grant', 'dialog')
  await shows(page, 'This gives users:read.')

  await press(page, 'Create a key')
  await page.fill('dialog [name=name]', 'Nightly report')
  await page.selectOption('dialog [name=days]', '30')
  await page.check('dialog [name="permissions/users:read"]')
  await page.fill('dialog [name=networks]', '127.0.0.1, 192.0.2.0/24')
  await checkAccessibility(t, page, 'a new key')
  await press(page, 'Create', 'dialog')
  await shows(page, 'This is the key Nightly report. It is shown only now')
  const secret = await page.innerText('dialog .secret code')
  const own = (await keyCaller(app, secret).me()).json()
  t.match(own, { owner: { label: 'reporting' }, permissions: ['users:read'] })
  await shows(page, /Nightly report\s+….{4}\s+Active\s+users:read\s+Only from 127/, 'table')
  await checkAccessibility(t, page, 'a key that is shown once')
  await keyboardOf(page).press('Escape')
  await page.goBack()
  await shows(page, secret, 'dialog')
  await page.goForward()
  let asked = false
  page.once('dialog', (dialog) => {
    asked = dialog.type() === 'beforeunload'
    return dialog.dismiss()
  })
  await page.evaluate(() => location.reload())
  await until(() => asked)
  await shows(page, secret, 'dialog')
  await press(page, 'It is stored', 'dialog')
  await page.locator('dialog').waitFor({ state: 'detached' })
  await shows(page, 'Nightly report', 'table')
  t.notMatch(await page.content(), secret, 'it is nowhere any more')
  await checkAccessibility(t, page, 'a service')
  await page.reload()
  await shows(page, 'Nightly report', 'table')
  t.notMatch(await page.content(), secret)

  await page.locator('table button', { hasText: 'Rotate' }).click()
  await press(page, 'Create the next key', 'dialog')
  const next = await page.innerText('dialog .secret code')
  await press(page, 'It is stored', 'dialog')
  const statuses = () =>
    Promise.all([secret, next].map(async (each) => (await keyCaller(app, each).me()).statusCode))
  t.same(await statuses(), [200, 200], 'both work')
  t.match((await keyCaller(app, next).me()).json(), { permissions: ['users:read'] })
  await page.locator('table tbody tr:last-child button', { hasText: 'Revoke' }).click()
  await press(page, 'Revoke Nightly report', 'dialog')
  await says(page, 'The key Nightly report is revoked.')
  await shows(page, 'Revoked', 'table')
  t.same(await statuses(), [401, 200])
})

t.test('wrong networks are named at their field, and nothing is created', async (t) => {
  const { key } = await aService(database)
  await page.goto(`${base}/console/services/${key}`)
  await press(page, 'Create a key')
  await page.fill('dialog [name=name]', 'A key')
  await page.fill('dialog [name=networks]', '192.0.2.0/33')
  await press(page, 'Create', 'dialog')
  await page.locator('dialog [name=networks][aria-invalid=true]').waitFor()
  t.same((await call('GET', `/api/admin/services/${key}/keys`)).json().items, [])
  await press(page, 'Cancel', 'dialog')
})

t.test('a service is changed, deactivated, activated and deleted', async (t) => {
  const { key } = await aService(database, role)
  const { secret } = await aServiceKey(database, { key })
  const status = async () => (await keyCaller(app, secret).me()).statusCode
  await page.goto(`${base}/console/services/${key}`)
  await press(page, 'Edit')
  await page.fill('dialog [name=name]', 'Billing')
  await press(page, 'Save', 'dialog')
  await shows(page, 'Billing', 'h1')
  await press(page, 'Deactivate')
  await press(page, 'Deactivate Billing', 'dialog')
  await shows(page, 'Deactivated', '.head')
  t.equal(await status(), 401)
  await press(page, 'Activate')
  await says(page, 'The keys of Billing work again.')
  t.equal(await status(), 200)
  await press(page, 'Delete')
  await press(page, 'Delete the service Billing', 'dialog')
  await says(page, 'The service Billing was deleted.')
  t.equal(await status(), 401)
  t.equal((await call('GET', `/api/admin/services/${key}`)).statusCode, 404)
})

t.test('the page of a user lists their keys, and revokes one', async (t) => {
  const owner = await aUser(database)
  await page.goto(`${base}/console/users/${owner.id}/security`)
  await shows(page, 'create keys on their account pages')
  await fillKeys(database, { userId: owner.id }, 1)
  await page.reload()
  await shows(page, 'A key', '[aria-label="API keys"]')
  await checkAccessibility(t, page, 'the keys of a user')
  await page.locator('[aria-label="API keys"] button', { hasText: 'Revoke' }).click()
  await press(page, 'Revoke A key', 'dialog')
  await until(async () => {
    const { items } = (await call('GET', `/api/admin/keys?owner=${owner.id}`)).json()
    return items[0].state === 'revoked'
  })
  await shows(page, 'Revoked', '[aria-label="API keys"]')
})

t.test('those who may only read see no button that changes something', async (t) => {
  const service = await aService(database, role)
  await aServiceKey(database, service)
  const reader = await aUser(database)
  const reading = await aRole(database, 'services:read', 'roles:read')
  await grantRole(db, operator, { userId: reader.id, role: reading })
  const visitor = await visitAs(reader, '/console/services')
  await shows(visitor, service.key, 'table')
  await visitor.goto(`${base}/console/services/${service.key}`)
  await shows(visitor, 'This needs the permission keys:read')
  await shows(visitor, role)
  const buttons = await visitor.locator('main button:not(.copy)').allInnerTexts()
  t.same(buttons, [])

  const blind = await aUser(database)
  await grantRole(db, operator, { userId: blind.id, role: await aRole(database, 'users:read') })
  const outsider = await visitAs(blind, '/console/services')
  await shows(outsider, 'This page needs the permission services:read')
  t.equal(await outsider.locator('nav a', { hasText: 'Services' }).count(), 0)
})
