import t from 'tap'
import { aRole, aUser, callerOf, password, until } from '../helpers.ts'
import { checkAccessibility, takeScreenshot } from './axe.ts'
import { keyboardOf } from './keyboard.ts'
import { startPages } from './portal.ts'

const { app, base, open } = await startPages(t)
const admin = await callerOf(app, await aUser(app.database, 'admin@example.com'), 'admin')

/** A tab in which the administrator has signed in with the keyboard. */
async function visit(path: string) {
  const page = await open('/console/not-found')
  const keyboard = keyboardOf(page)
  await page.command('Network.clearBrowserCookies')
  await page.go(base + path)
  await until(() => page.evaluate("document.querySelector('[name=email]') !== null"))
  await keyboard.fill('E-mail address', admin.user.email)
  await keyboard.fill('Password', password)
  await keyboard.press('Enter')
  await until(() => page.evaluate("document.querySelector('header') !== null"))
  return { page, ...keyboard }
}
const flagOf = async (key: string) => (await admin.call('GET', `/api/admin/flags/${key}`)).json()

t.test('a flag with three rules is created, changed and tried by keyboard alone', async (t) => {
  const role = await aRole(app.database)
  const { page, press, focus, reach, write, fill, choose, activate, shows } =
    await visit('/console/flags')
  await page.evaluate(
    "mice = 0; for (const type of ['mousedown', 'pointerdown']) " +
      'addEventListener(type, () => mice++, true)'
  )
  await shows('There are no flags.')
  await checkAccessibility(t, page, 'flags')

  await activate('Create a flag')
  await shows('New flag')
  await fill('Key', 'new-checkout')
  await fill('Description', 'The new checkout')
  await activate('Add a rule')
  t.match(await focus(), 'Roles', 'the focus is in the new rule')
  await write(role)
  await choose('Serve', 'on')
  await activate('Add a rule')
  await activate('Add a condition')
  await write('country')
  await choose('Condition', 'is one of')
  await fill('Values', 'DE\nAT')
  await choose('Serve', 'on')
  await activate('Add a rule')
  await choose('Serve', 'A split by percentage')
  await fill('Percent', '25')
  await fill('Percent', '74')
  await shows('1 % left')
  await activate('Create')
  await shows('The shares must add up to 100 %, not to 99 %.')
  await checkAccessibility(t, page, 'new flag')
  await reach('Rule 3, serve', { back: true })
  await press('Enter')
  t.match(await focus(), 'Serve')
  await reach('Percent')
  await fill('Percent', '75')
  await shows('0 % left')
  await activate('Create')
  await until(() => page.evaluate("location.pathname === '/console/flags/new-checkout'"))
  const on = { variant: 'on' }
  const country = { name: 'country', op: 'in', values: ['DE', 'AT'] }
  const split = [
    { variant: 'on', weight: 25_000 },
    { variant: 'off', weight: 75_000 }
  ]
  const rules = [
    { when: { rolesAny: [role] }, serve: on },
    { when: { attributes: [country] }, serve: on },
    { when: {}, serve: { split } }
  ]
  t.match(await flagOf('new-checkout'), { description: 'The new checkout', rules })
  await shows('flag.create')
  await checkAccessibility(t, page, 'flag')
  await takeScreenshot(page, 'console-flag')
  t.equal(await page.evaluate('mice'), 0)
})
