import t from 'tap'
import { aUser, callerOf, password, until } from '../support/app.ts'
import { confirmed, mailsOf } from '../support/mails.ts'
import { anAppFor, letProofsAge } from '../support/second-factors.ts'
import {
  field,
  isHeaded,
  isHomeOf,
  isReported,
  open,
  press,
  rejectReads,
  shows,
  signIn,
  startAccount,
  write
} from './account-pages.ts'
import { checkAccessibility } from './axe.ts'
import { hold } from './chromium.ts'

const { app, base, visitAs } = await startAccount(t)
const mails = mailsOf(app)
const fresh = 'my own horse battery'
const aConfirmedUser = async () => confirmed(app.database, await aUser(app.database))

t.test('a user changes the password, which ends the other sessions', async (t) => {
  const user = await aConfirmedUser()
  const other = await callerOf(app, user)
  const page = await visitAs(user, '/account/security')
  await open(page, 'Password')
  await checkAccessibility(t, page, 'changing the password')
  await write(page, 'Current password', 'not this password')
  await write(page, 'New password', fresh)
  await press(page, 'Set the password')
  await shows(page, 'The current password is wrong. Nothing was changed.')
  await write(page, 'Current password', password)
  await press(page, 'Set the password')
  await shows(page, 'The password is changed. All other sessions have ended.')
  t.equal((await other.call('GET', '/api/auth/me')).statusCode, 401)
  await isReported(page, 'The password is changed. All other sessions have ended.')
  t.equal(await page.locator('dialog').count(), 0)
  await mails.newest(user.email, 'password-changed')
  await page.context().clearCookies()
  await page.goto(`${base}/account`)
  await signIn(page, user.email, fresh)
  await isHomeOf(page, user.email)
})

t.test('a saved change is not shown as failed when reloading fails', async (t) => {
  const user = await aConfirmedUser()
  const page = await visitAs(user, '/account/security')
  await open(page, 'Password')
  await write(page, 'Current password', password)
  await write(page, 'New password', fresh)
  await rejectReads(page)
  await press(page, 'Set the password')
  await shows(page, 'The password is changed. All other sessions have ended.')
  t.equal(
    await page.locator('form [role=alert]').count(),
    0,
    'only the view says that it cannot be read'
  )
})

t.test('when the session ends, input is kept', async (t) => {
  const user = await aConfirmedUser()
  const page = await visitAs(user, '/account/security')
  await open(page, 'E-mail address')
  await write(page, 'New e-mail address', 'typed@example.com')
  const elsewhere = await callerOf(app, user)
  t.equal((await elsewhere.call('DELETE', '/api/user/sessions')).statusCode, 204)
  await press(page, 'Change address')
  await shows(page, 'Your session has ended')
  await checkAccessibility(t, page, 'the session has ended, account')
  await write(page, 'E-mail address', user.email)
  await write(page, 'Password', password)
  await press(page, 'Sign in')
  await page.getByText('Your session has ended', { exact: true }).waitFor({ state: 'detached' })
  t.equal(await field(page, 'New e-mail address').inputValue(), 'typed@example.com')
  await press(page, 'Change address')
  await shows(page, 'To use typed@example.com, open the link that was sent to it.')
  await isReported(page, 'A link was sent to typed@example.com.')
})

t.test('two calls at once that need a recent authentication share one question', async (t) => {
  const user = await aConfirmedUser()
  await anAppFor(app, user, { secondFactor: false })
  const page = await visitAs(user, '/account/security')
  await isHeaded(page, 'Security')
  await letProofsAge(app, user)
  const rejected: string[] = []
  page.on('response', (response) => {
    if (response.status() === 403) rejected.push(response.url())
  })
  const both = page.getByRole('button', { name: /^(Replace|Turn on): / })
  await until(async () => (await both.count()) === 2)
  await both.evaluateAll((all) => all.forEach((each) => (each as HTMLElement).click()))
  await page.locator('dialog').waitFor()
  t.equal(await page.locator('dialog').count(), 1)
  await until(() => rejected.length === 2) // otherwise the second asks later
  await press(page, 'Cancel')
  await until(
    async () =>
      (await page.innerText('body')).split('Nothing was changed: first confirm').length === 3
  )
  t.equal(await page.locator('dialog').count(), 0)
})

t.test('on a slow network, a button acts once', async (t) => {
  const user = await aConfirmedUser()
  const page = await visitAs(user, '/account/security')
  await open(page, 'E-mail address')
  await write(page, 'New e-mail address', 'slow@example.com')
  const release = await hold(page, '**/api/user/email')
  await page.getByRole('button', { name: 'Change address', exact: true }).evaluate((each) => {
    const button = each as HTMLButtonElement
    button.click()
    button.click()
    button.form?.requestSubmit()
  })
  await page.locator('[type=submit][aria-disabled=true]').waitFor()
  release()
  await shows(page, 'To use slow@example.com, open the link that was sent to it.')
  t.same(await mails.kindsTo('slow@example.com'), ['email-change'])
})

t.test('a user creates an API key, stores it, and revokes it', async (t) => {
  const user = await aConfirmedUser()
  const { call } = await callerOf(app, user, 'admin')
  const page = await visitAs(user, '/account/security')
  await open(page, 'API keys')
  const none = page.locator('dialog').getByText('There are no API keys.', { exact: true })
  // The form before it has its buttons at its end, and covers nothing.
  await none.click({ trial: true, position: { x: 8, y: 4 }, timeout: 20_000 })
  await checkAccessibility(t, page, 'API keys')
  await write(page, 'What the key is for', 'Nightly report')
  await press(page, 'Create an API key')
  await shows(page, 'Store the new key now: it is shown only this once.')
  await press(page, 'I have stored the key')
  const keys = async () => (await call('GET', '/api/user/keys')).json().items
  t.match(await keys(), [{ name: 'Nightly report', state: 'active' }])
  await press(page, 'Revoke')
  await shows(page, 'Revoke “Nightly report”?')
  await press(page, 'Revoke')
  await isReported(page, '“Nightly report” is revoked.')
  t.match(await keys(), [{ name: 'Nightly report', state: 'revoked' }])
})
