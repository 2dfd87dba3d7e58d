import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { outbox } from '../../db/schema/outbox.ts'
import { enqueueMail } from '../../src/domain/outbox/enqueue.ts'
import { samples } from '../mail/samples.ts'
import { aUser, ownApp, password } from '../support/app.ts'
import { startChromium } from './chromium.ts'
import { startPages } from './portal.ts'
import { longAddress } from './hostile-texts.ts'

const portal = await ownApp(t)
await portal.listen({ host: '127.0.0.1', port: 0 })
t.teardown(() => portal.server.closeAllConnections())
const base = `http://localhost:${(portal.server.address() as AddressInfo).port}`

await sendCaught()
/** Writes a mail with a long address, which is caught. */
async function sendCaught() {
  const { mail } = portal.context
  if (!mail) throw new Error('no mail can be written')
  const { id: userId } = await aUser(portal.database)
  const prepared = { to: longAddress('w'), reader: {}, content: samples.recovery }
  await portal.db.transaction((tx) => enqueueMail(tx, mail, prepared, { userId }))
  await portal.db.update(outbox).set({ state: 'caught', doneAt: sql`now()` })
}
const chromium = await startChromium(t)
const problems: string[] = []
const page = await chromium.open(`${base}/mail`, (problem) => problems.push(problem))

t.test('a mail is found, opened, and leads back', async (t) => {
  await page.goto(`${base}/mail`)
  await page.getByRole('searchbox').fill('wwww')
  await page.getByRole('combobox').selectOption('recovery')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: /Choose a new password/ }).click()
  t.ok(await page.frameLocator('iframe').getByRole('link').first().isVisible())
  await page.getByRole('link', { name: 'all mail' }).click()
  t.equal(new URL(page.url()).pathname, '/mail')
})

t.test('the code of the first page signs a user in', async (t) => {
  const { app, base, open } = await startPages(t)
  const user = await aUser(app.database)
  const page = await open('/')
  const code = await page.innerText('.code')
  await page.goto(`${base}/account/forgot`)
  // eslint-disable-next-line no-restricted-syntax -- the code of the page, as readers copy it
  await page.evaluate(`(async () => { ${code} })()`)
  await page.waitForURL('**/account/sign-in?return=%2Faccount%2Fforgot')
  await page.fill('[name=email]', user.email)
  await page.fill('[name=password]', password)
  await page.click('[type=submit]')
  await page.waitForURL('**/account/forgot')
  // eslint-disable-next-line no-restricted-syntax -- the code of the page, as readers copy it
  await page.evaluate(`(async () => { ${code} })()`)
  await page.getByText('Hello, Ada Lovelace').waitFor()
})

t.test('neither the content policy nor a script has reported anything', async (t) => {
  t.same(problems, [])
})
