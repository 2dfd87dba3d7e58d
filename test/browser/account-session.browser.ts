import { inArray } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { aUser, callerOf, password, until } from '../support/app.ts'
import { confirmed } from '../support/mails.ts'
import { field, isHeaded, open, press, shows, startAccount, write } from './account-pages.ts'
import type { Page } from 'playwright-core'
import { keyboardOf } from './keyboard.ts'

// Sessions that end, or change, while a page is open.

const { app, visitAs } = await startAccount(t)
const aConfirmedUser = async () => confirmed(app.database, await aUser(app.database))
const isDialogOpen = async (page: Page) =>
  (await page.locator('dialog:modal').getByText('Your session has ended').count()) > 0
/** Comes back to the window. */
const focus = (page: Page) => page.evaluate(() => dispatchEvent(new Event('focus')))
/** Signs in as another tab of the browser does. */
const signInElsewhere = (page: Page, { email }: { email: string }) =>
  page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' }
      const request = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await fetch('/api/auth/login', request)).status
    },
    { email, password }
  )

t.test('a call that the portal rejects while the session lives is repeated', async (t) => {
  const user = await aConfirmedUser()
  const page = await visitAs(user, '/account/profile')
  await isHeaded(page, 'Profile')
  await page.locator('[name=bio]').waitFor()
  // The cookie that the first request takes along is no longer valid.
  const rejected = await page.evaluateHandle(() => {
    const { fetch } = window
    const statuses: number[] = []
    window.fetch = async (request) => {
      window.fetch = fetch
      const response = await fetch(new Request(request, { credentials: 'omit' }))
      statuses.push(response.status)
      return response
    }
    return statuses
  })
  await write(page, 'Name', 'Grace Hopper')
  await press(page, 'Save')
  await shows(page, 'Saved.')
  t.same(await rejected.jsonValue(), [401])
  t.equal(await isDialogOpen(page), false)
})

t.test('after a new sign-in in another tab, the dialog closes by itself', async (t) => {
  const user = await aConfirmedUser()
  const page = await visitAs(user, '/account/security')
  await open(page, 'E-mail address')
  await write(page, 'New e-mail address', 'typed@example.com')
  const elsewhere = await callerOf(app, user)
  t.equal((await elsewhere.call('DELETE', '/api/user/sessions')).statusCode, 204)
  await focus(page)
  await shows(page, 'Your session has ended')
  t.equal(await signInElsewhere(page, user), 200)
  await focus(page)
  await until(async () => !(await isDialogOpen(page)))
  t.equal(await field(page, 'New e-mail address').inputValue(), 'typed@example.com')
})

t.test('the dialog of an ended session cannot be closed without a sign-in', async (t) => {
  const user = await aConfirmedUser()
  const page = await visitAs(user, '/account/profile')
  await isHeaded(page, 'Profile')
  const elsewhere = await callerOf(app, user)
  t.equal((await elsewhere.call('DELETE', '/api/user/sessions')).statusCode, 204)
  await focus(page)
  await shows(page, 'Your session has ended')
  const { press: pressKey } = keyboardOf(page)
  for (let n = 0; n < 3; n++) await pressKey('Escape')
  t.equal(await isDialogOpen(page), true)
  // Some browsers close it with a second Escape.
  await page.locator('dialog:modal').evaluate((dialog) => (dialog as HTMLDialogElement).close())
  await until(() => isDialogOpen(page))
})

t.test('a click that comes back to the window changes nothing for another user', async (t) => {
  const user = await aConfirmedUser()
  const other = await aConfirmedUser()
  const page = await visitAs(user, '/account/profile')
  await write(page, 'Name', 'Typed by the first user')
  t.equal(await signInElsewhere(page, other), 200)
  const isLoadedAgain = page.waitForEvent('load')
  await page.locator('[name=name]').evaluate((input) => {
    dispatchEvent(new Event('focus'))
    ;(input as HTMLInputElement).form?.requestSubmit()
  })
  await isLoadedAgain
  await isHeaded(page, 'Profile')
  t.equal(await field(page, 'Name').inputValue(), 'Ada Lovelace')
  const stored = await app.db
    .select()
    .from(users)
    .where(inArray(users.id, [user.id, other.id]))
  t.same(
    stored.map(({ name }) => name),
    ['Ada Lovelace', 'Ada Lovelace']
  )
})

t.test('a page that its user keeps open does nothing as another user', async (t) => {
  const [ada, grace] = [await aConfirmedUser(), await aConfirmedUser()]
  const page = await visitAs(ada, '/account/profile')
  await isHeaded(page, 'Profile')
  await write(page, 'Name', 'By Ada')
  await page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()))
  let isKept = false
  page.on('dialog', async (dialog) => {
    await dialog.dismiss()
    isKept = true
  })
  t.equal(await signInElsewhere(page, grace), 200)
  await focus(page)
  await until(() => isKept)
  await press(page, 'Save')
  await shows(page, /Another user has signed in|session has ended/)
  const [found] = await app.db
    .select()
    .from(users)
    .where(inArray(users.id, [grace.id]))
  t.not(found?.name, 'By Ada')
})
