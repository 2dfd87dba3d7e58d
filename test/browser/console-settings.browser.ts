import t from 'tap'
import { createFlag, findFlag } from '../../src/domain/flags/flags.ts'
import { aCaller, operator, until } from '../support/app.ts'
import { onOrOff } from '../support/flags.ts'
import { schemaFile, settingsOf } from '../support/settings.ts'
import { checkAccessibility } from './axe.ts'
import { offers, press, says, shows, startConsole } from './console-pages.ts'

const settingsSchemas = settingsOf(t, schemaFile)
const { app, anAdministrator, visitAs } = await startConsole(t, { settingsSchemas })
const { user: admin, call } = await anAdministrator()

t.test('settings of a user are shown with their defaults, and are changed', async (t) => {
  const { user } = await aCaller(app)
  const url = `/api/admin/users/${user.id}/app-settings`
  const page = await visitAs(admin, `/console/users/${user.id}`)
  await press(page, 'Settings', '.tabs')
  await shows(page, /Plan\s+free\s+Default/, '[aria-label="App settings"]')
  await shows(page, /Start page\s+inbox\s+Default/, '[aria-label="User settings"]')
  await checkAccessibility(t, page, 'settings')

  await page.getByRole('button', { name: 'Edit the app settings' }).click()
  await page.fill('dialog [name="/limits/projects"]', '2000')
  await press(page, 'Save', 'dialog')
  await shows(page, 'Must be at most 1000', 'dialog [aria-invalid=true] + small')
  await page.fill('dialog [name="/limits/projects"]', '30')
  await call('PATCH', url, { plan: 'pro' })
  await press(page, 'Save', 'dialog')
  await press(page, 'Load again', 'dialog')
  await page.locator('dialog .problem').waitFor({ state: 'detached' })
  t.equal(await page.inputValue('dialog [name="/plan"]'), '"pro"', 'what somebody else has saved')
  t.equal(await page.inputValue('dialog [name="/limits/projects"]'), '30', 'what was typed')
  await checkAccessibility(t, page, 'settings, dialog')
  await press(page, 'Save', 'dialog')
  await says(page, 'The app settings of Ada Lovelace are saved.')
  await shows(page, /Plan\s+pro\s+Limits: Projects\s+30\s+Limits/, '[aria-label="App settings"]')
  t.same((await call('GET', url)).json(), { plan: 'pro', limits: { projects: 30 } })
  await offers(page, `portal settings show ${user.email}`)
})

t.test('a rule on an app setting is edited, and keeps its other conditions', async (t) => {
  const key = 'for-plans'
  await createFlag(app.db, operator, {
    key,
    ...onOrOff,
    rules: [
      {
        when: { rolesAny: ['user'], appSettings: [{ name: 'plan', op: 'in', values: ['pro'] }] },
        serve: { variant: 'on' }
      }
    ]
  })
  const page = await visitAs(admin, `/console/flags/${key}/edit`)
  const sentence = 'users with the role User whose app setting plan is pro'
  await shows(page, `On for ${sentence}`, 'form summary')
  await page.locator('summary', { hasText: sentence }).click()
  await press(page, 'Add an app setting')
  const name = page.locator('[name*="/appSettings/"][name$="/name"]').last()
  const offered = () =>
    name.evaluate((input) => (input as HTMLInputElement).list?.innerHTML.includes('limits.seats'))
  await until(offered)
  await name.fill('limits.nothing')
  await page.locator('textarea[name*="/appSettings/"]').last().fill('10')
  await press(page, 'Save')
  await shows(page, /app settings: .*setting/, '.mistakes')
  await checkAccessibility(t, page, 'flag, with a mistake in an app setting')
  await name.fill('limits.projects')
  await press(page, 'Save')
  await shows(page, 'Everything is saved.')
  t.same((await findFlag(app.db, key)).rules[0]?.when, {
    rolesAny: ['user'],
    appSettings: [
      { name: 'plan', op: 'in', values: ['pro'] },
      { name: 'limits.projects', op: 'in', values: [10] }
    ]
  })

  await page.selectOption('.try [name=who]', 'signed-in')
  await page.fill('.try [name="context/roles"]', 'user')
  await page.fill('.try [name="context/appSettings"]', '{ "plan": ')
  await press(page, 'Try', '.try')
  await shows(page, 'This is not JSON.', '.try')
  await page.fill('.try [name="context/appSettings"]', 'plan=pro\nlimits.projects=10')
  await press(page, 'Try', '.try')
  await shows(page, /Variant\s+on/, '.result')
  const given = `--app-settings '{"plan":"pro","limits":{"projects":10}}'`
  await offers(page, `--role user ${given} --sample 1000`)
})

t.test('without settings there is no section for them, and no request', async (t) => {
  const { anAdministrator, visitAs } = await startConsole(t)
  const { user } = await anAdministrator()
  const page = await visitAs(user, '/console')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(page.url().replace(/console.*/, `console/users/${user.id}`))
  await shows(page, user.email, '.head')
  t.equal(await page.locator('.tabs').getByText('Settings').count(), 0)
  t.same(
    asked.filter((url) => url.includes('settings')),
    []
  )
})
