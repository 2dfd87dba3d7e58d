import type { Page } from 'playwright-core'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { aUser } from '../support/app.ts'
import { confirmed } from '../support/mails.ts'
import { anAppFor, letProofsAge } from '../support/second-factors.ts'
import {
  isAt,
  isHomeOf,
  isReported,
  open,
  press,
  shows,
  startAccount,
  writeCode
} from './account-pages.ts'
import { checkAccessibility } from './axe.ts'
import { checkCookies, makeCookiesStrict, startProviders } from './provider-portal.ts'

const { apple, providersOf } = await startProviders(t)
const { app, base, visit, visitAs } = await startAccount(t, async (portal) => ({
  providers: await providersOf(portal)
}))
makeCookiesStrict(app)

/** On the page of the provider. */
const choose = (page: Page, name: string) => page.locator('button', { hasText: name }).click()

const providers = 'Accounts at providers'
const cookiesOf = (page: Page) => page.context().cookies(base)

t.test(
  'a user signs in with a provider of another site, and the session is there at once',
  async (t) => {
    const page = await visit('/account/sign-in?return=/account/sessions')
    await page.getByText('Continue with Acme').waitFor()
    await checkAccessibility(t, page, 'sign-in with providers')
    await press(page, 'Continue with Acme')
    await page.getByText('Nora Field').waitFor()
    await checkAccessibility(t, page, 'the page of the example provider')
    await choose(page, 'Nora Field')
    await isAt(page, '/account/sessions')
    await shows(page, 'This browser')
    checkCookies(t, await cookiesOf(page))
    await page.goto(`${base}/account`)
    await isHomeOf(page, 'nora.field@example.com')
  }
)

t.test('the example of development is on the same site, and works alike', async (t) => {
  const page = await visit('/account/sign-in')
  await press(page, 'Continue with Example')
  await choose(page, 'Lea Stone')
  await isAt(page, '/account')
  await isHomeOf(page, 'lea.stone@example.com')
  checkCookies(t, await cookiesOf(page))
})

t.test('a provider that posts its response signs in as well', async (t) => {
  apple.claims = { sub: 'one', email: 'posted@icloud.com', email_verified: 'true' }
  const page = await visit('/account/sign-in')
  await press(page, 'Continue with Apple')
  await isAt(page, '/account')
  await isHomeOf(page, 'posted@icloud.com')
  checkCookies(t, await cookiesOf(page))
})

t.test('what the provider refuses is said in words, once', async (t) => {
  const page = await visit('/account/sign-in')
  await press(page, 'Continue with Acme')
  await choose(page, 'Tom Rivers')
  await shows(page, 'The provider has not confirmed your e-mail address.')
  t.equal(new URL(page.url()).search, '', 'the address is clean')
  await press(page, 'Continue with Acme')
  await choose(page, 'Cancel')
  await shows(page, 'The provider did not sign you in')
  await page.reload()
  await page.getByText('Continue with Acme').waitFor()
  t.equal(await page.locator('[role=alert]').count(), 0)
})

t.test('a second factor is asked for after the provider', async (t) => {
  apple.claims = { sub: 'two', email: 'factor@icloud.com', email_verified: 'true' }
  const first = await visit('/account/sign-in')
  await press(first, 'Continue with Apple')
  await isHomeOf(first, 'factor@icloud.com')
  const [user] = await app.db.select().from(users).where(eq(users.email, 'factor@icloud.com'))
  if (!user) throw new Error('no user')
  const factor = await anAppFor(app, user)
  const page = await visit('/account/sign-in?return=/account/security')
  await press(page, 'Continue with Apple')
  await page.getByRole('heading', { name: 'Confirm your sign-in' }).waitFor()
  t.equal(
    (await page.context().cookies()).some(({ name }) => name === 'portal_session'),
    false
  )
  await writeCode(page, factor.code)
  await press(page, 'Continue')
  await isAt(page, '/account/security')
  checkCookies(t, await cookiesOf(page))
})

t.test('two tabs sign in at the same time', async (t) => {
  apple.claims = { sub: 'three', email: 'tabs@icloud.com', email_verified: 'true' }
  const one = await visit('/account/sign-in')
  const other = await one.context().newPage()
  await other.goto(`${base}/account/sign-in`)
  await press(one, 'Continue with Acme')
  await one.getByText('Nora Field').waitFor()
  await press(other, 'Continue with Acme')
  await other.getByText('Nora Field').waitFor()
  await choose(one, 'Nora Field')
  await isAt(one, '/account')
  await choose(other, 'Nora Field')
  await isAt(other, '/account')
  await isHomeOf(other, 'nora.field@example.com')
  await one.reload()
  await isHomeOf(one, 'nora.field@example.com')
  checkCookies(t, await cookiesOf(one))
})

t.test('a user links an account, signs in with it, and unlinks it', async (t) => {
  const user = await confirmed(app.database, await aUser(app.database))
  const page = await visitAs(user, '/account/security')
  await shows(page, 'No account at a provider is linked to yours.')
  await open(page, providers)
  await checkAccessibility(t, page, 'accounts to link')
  await press(page, 'Link Acme')
  await choose(page, 'Tom Rivers')
  await isReported(page, 'The account at Acme is linked.')
  t.equal(new URL(page.url()).search, '')
  await checkAccessibility(t, page, 'linked accounts')

  const again = await visit('/account/sign-in')
  await press(again, 'Continue with Acme')
  await choose(again, 'Tom Rivers')
  await isHomeOf(again, user.email)

  await again.goto(`${base}/account/security`)
  await open(again, providers)
  await press(again, 'Unlink')
  await press(again, 'Unlink')
  await isReported(again, 'The account at Acme is unlinked.')
  await shows(again, 'Link Acme')
})

t.test('a user without a password authenticates again with the provider', async (t) => {
  const page = await visit('/account/sign-in')
  await press(page, 'Continue with Acme')
  await choose(page, 'Nora Field')
  await isHomeOf(page, 'nora.field@example.com')
  const [user] = await app.db.select().from(users).where(eq(users.email, 'nora.field@example.com'))
  if (!user) throw new Error('no user')
  await letProofsAge(app, user)
  await page.goto(`${base}/account/security`)
  await open(page, providers)
  await press(page, 'Link Example')
  await shows(page, 'Then repeat the change')
  await checkAccessibility(t, page, 'authenticate again with a provider')
  await press(page, 'Sign in with Acme again')
  await choose(page, 'Nora Field')
  await isAt(page, '/account/security')
  await open(page, providers)
  await press(page, 'Link Example')
  await choose(page, 'Tom Rivers')
  await isReported(page, 'The account at Example is linked.')
})
