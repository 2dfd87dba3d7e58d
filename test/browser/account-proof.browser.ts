import t from 'tap'
import { aUser, password, until } from '../support/app.ts'
import { confirmed } from '../support/mails.ts'
import { anAppFor, letProofsAge } from '../support/second-factors.ts'
import { isHeaded, open, press, shows, startAccount, write, writeCode } from './account-pages.ts'
import { checkAccessibility } from './axe.ts'
import type { Page } from 'playwright-core'

// The dialog that asks the user to authenticate again.

const { app, visitAs } = await startAccount(t)
const aConfirmedUser = async () => confirmed(app.database, await aUser(app.database))
const hasField = async (page: Page, name: string) =>
  (await page.locator(`dialog [name=${name}]`).count()) > 0

t.test('a user with an app may use the password where it is enough', async (t) => {
  const user = await aConfirmedUser()
  await anAppFor(app, user, { secondFactor: false })
  const page = await visitAs(user, '/account/security')
  await isHeaded(page, 'Security')
  await letProofsAge(app, user)
  await open(page, 'Authenticator app')
  await press(page, 'Replace the app')
  await until(() => hasField(page, 'code'))
  await press(page, 'Use the password')
  await until(() => hasField(page, 'password'))
  await checkAccessibility(t, page, 'dialog with two ways')
  await press(page, 'Use the authenticator app')
  await until(() => hasField(page, 'code'))
  await press(page, 'Use the password')
  await write(page, 'Password', password)
  await press(page, 'Continue')
  await shows(page, 'The six digits that the app shows')
})

t.test('a password that is no longer enough gives way to a code', async (t) => {
  const user = await aConfirmedUser()
  const page = await visitAs(user, '/account/security')
  await isHeaded(page, 'Security')
  await letProofsAge(app, user)
  await open(page, 'Authenticator app')
  await until(() => hasField(page, 'password'))
  const phone = await anAppFor(app, user)
  await write(page, 'Password', password)
  await press(page, 'Continue')
  await until(() => hasField(page, 'code'))
  t.equal(await hasField(page, 'password'), false)
  await writeCode(page, phone.code)
  await press(page, 'Continue')
  await shows(page, 'The six digits that the app shows')
  t.equal(await page.getByLabel('Code from your authenticator app', { exact: true }).count(), 0)
})
