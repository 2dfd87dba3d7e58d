import type { Page } from 'playwright-core'
import t from 'tap'
import { changeSettings } from '../../src/domain/settings/settings.ts'
import { compileSettings } from '../../src/http/settings-rules.ts'
import type { SettingSchema } from '../../src/common/settings.ts'
import { aUser, callerOf, operator, until } from '../support/app.ts'
import { schemaFile, settingsOf } from '../support/settings.ts'
import {
  field,
  isAt,
  isHeaded,
  press,
  shows,
  signIn,
  startAccount,
  write
} from './account-pages.ts'
import { checkAccessibility } from './axe.ts'
import { prefer } from './chromium.ts'

const file = {
  ...schemaFile,
  user: {
    ...schemaFile.user,
    properties: {
      ...schemaFile.user.properties,
      // Names of properties that a form has itself.
      elements: { type: 'boolean', title: 'Sounds', description: 'For new messages' },
      insertBefore: { type: 'integer', title: 'Rows', minimum: 5, maximum: 50, default: 20 },
      firstChild: { type: 'string', format: 'date', title: 'Birthday' },
      servers: {
        type: 'array',
        maxItems: 3,
        items: {
          type: 'object',
          additionalProperties: false,
          properties: { host: { type: 'string', maxLength: 5 } }
        }
      }
    }
  }
}
const schemas = settingsOf(t, file)
const { app, base, visit, visitAs } = await startAccount(t, { settingsSchemas: schemas })
const save = (page: Page) => press(page, 'Save')

async function aPerson() {
  const user = await aUser(app.database)
  const { call } = await callerOf(app, user)
  return { user, call, stored: async () => (await call('GET', '/api/user/settings')).json() }
}

t.test('a user changes settings of the app, and sees what the app has set', async (t) => {
  const { user, call, stored } = await aPerson()
  await changeSettings({ db: app.db, settings: await compileSettings(schemas) }, operator, {
    userId: user.id,
    part: 'app',
    permission: 'users:update',
    change: { patch: { plan: 'pro' } }
  })
  const page = await visitAs(user, '/account')
  await press(page, 'App settings')
  await isAt(page, '/account/settings')
  await isHeaded(page, 'App settings')
  await field(page, 'Start page').selectOption({ label: 'calendar' })
  await write(page, 'Columns', ' Date\n\nSubject')
  await field(page, 'Sounds For new messages').check()
  await write(page, 'Birthday', '1815-12-10')
  await write(page, 'Servers', '[{ "host": "a" }]')
  await save(page)
  await shows(page, 'Saved.')
  t.same(await stored(), {
    startPage: 'calendar',
    columns: ['Date', 'Subject'],
    elements: true,
    insertBefore: 20,
    firstChild: '1815-12-10',
    servers: [{ host: 'a' }]
  })
  t.match(await page.innerText('dl'), /^Plan\s+pro\s+Limits: Projects\s+3$/, 'only what is set')
  await checkAccessibility(t, page, 'settings')

  await write(page, 'Columns', '')
  await write(page, 'Rows', '')
  await save(page)
  await until(async () => !('columns' in (await stored())))
  await until(async () => (await field(page, 'Rows').inputValue()) === '20')
  const etag = (await call('GET', '/api/user/settings')).headers.etag
  await save(page)
  await shows(page, 'Saved.')
  t.equal((await call('GET', '/api/user/settings')).headers.etag, etag, 'nothing had changed')
})

t.test('mistakes are beside their fields, also in a part of JSON', async (t) => {
  const { user } = await aPerson()
  const page = await visitAs(user, '/account/settings')
  await write(page, 'Rows', '2')
  await write(page, 'Columns', `fine\n${'w'.repeat(41)}`)
  await write(page, 'Servers', '[{ "host": "too long" }]')
  await save(page)
  await page.locator('[aria-invalid=true]').nth(2).waitFor()
  const help = (label: string) =>
    field(page, label).evaluate((control) => control.nextElementSibling?.textContent)
  t.match(await help('Rows'), 'Must be at least 5')
  t.match(await help('Columns'), 'At most 40 characters')
  t.match(await help('Servers'), '0/host: At most 5 characters')
  t.equal(await page.locator('.problem').count(), 0, 'each is told at its field alone')
  await checkAccessibility(t, page, 'settings, with mistakes')
})

t.test(
  'settings that were changed elsewhere are loaded again, and what was typed stays',
  async (t) => {
    const { user, call, stored } = await aPerson()
    const page = await visitAs(user, '/account/settings')
    await write(page, 'Columns', 'Date')
    await call('PATCH', '/api/user/settings', { startPage: 'calendar', note: 'elsewhere' })
    await save(page)
    await page.locator('.problem').waitFor()
    t.match(await stored(), { note: 'elsewhere' })
    t.notOk('columns' in (await stored()), 'nothing was stored')
    await press(page, 'Load again')
    await page.locator('.problem').waitFor({ state: 'detached' })
    t.equal(await field(page, 'Note').inputValue(), 'elsewhere')
    t.equal(await field(page, 'Start page').inputValue(), '"calendar"')
    t.equal(await field(page, 'Columns').inputValue(), 'Date')
    await save(page)
    await shows(page, 'Saved.')
    t.match(await stored(), { startPage: 'calendar', note: 'elsewhere', columns: ['Date'] })
  }
)

t.test('the view is in German for readers of German', async (t) => {
  const { user } = await aPerson()
  const page = await visit('/account/not-found')
  await prefer(page, 'de')
  await page.goto(`${base}/account/settings`)
  await signIn(page, user.email)
  await isHeaded(page, 'Einstellungen der App')
  await shows(page, 'Von der App festgelegt')
  await shows(page, 'Ein Eintrag je Zeile.')
  await press(page, 'Speichern')
  await shows(page, 'Gespeichert.')
  await checkAccessibility(t, page, 'settings, German')
})

t.test('a portal without user settings has no such view, and asks for none', async (t) => {
  const appOnly = settingsOf(t, { app: schemaFile.app as SettingSchema })
  for (const settingsSchemas of [undefined, appOnly]) {
    const { app, visitAs } = await startAccount(t, { settingsSchemas })
    const user = await aUser(app.database)
    const page = await visitAs(user, '/account')
    await isHeaded(page, 'Your account')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.reload()
    await isHeaded(page, 'Your account')
    t.equal(await page.getByText('App settings').count(), 0)
    t.same(
      asked.filter((path) => path.startsWith('/api/')),
      [
        ...['/api/auth/options', '/api/auth/session', '/api/user/profile', '/api/user/scopes'],
        ...['/api/user/security', '/api/user/email', '/api/user/sessions']
      ]
    )
    await page.goto(page.url().replace(/account.*/, 'account/settings'))
    await isHeaded(page, 'Page not found')
  }
})
