import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { outbox } from '../../db/schema/outbox.ts'
import { enqueueMail } from '../../src/domain/outbox/enqueue.ts'
import { aUser, callerOf, until } from '../support/app.ts'
import { checkAccessibility } from './axe.ts'
import { openCommand, press, says, shows, startConsole } from './console-pages.ts'

const { app, base, anAdministrator, visitAs } = await startConsole(t)
const { user: admin, call: adminCall } = await anAdministrator()
const user = await aUser(app.database, 'grace@example.com')
const { call } = await callerOf(app, user)
const changed = await call('PUT', '/api/user/theme', { theme: 'dark' })
const requestId = String(changed.headers['x-request-id'])

t.test('records are found by person, request, session and network', async (t) => {
  t.equal(changed.statusCode, 200)
  const page = await visitAs(admin, '/console/activity')
  const search = () => page.evaluate(() => location.search)
  const records = () => page.locator('.records li').count()
  const says = (text: string) => shows(page, text, '.records')
  const type = async (name: string, text: string) => {
    await page.fill(`[name=${name}]`, text)
    await page.press(`[name=${name}]`, 'Tab')
  }
  await until(async () => (await records()) > 2)

  await page.fill('[placeholder="Name or address"]', 'grace@example.com')
  await page.press('[placeholder="Name or address"]', 'Enter')
  await until(async () => (await search()) === `?actorId=${user.id}`)
  await says('Ada Lovelace changed theme from “system” to “dark”')
  const person = () => page.inputValue('[placeholder="Name or address"]')
  await until(async () => (await person()) === 'grace@example.com')
  await page.fill('[placeholder="Name or address"]', 'nobody@example.com')
  await page.press('[placeholder="Name or address"]', 'Enter')
  await shows(page, 'No user has this name or address.', '[role=search]')
  t.equal(await search(), `?actorId=${user.id}`, 'the list stays')

  await page.goto(`${base}/console/activity`)
  await press(page, 'More filters')
  await type('requestId', `urn:uuid:${requestId}`)
  await until(async () => (await search()) === `?requestId=${requestId}`)
  await until(async () => (await records()) === 1)

  await page.click('.records li > a')
  await shows(page, 'Changed details', 'dialog')
  const sessionId = (await call('GET', '/api/user/sessions')).json().items[0].id as string
  await press(page, sessionId, 'dialog')
  await until(async () => (await search()) === `?sessionId=${sessionId}`)
  await until(async () => (await records()) === 2)
  await says('Ada Lovelace signed in')
  await openCommand(page)
  await shows(page, `portal activity list --session ${sessionId}`, '.command')

  await page.goto(`${base}/console/activity?ip=192.0.2.0/24`)
  await shows(page, 'No records match these filters.', 'main')
  await type('ip', '127.0.0.0/8')
  await until(async () => (await records()) > 2)
  await openCommand(page)
  await shows(page, 'portal activity list --ip 127.0.0.0/8', '.command')
})

t.test('an audit asks for an action in words, a period, and the records as a file', async (t) => {
  const page = await visitAs(admin, '/console/activity')
  const records = page.locator('.records li')
  await page.selectOption('[name=action]', { label: 'Signed in (auth.login)' })
  await page.waitForURL('**/activity?action=auth.login')
  await press(page, 'Today')
  await page.waitForURL('**/activity?action=auth.login&from=*')
  await press(page, 'Yesterday')
  await shows(page, 'No records match these filters.', 'main')
  t.same(await page.locator('.periods [aria-current]').allInnerTexts(), ['Yesterday'])
  await press(page, /^Between/)
  t.ok(await page.locator('[name=from]').isVisible())

  await page.goto(`${base}/console/activity`)
  await records.first().waitFor()
  t.equal(await page.locator('.records .icon').count(), 0, 'only failures have a mark')
  const download = page.waitForEvent('download')
  await press(page, 'Export CSV')
  const file = await download
  t.equal(file.suggestedFilename(), 'activity.csv')
  const lines = readFileSync((await file.path()) ?? '', 'utf8').split('\r\n')
  t.match(lines[0], /^\uFEFFid,at,action,/)
  const { items } = (await adminCall('GET', '/api/admin/activity?limit=200')).json()
  t.equal(lines.length, items.length + 2, 'every record, and the names')
  await says(page, /records are in activity\.csv\./)

  await records.first().locator('> a').click()
  await page.locator('dialog .facts').waitFor()
  const values = await page.locator('dialog dd').allInnerTexts()
  t.notOk(values.includes(''), 'no name without a value')
  const first = page.url()
  t.equal(await page.locator('dialog').getByText('Previous').count(), 0)
  await page.locator('dialog').getByText('Next', { exact: true }).click()
  await until(() => page.url() !== first)
  await checkAccessibility(t, page, 'record')
  await page.locator('dialog').getByText('Previous', { exact: true }).click()
  await until(() => page.url() === first)
})

t.test('a printed record has its exact time', async (t) => {
  const page = await visitAs(admin, '/console/activity')
  const time = page.locator('.records time').first()
  await time.waitFor()
  const title = await time.getAttribute('title')
  await page.emulateMedia({ media: 'print' })
  const { content, fontSize } = await time.evaluate((element) => ({
    content: getComputedStyle(element, '::after').content,
    fontSize: getComputedStyle(element).fontSize
  }))
  t.equal(content, JSON.stringify(title))
  t.equal(fontSize, '0px')
  t.notOk(await page.locator('header').isVisible())
})

t.test('a filter that the portal refuses is named, and says what it must be', async (t) => {
  const page = await visitAs(admin, '/console/activity')
  await press(page, 'More filters')
  await page.fill('[name=ip]', 'grace@example.com')
  await page.press('[name=ip]', 'Enter')
  const mistake = page.locator('[role=alert] li').first() // above the counts
  await mistake.waitFor()
  t.match(await mistake.innerText(), /^ip: \w+/)
  t.equal(await page.inputValue('[name=ip]'), 'grace@example.com', 'what was typed is kept')
})

t.test('dead mail says to whom, and is sent again with an answer', async (t) => {
  const { mail } = app.context
  if (!mail) throw new Error('no mail can be written')
  const id = await app.db.transaction(async (tx) => {
    const content = { kind: 'already-registered' } as const
    const id = await enqueueMail(tx, mail, { to: 'ada@example.com', reader: {}, content }, {})
    const changes = { state: 'dead', doneAt: new Date(), lastError: 'smtp 550' } as const
    await tx.update(outbox).set(changes).where(eq(outbox.id, id))
    return id
  })
  const page = await visitAs(admin, '/console')
  await shows(page, '1 mail could not be delivered.', '.attention')
  await checkAccessibility(t, page, 'overview with dead mail')
  await press(page, 'Undelivered mail', '.attention')
  await shows(
    page,
    /a…@example\.com\s+Already registered\s+Refused by the mail server \(550\)\s+Not delivered/,
    'tbody'
  )
  t.notMatch(await page.content(), 'ada@example.com')
  t.match(await page.textContent('.command code'), 'portal mail list --state dead')
  await checkAccessibility(t, page, 'mail')
  await page.getByRole('button', { name: 'Retry Already registered' }).click()
  await shows(page, 'No mails match these filters.', 'main')
  await says(page, 'The mail to a…@example.com is sent again.')
  const [sent] = await app.db.select().from(outbox).where(eq(outbox.id, id))
  t.match(sent?.state, /^(pending|caught)$/, 'due at once')
})
