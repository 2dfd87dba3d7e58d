import t from 'tap'
import { aUser, callerOf, until } from '../support/app.ts'
import { press, shows, startConsole } from './console-pages.ts'

const { app, base, anAdministrator, visitAs } = await startConsole(t)
const { user: admin } = await anAdministrator()
const user = await aUser(app.database, 'grace@example.com')
const { call } = await callerOf(app, user)
const changed = await call('PUT', '/api/user/theme', { theme: 'dark' })
const requestId = String(changed.headers['x-request-id'])

t.test('records are found by request, session and network', async (t) => {
  t.equal(changed.statusCode, 200)
  const page = await visitAs(admin, '/console/activity')
  const search = () => page.evaluate(() => location.search)
  const actions = () => page.locator('tbody td:nth-child(2)').allInnerTexts()
  const type = async (name: string, text: string) => {
    await page.fill(`[name=${name}]`, text)
    await page.press(`[name=${name}]`, 'Tab')
  }
  await until(async () => (await actions()).length > 2)

  await type('requestId', `urn:uuid:${requestId}`)
  await until(async () => (await search()) === `?requestId=${requestId}`)
  await until(async () => (await actions()).join() === 'user.update')

  await page.click('tbody a')
  const sessionId = (await call('GET', '/api/user/sessions')).json().items[0].id as string
  await press(page, sessionId, 'dialog')
  await until(async () => (await search()) === `?sessionId=${sessionId}`)
  await until(async () => (await actions()).sort().join() === 'auth.login,user.update')
  await shows(page, `portal activity list --session ${sessionId}`, '.command')
  await shows(page, 'session of grace@example.com', 'tbody')

  await page.goto(`${base}/console/activity?ip=192.0.2.0/24`)
  await shows(page, 'No record matches these filters.', 'main')
  await type('ip', '127.0.0.0/8')
  await until(async () => (await actions()).length > 2)
  await shows(page, 'portal activity list --ip 127.0.0.0/8', '.command')
})

t.test('a filter that the portal refuses is named, and says what it must be', async (t) => {
  const page = await visitAs(admin, '/console/activity')
  await page.fill('[name=actorId]', 'grace@example.com')
  await page.press('[name=actorId]', 'Enter')
  const mistake = page.locator('[role=alert] li').first() // above the counts
  await mistake.waitFor()
  t.match(await mistake.innerText(), /^actorId: \w+/)
  t.equal(await page.inputValue('[name=actorId]'), 'grace@example.com', 'what was typed is kept')
})
