import { sql } from 'drizzle-orm'
import t from 'tap'
import { flagEvaluations, flags } from '../../db/schema/flags.ts'
import { until } from '../support/app.ts'
import { onOrOff } from '../support/flags.ts'
import { checkAccessibility } from './axe.ts'
import { offers, startConsole } from './console-pages.ts'

// Tests the history of a flag, stale flags, and planned changes.

const { app, anAdministrator, visitByKeyboard } = await startConsole(t)
const admin = await anAdministrator()
const flagOf = async (key: string) => (await admin.call('GET', `/api/admin/flags/${key}`)).json()
const create = (key: string, changes: object = {}) =>
  admin.call('POST', '/api/admin/flags', { ...onOrOff, key, ...changes })
const change = (key: string, changes: object) =>
  admin.call('PATCH', `/api/admin/flags/${key}`, changes)

t.test('a version is restored after its difference is shown, and that is undone', async (t) => {
  await create('new-checkout', { description: 'At first' })
  const rules = [{ when: { rolesAny: ['user'] }, serve: { variant: 'on' } }]
  await change('new-checkout', { rules })
  const { page, activate, shows } = await visitByKeyboard(admin.user, '/console/flags/new-checkout')
  await shows('Version 2 Changed: rule 1 added: on for users with the role User')
  await activate('Version 2')
  await shows(/\+\sOn for users with the role user/)
  await checkAccessibility(t, page, 'flag with an open version')
  await activate('Version 1')
  await shows('At first')
  await shows('Differs from the current version in: rules.')
  await activate('Restore version 1')
  const dialog = page.locator('dialog')
  await until(async () => /−\sOn for users with the role user/.test(await dialog.innerText()))
  t.notMatch(await dialog.innerText(), 'At first', 'only what differs from now is shown')
  await checkAccessibility(t, page, 'restore a version')

  await change('new-checkout', { description: 'Meanwhile' })
  await activate('Restore version 1')
  await until(async () => /−\sMeanwhile\s+\+\sAt first/.test(await dialog.innerText()))
  t.match(await flagOf('new-checkout'), { description: 'Meanwhile', rules })
  await activate('Restore version 1')
  await shows('new-checkout is as in version 1 again.')
  t.match(await flagOf('new-checkout'), { description: 'At first', rules: [] })
  await shows('Version 4 Restored')
  await shows('Off for everybody.')
  await activate('Undo')
  await shows('new-checkout is as in version 3 again.')
  t.match(await flagOf('new-checkout'), { description: 'Meanwhile', rules })
})

t.test('a record of the activity leads to what was changed', async () => {
  await create('recorded')
  await change('recorded', { description: 'Of the record' })
  const { page, shows } = await visitByKeyboard(admin.user, '/console/activity')
  await page.locator('main').getByRole('link', { name: 'recorded' }).first().click()
  await shows(/\+\sOf the record/)
})

t.test('stale flags are found from the list, and a flag shows what apps got', async (t) => {
  await create('rolled-out')
  await app.db
    .update(flags)
    .set({ updatedAt: sql`now() - interval '31 days'` })
    .where(sql`${flags.key} = 'rolled-out'`)
  const day = sql`(now() at time zone 'UTC')::date`
  await app.db.insert(flagEvaluations).values([
    { flagKey: 'rolled-out', day, variant: 'off', kind: 'single', count: 12 },
    { flagKey: 'rolled-out', day, variant: '', kind: 'bulk', count: 3 }
  ])
  const { page, activate, shows } = await visitByKeyboard(admin.user, '/console/flags')
  await shows('Stale flags (1)')
  const row = page.locator('tr', { hasText: 'rolled-out' })
  await row.getByText('Stale: rolled out').waitFor()
  await checkAccessibility(t, page, 'flags with a stale one')
  await activate('Stale flags')
  await until(() => page.url().endsWith('/flags?state=stale'))
  await page.getByRole('link', { name: 'rolled-out' }).waitFor()
  await shows('1 flag')
  t.equal(await page.getByRole('link', { name: 'new-checkout' }).count(), 0)
  await checkAccessibility(t, page, 'stale flags')
  await activate('rolled-out')
  const name = 'Evaluations in the last 30 days: off 12, no value 3'
  await page.getByRole('img', { name }).waitFor()
  await checkAccessibility(t, page, 'flag with evaluations')
})

t.test('a deleted flag is restored as it was', async (t) => {
  await create('gone', { description: 'Kept in the history' })
  const { page, activate, shows } = await visitByKeyboard(admin.user, '/console/flags/gone')
  await page.locator('h1', { hasText: 'gone' }).waitFor()
  await activate('Delete')
  await shows('disable it instead')
  await activate('Delete gone')
  await shows('The flag gone is deleted.')
  await page.goBack()
  await shows('Flag not found')
  await shows('There is no flag gone')
  t.equal(await page.locator('.editor').count(), 0, 'nothing that can be edited')
  await checkAccessibility(t, page, 'missing flag')
  await activate('Deleted flags')
  await activate('Restore gone')
  await shows('Kept in the history')
  await checkAccessibility(t, page, 'restore a deleted flag')
  await activate('Restore gone')
  await page.locator('h1', { hasText: 'gone' }).waitFor()
  await shows('The flag gone is restored.')
  t.match(await flagOf('gone'), { description: 'Kept in the history' })
})

t.test('times of a rule are entered here and stored in UTC, and the page says when', async (t) => {
  await create('on-monday')
  const { page, activate, reach, shows } = await visitByKeyboard(
    admin.user,
    '/console/flags/on-monday'
  )
  await shows('Off for everybody.')
  await activate('Add a rule')
  const at = await page.evaluate(() => new Date('2126-12-02T08:00').toISOString())
  await page.getByLabel('From', { exact: true }).fill('2126-12-02T08:00')
  await page.getByLabel('Until', { exact: true }).fill('2126-12-01T08:00')
  await activate('Save')
  await shows('Rule 1, until')
  await reach('Rule 1, until', { back: true })
  await page.getByLabel('Until', { exact: true }).fill('')
  await activate('Save')
  await shows('Everything is saved.')
  t.match(await flagOf('on-monday'), { rules: [{ when: { from: at } }] })
  await activate('Done')
  await shows('What will change')
  t.equal(await page.locator('h2:text("What will change") ~ ul time').getAttribute('title'), at)
  await checkAccessibility(t, page, 'flag with a time ahead')

  await page
    .getByLabel('Caller', { exact: true })
    .selectOption({ label: 'A visitor who is not signed in' })
  await activate('Try')
  await shows('No rule matched.')
  t.equal(await page.locator('dt:text("Next change") + dd time').getAttribute('title'), at)
  await activate('More about the call')
  await page.getByLabel('Time', { exact: true }).fill('2126-12-02T08:00')
  await activate('Try')
  await shows('A rule matched.')
  t.equal(await page.locator('dt:text("Time") + dd time').getAttribute('title'), at)
  await offers(page, `portal flag try on-monday --at ${at} --sample 1000`)
})
