import t from 'tap'
import { listScopesOf } from '../../src/domain/scopes/list.ts'
import { aUser, until } from '../support/app.ts'
import { aScopedRole, freshScope, granted } from '../support/scopes.ts'
import { checkAccessibility } from './axe.ts'
import { isLoaded, press, says, shows, startConsole } from './console-pages.ts'

const { app, base, anAdministrator, visitAs } = await startConsole(t)
const { db, database } = app
const { user: admin } = await anAdministrator()

t.test('the scopes of a user lead to their members, and roles change in both', async (t) => {
  const [boss, user] = [await aUser(database), await aUser(database)]
  const [scope, manager] = [freshScope(), await aScopedRole(database, 'members:manage')]
  const role = await aScopedRole(database)
  await granted(database, boss, scope, manager)
  const page = await visitAs(admin, `/console/users/${user.id}/access`)
  await shows(page, 'has no role in a scope.')
  await press(page, 'Grant in a scope')
  await page.fill('dialog [name=scope]', scope)
  await page.selectOption('dialog [name=role]', role)
  await checkAccessibility(t, page, 'grant in a scope')
  await press(page, 'Grant', 'dialog')
  await says(page, `has the role A role in ${scope} now.`)
  t.same(await listScopesOf(db, user.id), [{ scope, roles: [role] }])
  await checkAccessibility(t, page, 'scopes of a user')

  await press(page, scope)
  await shows(page, scope, 'h1')
  await isLoaded(page)
  for (const text of [boss.email, user.email, 'A role']) await shows(page, text, 'main table')
  await shows(page, '2 members', '.paging')
  await checkAccessibility(t, page, 'members of a scope')
  await page
    .locator('main tr', { hasText: user.email })
    .getByRole('button', { name: `Revoke A role in ${scope}` })
    .click()
  await says(page, `no longer has the role A role in ${scope}.`)
  t.same(await listScopesOf(db, user.id), [])
  await until(async () => !(await page.innerText('main table')).includes(user.email))

  await press(page, 'Grant a role')
  await page.fill('dialog [name=user]', user.email)
  await page.selectOption('dialog [name=role]', role)
  await checkAccessibility(t, page, 'grant in this scope')
  await press(page, 'Grant', 'dialog')
  await says(page, `has the role A role in ${scope} now.`)
  await shows(page, user.email, 'main table')
  t.same(await listScopesOf(db, user.id), [{ scope, roles: [role] }])
  await page.goto(`${base}/console/scopes/${freshScope()}`)
  await shows(page, 'A scope exists while somebody has a role in it')
  t.equal(await page.getByRole('button', { name: 'Grant a role' }).count(), 1)
})
