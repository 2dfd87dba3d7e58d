import t from 'tap'
import { aRole, until } from '../support/app.ts'
import { onOrOff } from '../support/flags.ts'
import { checkAccessibility } from './axe.ts'
import { startConsole } from './console-pages.ts'

const { app, anAdministrator, visitByKeyboard } = await startConsole(t)
const admin = await anAdministrator()
const read = async (path: string) => (await admin.call('GET', `/api/admin/${path}`)).json()

t.test('a segment is created, chosen in a rule, changed and restored', async (t) => {
  const role = await aRole(app.database)
  await admin.call('POST', '/api/admin/flags', { ...onOrOff, key: 'new-checkout' })
  const { page, activate, fill, press, reach, write, shows } = await visitByKeyboard(
    admin.user,
    '/console/segments'
  )
  await shows('There are no segments')
  await checkAccessibility(t, page, 'no segments')
  await activate('Create a segment')
  await shows('New segment')
  await fill('Key', 'testers')
  await activate('Create')
  await shows('A segment needs a condition.')
  await reach('Roles', { back: true })
  await write(`${role}, no-such-role`)
  await activate('Create')
  await page.locator('[id="when/roles"][aria-invalid]').waitFor()
  await checkAccessibility(t, page, 'new segment')
  await reach('Roles', { back: true })
  await press('Backspace')
  await activate('Create')
  await page.locator('h1', { hasText: 'testers' }).waitFor()
  await shows('Users with the role A role.')
  t.match(await read('segments/testers'), { when: { rolesAny: [role] } })
  await shows('None. Rules of flags can choose it.')

  await page.goto(new URL('/console/flags/new-checkout', page.url()).href)
  await shows('Off for everybody.')
  await activate('Add a rule')
  await fill('Segments', 'testers')
  await until(() =>
    page.evaluate(() => {
      const { list } = document.activeElement as HTMLInputElement
      return list?.innerHTML.includes('testers') ?? false
    })
  )
  await activate('Save')
  await shows('Everything is saved.')
  await shows('On for users in the segment testers; off for everybody else.')
  t.match(await read('flags/new-checkout'), { rules: [{ when: { segmentsAny: ['testers'] } }] })
  await checkAccessibility(t, page, 'flag with a segment')

  await page.goto(new URL('/console/segments/testers', page.url()).href)
  await page.getByRole('link', { name: 'new-checkout' }).waitFor()
  await shows('It is used by 1 flag. Remove it from there first.')
  await activate('Edit')
  await fill('People', 'visitor-7')
  await press('Enter')
  await shows(/visitor-7\s+external key/)
  await shows('Not saved: 1 listed user')
  await admin.call('PATCH', '/api/admin/segments/testers', { description: 'Meanwhile' })
  await activate('Save')
  await page.locator('.problem').waitFor()
  t.strictSame(
    (await read('segments/testers')).when,
    { rolesAny: [role] },
    'nothing is overwritten'
  )
  await activate('Discard the changes')
  await until(async () => (await page.inputValue('[name=description]')) === 'Meanwhile')
  await fill('People', 'visitor-7')
  await activate('Save')
  await shows('1 listed user with the role A role.')
  await shows('Version 3 Changed: conditions')
  await activate('Version 1')
  await activate('Restore version 1')
  await shows('These changes take effect at once, in new-checkout:')
  await shows(/−\sUsers visitor-7 with the role/)
  await checkAccessibility(t, page, 'restore a segment')
  await activate('Restore version 1')
  await shows('testers is as in version 1 again.')
  t.match(await read('segments/testers'), { description: '', when: { rolesAny: [role] } })
  await shows('Users with the role A role.')
})

t.test('a segment that no flag uses is deleted, and restored from the deleted ones', async (t) => {
  await admin.call('POST', '/api/admin/segments', { key: 'unused', when: { users: ['a'] } })
  const { page, activate, shows } = await visitByKeyboard(admin.user, '/console/segments/unused')
  await shows('1 listed user.')
  await activate('Delete')
  await shows('A deleted segment can be restored.')
  await activate('Delete unused')
  await shows('The segment unused is deleted.')
  t.equal((await read('segments/unused')).code, 'segment-not-found')
  await page.goto(new URL('/console/deleted-flags', page.url()).href)
  await activate('Restore unused')
  await shows('Users a')
  await activate('Restore unused')
  await page.locator('h1', { hasText: 'unused' }).waitFor()
  t.match(await read('segments/unused'), { when: { users: ['a'] } })
})
