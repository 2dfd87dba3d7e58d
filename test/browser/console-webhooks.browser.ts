import { eq } from 'drizzle-orm'
import t from 'tap'
import { deliveries, webhookEndpoints } from '../../db/schema/webhooks.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { aRole, aUser, operator, until } from '../support/app.ts'
import { aDelivery, anEndpoint, publicUrl } from '../support/webhooks.ts'
import { checkAccessibility } from './axe.ts'
import { press, says, shows, startConsole } from './console-pages.ts'

// Webhooks and their deliveries in the console.

const { app, base, anAdministrator, visitAs } = await startConsole(t)
const { db, database } = app
const { user: admin } = await anAdministrator()
const page = await visitAs(admin, '/console/webhooks')

t.test('a webhook is looked at, paused and resumed, and its events are sent again', async (t) => {
  await shows(page, 'There are no webhooks')
  await checkAccessibility(t, page, 'no webhooks')
  const webhook = await anEndpoint(database, { url: 'https://crm.invalid/hooks?token=secret' })
  const delivery = await aDelivery(database, webhook, {
    ...{ action: 'user.update', userId: admin.id, attempts: 8, lastStatus: 500 },
    ...{ state: 'dead', doneAt: new Date(), lastError: 'status-500' }
  })
  await press(page, 'Reload')
  await press(page, 'crm.invalid', 'table')
  await shows(page, /user\.update.+Given up\s+500\s+8/s, 'table')
  await checkAccessibility(t, page, 'a webhook')
  await press(page, /^Show/, 'table')
  await shows(page, `"email": "${admin.email}"`, 'dialog pre')
  await checkAccessibility(t, page, 'a body')
  await press(page, 'Close', 'dialog')

  await press(page, /^Resend/, 'table')
  await says(page, 'It is sent again.')
  await shows(page, 'Waiting', 'table')
  const [row] = await db.select().from(deliveries).where(eq(deliveries.id, delivery.id))
  t.match(row, { state: 'pending', attempts: 0 })
  const resume = page.getByRole('button', { name: 'Resume' })
  t.notMatch(await resume.getAttribute('class'), 'outline', 'the next step')
  await press(page, 'Resume')
  await says(page, 'The webhook to crm.invalid is active again.')
  await press(page, 'Pause')
  await shows(page, 'Events are kept for four days.')
  await says(page, 'The webhook to crm.invalid is paused.')
  await press(page, 'Test')
  await says(page, /The test failed: [\w-]+\./)
})

t.test('a webhook is created, changed, gets another secret, and is deleted', async (t) => {
  const { host } = new URL(publicUrl)
  await page.goto(`${base}/console/webhooks`)
  await press(page, 'Create a webhook')
  await checkAccessibility(t, page, 'create a webhook')
  await page.fill('dialog [name=url]', publicUrl)
  await page.fill('dialog [name=events]', 'no.such-event')
  await press(page, 'Create', 'dialog')
  await page.locator('dialog [name=events][aria-invalid=true]').waitFor()
  await page.fill('dialog [name=events]', 'user.*, auth.register')
  await press(page, 'Create', 'dialog')
  await shows(page, `This is the secret of the webhook to ${host}.`, 'dialog')
  const secret = await page.innerText('dialog .secret code')
  t.match(secret, /^whsec_/)
  await press(page, 'It is stored', 'dialog')
  await press(page, host, 'table')
  await shows(page, 'user.*, auth.register', '.facts')

  await press(page, 'Edit')
  t.equal(await page.inputValue('dialog [name=events]'), 'user.* auth.register')
  await page.fill('dialog [name=events]', '*')
  await press(page, 'Save', 'dialog')
  await says(page, 'The webhook is saved.')
  const [created] = await db
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.url, publicUrl))
  t.same(created?.events, ['*'])
  await press(page, 'Renew the secret')
  await press(page, 'Renew the secret', 'dialog')
  await shows(page, `This is the secret of the webhook to ${host}.`, 'dialog')
  t.not(await page.innerText('dialog .secret code'), secret)
  await press(page, 'It is stored', 'dialog')
  await shows(page, 'Both secrets sign until', '.facts')
  await press(page, 'Delete', '.danger-zone')
  await press(page, `Delete the webhook to ${host}`, 'dialog')
  await until(() => page.url().endsWith('/console/webhooks'))
  await shows(page, '1 webhook', '.paging')
})

t.test('on a tablet, a table of five columns has all of them', async (t) => {
  await page.setViewportSize({ width: 768, height: 900 })
  await shows(page, 'Created', 'thead')
  t.notMatch(await page.innerText('tbody'), 'Created:', 'it is no second line of the first one')
})

t.test('those who may only read see no button that changes something', async (t) => {
  const webhook = await anEndpoint(database)
  await aDelivery(database, webhook)
  const reader = await aUser(database)
  const reading = await aRole(database, 'webhooks:read')
  await grantRole(db, operator, { userId: reader.id, role: reading })
  const visitor = await visitAs(reader, `/console/webhooks/${webhook.id}`)
  await shows(visitor, 'admin.bootstrap', 'table')
  t.same(await visitor.locator('main button:not(.copy)').allInnerTexts(), [])
  await visitor.goto(`${base}/console/webhooks/${reader.id}`)
  await shows(visitor, 'Webhook not found', 'h1')
  await press(visitor, 'All webhooks')
  await visitor.waitForURL('**/console/webhooks')
})
