import t from 'tap'
import { createRole } from '../../src/domain/access/roles.ts'
import { registerUser } from '../../src/domain/sign-in/registration.ts'
import { anonymous, operator, password, until } from '../support/app.ts'
import { startConsole } from './console-pages.ts'

// The search and the page of a user with nothing but the keyboard. That of a flag: see
// console-flags.browser.ts.

const { app, anAdministrator, visitByKeyboard } = await startConsole(t)
const { user: admin, call } = await anAdministrator()

t.test('a person is found, gets a role and loses it again by keyboard alone', async (t) => {
  const email = 'grace.hopper@example.com'
  const grace = await registerUser(app.context, anonymous, { email, name: 'Grace', password })
  await createRole(app.db, operator, { key: 'support', name: 'Support', permissions: [] })
  const roles = async () => (await call('GET', `/api/admin/users/${grace.id}`)).json().roles
  const keyboard = await visitByKeyboard(admin, '/console')
  const { page, press, write, isAt, reach, fill, activate, shows } = keyboard

  await isAt('Overview') // the heading
  await press('Control+k')
  await isAt('') // the field
  await write('hopper')
  await press('Enter')
  await isAt('Grace')
  t.equal(await page.evaluate(() => location.pathname), `/console/users/${grace.id}`)

  await activate('Access')
  await shows('Granted with the account')
  await activate('Grant a role')
  await isAt('Role')
  await page.keyboard.type('Support')
  await activate('Grant')
  await shows('Grace has the role Support now.')
  t.same(await roles(), ['support', 'user'])
  await isAt('Grant a role')
  await activate('Undo')
  await shows('Grace no longer has the role Support.')
  t.same(await roles(), ['user'])

  await page.locator('h1').focus()
  await activate('Deactivate')
  await isAt('Cancel')
  await press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' }) // it closes after the focus returns
  await isAt('Deactivate')
  await press('Enter')
  await isAt('Cancel')
  await reach('Deactivate Grace', { back: true })
  await press('Enter')
  await shows('Grace cannot sign in any more.')

  await activate('Profile')
  await activate('Delete')
  await isAt('Cancel')
  await fill('Type', email)
  await press('Enter')
  await shows('Grace was deleted.')
  await until(() => page.evaluate(() => location.pathname === '/console/users'))
})
