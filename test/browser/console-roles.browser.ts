import { randomUUID } from 'node:crypto'
import t from 'tap'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { systemPermissionKeys } from '../../src/domain/permissions.ts'
import { aRole, aUser, operator, until } from '../support/app.ts'
import { checkAccessibility } from './axe.ts'
import { hold } from './chromium.ts'
import { click, press, says, shows, signIn, startConsole } from './console-pages.ts'
import { keyboardOf } from './keyboard.ts'

const { app, base, anAdministrator, visitAs } = await startConsole(t)
const { db, database } = app
const { user: admin, call } = await anAdministrator()

t.test('roles and permissions: lists, a page for each role, and the matrix', async (t) => {
  const role = await aRole(database, 'users:read')
  const permissionsOf = async () =>
    (await call('GET', `/api/admin/roles/${role}`)).json<{ permissions: string[] }>().permissions
  const page = await visitAs(admin, '/console/roles')
  await shows(page, role, 'table')
  const rowOf = (key: string) => `tr:has(a[href$="/${key}"])`
  t.match(await page.innerText(rowOf('user')), 'Part of the portal')
  t.notMatch(await page.innerText(rowOf(role)), /Part of the portal|Required/)
  t.match(
    await page.innerText(`${rowOf(role)} td:nth-child(3)`),
    '–',
    'it requires no second factor'
  )
  await checkAccessibility(t, page, 'roles')

  await click(page, `main a[href$="/${role}"]`)
  await shows(page, 'Nobody has this role.')
  const member = await aUser(database)
  await press(page, 'Grant to a user')
  await page.fill('dialog [name=user]', 'nobody@example.com')
  await press(page, 'Grant', 'dialog')
  await shows(page, 'No user has this name or address.', 'dialog')
  await page.fill('dialog [name=user]', member.email)
  await press(page, 'Grant', 'dialog')
  await says(page, `${member.name} has the role A role now.`)
  await shows(page, member.email, 'table')
  await press(page, `1 of ${systemPermissionKeys.length} permissions`)
  await shows(page, `1 of ${systemPermissionKeys.length} granted. A change takes effect at once.`)
  for (const [granted, sentence] of [
    [2, 'A role now has users:delete.'],
    [1, 'A role no longer has users:delete.']
  ] as const) {
    await click(page, '[aria-label="A role: users:delete"]')
    await shows(page, sentence)
    await shows(page, `${granted} of ${systemPermissionKeys.length} granted`)
    await shows(page, `${granted} of ${systemPermissionKeys.length} permissions`)
  }
  await press(page, 'Edit')
  await click(page, 'dialog [name=secondFactor]')
  await page.fill('dialog [name=description]', 'Does little')
  await press(page, 'Save', 'dialog')
  await page.locator('dialog').waitFor({ state: 'detached' })
  await shows(page, 'Only with a second factor', '.head')
  await shows(page, 'Does little', '.head')
  await says(page, 'The role A role is saved.')
  await checkAccessibility(t, page, 'role')

  await press(page, 'Permissions', 'nav')
  await shows(page, 'your app can have its own.')
  await press(page, 'Create a permission')
  await page.fill('dialog [name=key]', 'invoices:read')
  await press(page, 'Create', 'dialog')
  await shows(page, 'The role Administrator has every permission.')
  t.equal(await page.locator('[aria-label^="Administrator:"]').count(), 0)
  await click(page, '[aria-label="A role: invoices:read"]')
  await shows(page, 'A role now has invoices:read.')
  t.same(await permissionsOf(), ['invoices:read', 'users:read'])

  const { press: type } = keyboardOf(page)
  await type(' ')
  await shows(page, 'A role no longer has invoices:read.')
  t.same(await permissionsOf(), ['users:read'])
  await checkAccessibility(t, page, 'permissions')
  const find = page.getByLabel('Find on this page')
  await find.fill('View all users')
  await page.locator('.matrix').getByText('roles:read').waitFor({ state: 'detached' })
  t.equal(await page.locator('.matrix tr:not(.group) th[scope="row"]').count(), 1)
  await find.fill('nothing like it')
  await shows(page, 'No permission on this page has these words.')
  await find.fill('')
  t.equal(await page.getByRole('button', { name: /^(Edit|Delete) / }).count(), 2, 'of the app')
  await press(page, 'Edit invoices:read')
  await page.fill('dialog [name=description]', 'View all invoices')
  await press(page, 'Save', 'dialog')
  await shows(page, 'View all invoices', '.matrix')

  const total = `${systemPermissionKeys.length + 1}`
  await shows(page, `${total} permissions`)
  await press(page, 'Roles', 'nav')
  await shows(page, total, rowOf('admin'))

  await press(page, 'Permissions', 'nav')
  await press(page, 'Delete invoices:read')
  await press(page, 'Delete invoices:read', 'dialog')
  await says(page, 'The permission invoices:read is deleted.')
  const focused = page.locator('[aria-label="Permissions of roles"]:focus')
  await focused.waitFor() // the row that had the focus is gone
})

t.test('a reader without the roles sees the permissions, and what the roles need', async (t) => {
  const reader = await aUser(database)
  const role = await aRole(database, 'permissions:read', 'roles:update')
  await grantRole(db, operator, { userId: reader.id, role })
  const page = await visitAs(reader, '/console/permissions')
  await shows(page, 'you need the permission roles:read', 'main')
  await shows(page, 'View all users', '.matrix')
  t.equal(await page.locator('.matrix input').count(), 0)
})

t.test('a change beyond the own permissions is refused with a sentence', async (t) => {
  const limited = await aRole(database, 'roles:read', 'roles:update', 'permissions:read')
  const clerk = await aUser(database)
  await grantRole(db, operator, { userId: clerk.id, role: limited })
  const page = await visitAs(clerk, `/console/roles/${limited}`)
  const cell = '[aria-label="A role: users:delete"]'
  await press(page, /^3 of \d+ permissions$/)
  await click(page, cell)
  await shows(page, 'You cannot grant or revoke a permission you do not have', '[role=alert]')
  await until(async () => !(await page.isChecked(cell)))
  t.notMatch((await call('GET', `/api/admin/roles/${limited}`)).json().permissions, 'users:delete')
})

t.test('a double click on a slow network sends one request', async (t) => {
  const page = await visitAs(admin, '/console/roles')
  const key = `role-${Date.now()}`
  await press(page, 'Create a role')
  await page.fill('dialog [name=key]', key)
  await page.fill('dialog [name=name]', 'Once')

  const release = await hold(page, '**/api/admin/roles')
  await page.dblclick('dialog [type=submit]')
  await page.locator('dialog [type=submit][aria-disabled=true]').waitFor()
  release()
  await shows(page, 'Once', 'h1')
  const sent = (await call('GET', '/api/admin/activity?action=role.create')).json()
  t.equal(
    sent.items.filter((each: { details: { key: string } }) => each.details.key === key).length,
    1
  )
  const requests = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name)
  )
  t.equal(requests.filter((name) => name.endsWith('/api/admin/roles')).length, 1)
})

t.test('a session that ends in the middle of a form: the page says so, and keeps it', async (t) => {
  const other = await aUser(database)
  await grantRole(db, operator, { userId: other.id, role: 'admin' })
  const page = await visitAs(other, '/console/roles')
  await press(page, 'Create a role')
  await page.fill('dialog [name=key]', 'kept')
  await page.fill('dialog [name=name]', 'Kept while away')
  t.equal((await call('DELETE', `/api/admin/sessions?userId=${other.id}`)).statusCode, 204)
  await press(page, 'Create', 'dialog')
  await shows(page, 'Your session has ended')
  const ended = 'dialog:has([name=password])'
  await signIn(page, other, ended)
  await page.locator(ended).waitFor({ state: 'detached' })
  t.equal(await page.inputValue('dialog [name=name]'), 'Kept while away')
  await press(page, 'Create', 'dialog')
  await shows(page, 'Kept while away', 'h1')
})

t.test(
  'what does not exist is named in the heading, and a button leads to the others',
  async (t) => {
    const page = await visitAs(admin, '/console/roles/none')
    for (const [path, heading] of [
      ['roles/none', 'Role not found'],
      ['services/none', 'Service not found'],
      [`users/${randomUUID()}/access`, 'User not found'],
      ['webhooks/nonsense', 'Webhook not found']
    ] as const) {
      await page.goto(`${base}/console/${path}`)
      await shows(page, heading, 'h1')
      t.equal(await page.locator('.tabs').count(), 0, 'there are no sections of nothing')
      await press(page, /^All /, '.empty')
      await page.waitForURL(`${base}/console/${path.split('/')[0]}`)
    }
  }
)
