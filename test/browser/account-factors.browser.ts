import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import t from 'tap'
import { passkeys } from '../../db/schema/second-factors.ts'
import { aUser, password, until } from '../support/app.ts'
import { confirmed, mailsOf } from '../support/mails.ts'
import { anAppFor, codeOf, forgetCodes, letProofsAge } from '../support/second-factors.ts'
import {
  isHeaded,
  isReported,
  open,
  press,
  shows,
  signIn,
  startAccount,
  write,
  writeCode
} from './account-pages.ts'
import { addAuthenticator } from './authenticators.ts'
import { checkAccessibility } from './axe.ts'

const { app, base, visit, visitAs } = await startAccount(t)
const mails = mailsOf(app)
const aConfirmedUser = async (email?: string) =>
  confirmed(app.database, await aUser(app.database, email))

/** Answers the dialog that asks the user to authenticate again. */
async function prove(page: Page) {
  await page.locator('dialog [name=password]').waitFor()
  await write(page, 'Password', password)
  await press(page, 'Continue')
  await page.getByText('Confirm that it is you', { exact: true }).waitFor({ state: 'detached' })
}
const withPassword = 'Second factor after the password'
const codesOn = (page: Page) => page.locator('.codes code').allTextContents()
const isQrShown = (page: Page) =>
  until(() => page.locator('.qr').evaluate((image) => (image as HTMLImageElement).naturalWidth > 0))

/** Sets up an app in the view, and returns its secret once the recovery codes are shown. */
async function setUpApp(page: Page) {
  await isQrShown(page)
  const secret = (await page.textContent('dialog:has(.qr) code'))?.replaceAll(' ', '')
  await page.locator('[name=code]:focus').waitFor()
  await write(page, 'The six digits that the app shows', await codeOf(app.db, secret ?? ''))
  await press(page, 'Use this app')
  await isHeaded(page, 'Recovery codes')
  return secret ?? ''
}

t.test('a user sets up an app, keeps the recovery codes, and signs in with one', async (t) => {
  const user = await aConfirmedUser('grace@example.com')
  const page = await visitAs(user, '/account/security')
  await isHeaded(page, 'Security')
  await letProofsAge(app, user)
  await open(page, 'Authenticator app')
  await page.locator('dialog').waitFor()
  await checkAccessibility(t, page, 'dialog for a recent authentication')
  await press(page, 'Cancel')
  await shows(page, 'Nothing was changed: first confirm that it is you.')
  await open(page, 'Authenticator app')
  await prove(page)
  await isQrShown(page)
  await checkAccessibility(t, page, 'setting up an app')
  t.match(await page.getAttribute('.qr ~ p a', 'href'), /^otpauth:\/\/totp\//)
  await press(page, 'Cancel')
  await open(page, 'Authenticator app')
  await setUpApp(page)
  await checkAccessibility(t, page, 'recovery codes')
  const codes = await codesOn(page)
  t.equal(codes.length, 10)

  const printed = await page.evaluateHandle(() => {
    const pages: number[] = []
    window.print = () => pages.push(document.querySelectorAll('.codes li').length)
    return pages
  })
  await press(page, 'Print')
  t.same(await printed.jsonValue(), [10])
  await press(page, 'Copy')
  await shows(page, /Copied|did not allow/)
  await press(page, 'I have stored these codes')
  await shows(page, 'Recovery codes left: 10.')
  t.notMatch(await page.innerText('body'), codes[0], 'they are shown once')
  await shows(page, 'Signing in with the password also requires a second factor.')
  await checkAccessibility(t, page, 'security')
  await press(page, 'Sign out')
  await isHeaded(page, 'Sign in to see your security settings')
  await signIn(page, user.email)
  await shows(page, 'Code from your authenticator app')
  await press(page, 'Use a recovery code')
  await shows(page, 'ask the people who run this service to reset it')
  await write(page, 'Recovery code', codes[0]?.toLowerCase() ?? '')
  await press(page, 'Continue')
  await shows(page, 'Recovery codes left: 9.')

  await open(page, 'Recovery codes')
  await isHeaded(page, 'Recovery codes')
  t.notSame(await codesOn(page), codes)
  await press(page, 'I have stored these codes')
  await open(page, withPassword)
  await shows(page, 'Your password alone is enough to sign in.')
  await shows(page, /Second factor after the password\s+Off\n/)
  await open(page, withPassword)
  await shows(page, 'Signing in with the password also requires a second factor.')
  await shows(page, /Second factor after the password\s+On\n/)
  await open(page, 'Authenticator app')
  await press(page, 'Remove the app')
  await press(page, 'Remove the app')
  await shows(page, 'This is your last second factor')
  await press(page, 'Cancel')
  await press(page, 'Cancel')
  await open(page, withPassword)
  await shows(page, 'Your password alone is enough to sign in.')
  await open(page, 'Authenticator app')
  await press(page, 'Remove the app')
  await checkAccessibility(t, page, 'a question before a removal')
  await press(page, 'Remove the app')
  await shows(page, 'An app on your phone shows codes for signing in.')
  await isReported(page, 'The app is removed.')
})

t.test('an app is replaced by another one', async (t) => {
  const user = await aConfirmedUser()
  const phone = await anAppFor(app, user)
  const page = await visitAs(user, '/account/security')
  await writeCode(page, phone.code)
  await press(page, 'Continue')
  await open(page, 'Authenticator app')
  await shows(page, 'Your current app works until you confirm the new one.')
  await press(page, 'Replace the app')
  await press(page, 'Copy')
  await shows(page, /Copied|did not allow/)
  await press(page, 'Cancel')
  await open(page, 'Authenticator app')
  await press(page, 'Replace the app')
  const secret = await setUpApp(page)
  await press(page, 'I have stored these codes')
  await forgetCodes(app.db, user.id)
  await press(page, 'Sign out')
  await signIn(page, user.email)
  await writeCode(page, () => codeOf(app.db, secret))
  await press(page, 'Continue')
  await isHeaded(page, 'Security')
  t.equal((await mails.kindsTo(user.email)).at(-1), 'second-factor-added')
})

t.test('a user adds, renames and removes a passkey, and is offered it', async (t) => {
  const user = await aConfirmedUser()
  const page = await visit('/account/security')
  const device = await addAuthenticator(page)
  await signIn(page, user.email)
  await open(page, 'Passkeys')
  await shows(page, 'You have no passkeys.')
  await write(page, 'Name of the passkey', '<b>Laptop</b>')
  await press(page, 'Add a passkey')
  await shows(page, '<b>Laptop</b>')
  await shows(page, 'Your password alone is enough to sign in.')
  await press(page, 'Add a passkey')
  await shows(page, 'This device already has a passkey for your account.')
  await checkAccessibility(t, page, 'passkeys')
  await press(page, 'Rename')
  await write(page, 'Name of the passkey', 'Phone', '<b>Laptop</b>')
  await press(page, 'Save')
  await page.locator('li strong:text-is("Phone")').waitFor()
  await isReported(page, 'Saved.')

  await press(page, 'Close')
  // The browser offers it in the field, and the user takes it at once.
  await press(page, 'Sign out')
  await until(async () => {
    const [passkey] = await app.db.select().from(passkeys).where(eq(passkeys.userId, user.id))
    return passkey?.lastUsedAt
  })
  await isHeaded(page, 'Security')
  t.equal((await device.credentials()).length, 1)
  await open(page, 'Passkeys')
  await press(page, 'Remove')
  await press(page, 'Remove')
  await shows(page, 'You have no passkeys.')
  await isReported(page, 'The passkey “Phone” is removed.')
  await until(async () => (await device.credentials()).length === 0)
})

t.test('the device hears of a removal under the host name that the passkey had', async (t) => {
  const user = await aConfirmedUser()
  const page = await visit('/account/security')
  await addAuthenticator(page)
  await signIn(page, user.email)
  await open(page, 'Passkeys')
  await press(page, 'Add a passkey')
  await shows(page, 'Remove')
  await app.db.update(passkeys).set({ rpId: 'example.com' }).where(eq(passkeys.userId, user.id))
  await page.goto(`${base}/account/security`)
  await open(page, 'Passkeys')
  await shows(page, 'Remove')
  const accepted = await page.evaluateHandle(() => {
    const signals: object[] = []
    Object.assign(PublicKeyCredential, {
      signalAllAcceptedCredentials: async (signal: object) => signals.push(signal)
    })
    return signals
  })
  await press(page, 'Remove')
  await press(page, 'Remove')
  await shows(page, 'You have no passkeys.')
  t.match(await accepted.jsonValue(), [{ rpId: 'example.com', allAcceptedCredentialIds: [] }])
})
