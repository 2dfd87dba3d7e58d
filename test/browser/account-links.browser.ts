import { eq } from 'drizzle-orm'
import t from 'tap'
import { pendingLogins } from '../../db/schema/sessions.ts'
import { tokens } from '../../db/schema/tokens.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { renderMail } from '../../src/domain/mail/letters.ts'
import { samples } from '../mail/samples.ts'
import { aUser, operator, password, until } from '../support/app.ts'
import { linkFor } from '../support/mail-links.ts'
import { confirmed } from '../support/mails.ts'
import { anAppFor, aRequiringRole, codeOf } from '../support/second-factors.ts'
import { linksIn, startAccountWithMail } from './account-mails.ts'
import {
  isAt,
  isHeaded,
  isHomeOf,
  isReported,
  open,
  press,
  send,
  shows,
  signIn,
  write,
  writeCode
} from './account-pages.ts'
import { addAuthenticator } from './authenticators.ts'
import { checkAccessibility } from './axe.ts'

const { app, base, mails, visit, visitAs, follow } = await startAccountWithMail(t)
const fresh = 'my own horse battery'

t.test('a user registers, confirms the address and gets to the app', async (t) => {
  const email = 'grace@example.com'
  const page = await visit('/account/sign-in?return=/account/sessions')
  await press(page, 'Create an account')
  await isAt(page, '/account/register?return=%2Faccount%2Fsessions')
  await isHeaded(page, 'Create an account at portal')
  await checkAccessibility(t, page, 'register')
  await write(page, 'Name', '<img src=x onerror=alert(1)>')
  await write(page, 'E-mail address', email)
  await send(page, 'Password', 'password', 'Create an account')
  await shows(page, 'common')
  await checkAccessibility(t, page, 'register, with a mistake')
  await send(page, 'Password', password, 'Create an account')
  await isHeaded(page, 'Check your mail')
  await shows(page, email)
  await press(page, 'Send it again')
  await isReported(page, 'It was sent again.')
  t.equal((await mails.kindsTo(email)).length, 2)
  await press(page, 'Use another address')
  t.equal(await page.inputValue('[name=email]'), email, 'to be corrected')

  await follow(t, page, email, 'confirm')
  await isHeaded(page, 'Confirm your address')
  await shows(page, new RegExp(`${email}\\s+The link works until`))
  await checkAccessibility(t, page, 'confirm')
  const again = page.getByText('create the account again to get another link')
  t.equal(await again.count(), 0, 'the link may work')
  await send(page, 'Password', 'not this password', 'Confirm address')
  await shows(page, 'The e-mail address or the password is wrong.')
  await send(page, 'Password', password, 'Confirm address')
  await isAt(page, '/account')
  await page.goto(`${base}/account`)
  await isHomeOf(page, email)
  await shows(page, /Second factor\s+Off/)
  await checkAccessibility(t, page, 'home')
  await page.goto(`${base}/account/confirm`)
  await isHeaded(page, 'This link does not work')
  await shows(page, 'The link is incomplete.')
  t.equal(await again.count(), 0, 'not for a user who is signed in')
  t.equal(await page.locator('main').getByRole('link').count(), 0)
  await press(page, 'Account')
  await isHomeOf(page, email)
  await page.goto(`${base}/account/profile`)
  await until(async () => /<img/.test(await page.inputValue('input')))
})

t.test('a user who has forgotten the password chooses a new one', async (t) => {
  const { email } = await confirmed(app.database, await aUser(app.database))
  const page = await visit('/account/sign-in')
  await press(page, 'Forgot password?')
  await isHeaded(page, 'Forgot your password?')
  await checkAccessibility(t, page, 'forgot')
  await send(page, 'E-mail address', email, 'Send the link')
  await shows(page, email)

  await follow(t, page, email, 'recovery')
  await isHeaded(page, 'Choose a new password')
  await shows(page, email)
  await checkAccessibility(t, page, 'reset')
  const another = page.getByRole('button', { name: 'Ask for a new link' })
  t.equal(await another.count(), 0, 'the link may work')
  await send(page, 'New password', 'password', 'Set the password')
  await shows(page, 'common')
  await send(page, 'New password', fresh, 'Set the password')
  await isHeaded(page, 'The password is set')
  await press(page, 'Sign in')
  await isHeaded(page, 'Sign in to portal')
  await signIn(page, email, fresh)
  await isAt(page, '/account')

  const [link = ''] = linksIn((await mails.newest(email, 'recovery')).text)
  await page.goto(link)
  await isHeaded(page, 'This link does not work')
  await shows(page, 'It was already used, has expired')
  await checkAccessibility(t, page, 'a link that does not work')
  t.equal(await page.locator('form').count(), 0, 'nothing that cannot work')
  await press(page, 'Ask for a new link')
  await isHeaded(page, 'Forgot your password?')
})

t.test('whoever is signed out signs in before they ask for another link', async (t) => {
  const page = await visit('/account/confirm-email')
  await isHeaded(page, 'This link does not work')
  t.equal(await page.getByText('Ask for a new link').count(), 0, 'this needs a session')
  await press(page, 'Sign in')
  await isAt(page, '/account/security')
})

t.test('a link can be followed where the browser blocks the storage of sites', async (t) => {
  const page = await visit('/account/sign-in')
  await page.addInitScript(() => {
    Object.defineProperty(window, 'sessionStorage', {
      get() {
        throw new DOMException('Access is denied.', 'SecurityError')
      }
    })
  })
  await page.goto(`${base}/account/reset?token=${'a'.repeat(43)}`)
  await isHeaded(page, 'This link does not work')
  t.equal(await page.evaluate(() => location.search), '', 'the token has left the address')
})

t.test('a link that would revoke keys offers nothing to a user without keys', async (t) => {
  const user = await aUser(app.database)
  const page = await visit('/account/sign-in')
  const link = await linkFor(app, 'key-revocation', user, user.email)
  await page.goto(`${base}/account/end-keys?token=${link}`)
  await isHeaded(page, 'Revoke all API keys')
  await shows(page, 'There are no API keys.')
  t.equal(await page.locator('form').count(), 0)
})

t.test('a link that stops working while it is open says so', async (t) => {
  const { id, email } = await confirmed(app.database, await aUser(app.database))
  const page = await visit('/account/sign-in')
  await app.inject({ method: 'POST', url: '/api/auth/recovery', payload: { email } })
  await follow(t, page, email, 'recovery')
  await write(page, 'New password', fresh)
  await app.db.delete(tokens).where(eq(tokens.userId, id))
  await press(page, 'Set the password')
  await isHeaded(page, 'This link does not work')
})

t.test('links between views keep where to return, also after a second step failed', async () => {
  const user = await aUser(app.database)
  const { code } = await anAppFor(app, user)
  const target = '/account/sessions?from=app'
  const search = `?return=${encodeURIComponent(target)}`
  const page = await visitAs(user, '/account/sign-in')
  await shows(page, 'Confirm your e-mail address first')
  const [link = ''] = linksIn((await mails.newest(user.email, 'confirm')).text)
  await page.goto(`${link}&${search.slice(1)}`)
  await send(page, 'Password', password, 'Confirm address')
  await isHeaded(page, 'Address confirmed')
  await page.locator('[name=code]').waitFor()
  await app.db.delete(pendingLogins).where(eq(pendingLogins.userId, user.id))
  await writeCode(page, code)
  await press(page, 'Continue')
  await shows(page, 'The sign-in has expired. Enter your password again.')
  await signIn(page, user.email)
  await writeCode(page, code)
  await press(page, 'Continue')
  await isAt(page, target)

  await page.goto(`${base}/account/sessions${search}`)
  for (const [label, path] of [
    ['Account', '/'],
    ['Security', '/security'],
    ['Profile', '/profile'],
    ['Your data', '/data'],
    ['Delete your account', '/delete']
  ] as const) {
    await press(page, label)
    await isAt(page, `/account${path}${search}`)
  }
  await page.goto(`${base}/account${search}`)
  await isHeaded(page, 'Your account')
  await open(page, 'Second factor')
  await isAt(page, `/account/security${search}`)
})

t.test('a user sets up the second factor that a role requires, with a link', async (t) => {
  const role = await aRequiringRole(app)
  for (const factor of ['app', 'passkey']) {
    const user = await confirmed(app.database, await aUser(app.database))
    await grantRole(app.db, operator, { userId: user.id, role })
    const page = await visitAs(user, '/account/security')
    await shows(page, `Your roles require a second factor: ${role}.`)
    await press(page, 'Send the link')
    await shows(page, `A link was sent to ${user.email}.`)
    await checkAccessibility(t, page, 'security, before the link')

    await addAuthenticator(page)
    await follow(t, page, user.email, 'factor-enrolment')
    await isHeaded(page, 'Set up a second factor')
    await checkAccessibility(t, page, 'enrol')
    if (factor === 'app') {
      await press(page, 'Set up an app')
      await page.locator('.qr').waitFor()
      const secret = (await page.textContent('code')) ?? ''
      await write(
        page,
        'The six digits that the app shows',
        await codeOf(app.db, secret.replaceAll(' ', ''))
      )
      await press(page, 'Use this app')
      await isHeaded(page, 'Recovery codes')
      await press(page, 'I have stored these codes')
    } else {
      await press(page, 'Add a passkey')
    }
    await isHeaded(page, 'The second factor is set up')
    await press(page, 'Security')
    await isHeaded(page, 'Security')
    // A passkey signs in by itself: an app is asked for after the password.
    const after =
      factor === 'app' ? 'also requires a second factor.' : 'alone is enough to sign in.'
    await shows(page, after)
    await page.goto(`${base}/account/enrol`)
    await isHeaded(page, 'The second factor is set up')
    await shows(page, 'you already have a second factor')
    const left = await app.db.select().from(tokens).where(eq(tokens.userId, user.id))
    t.same(
      left.map(({ purpose }) => purpose),
      ['factor-revert'], // of the mail about the new factor
      'the link is used up'
    )
  }
})

t.test(
  'the page of a link for a second factor says what it is for, and who needs none',
  async (t) => {
    const user = await confirmed(app.database, await aUser(app.database))
    const page = await visit('/account/enrol')
    await isHeaded(page, 'Sign in to set up your second factor')
    t.notMatch(await page.innerText('main'), 'Create an account', 'the link is for an account')
    await signIn(page, user.email)
    await isHeaded(page, 'Set up a second factor')
    await shows(page, 'You do not need a link for this')
    await press(page, 'Go to security')
    await isHeaded(page, 'Security')
  }
)

t.test('every link of every mail leads to a view', async (t) => {
  const texts = Object.values(samples).map(
    (content) => renderMail(content, 'ada@example.com', {}, app.mailSettings).text
  )
  const page = await visit('/account/not-found')
  for (const path of new Set(texts.flatMap(linksIn).map((link) => new URL(link).pathname))) {
    await page.goto(base + path)
    await page.locator('h1').waitFor()
    t.not(await page.textContent('h1'), 'Page not found', path)
  }
})
