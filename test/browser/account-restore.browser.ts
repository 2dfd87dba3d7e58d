import t from 'tap'
import { aUser, callerOf } from '../support/app.ts'
import { confirmed, mailsOf } from '../support/mails.ts'
import { plan, stateOf } from '../support/planned-deletions.ts'
import { linksIn } from './account-mails.ts'
import {
  isAt,
  isHeaded,
  isHomeOf,
  press,
  send,
  shows,
  signIn,
  startAccount
} from './account-pages.ts'
import { checkAccessibility } from './axe.ts'

const { app, visit, visitAs } = await startAccount(t, { DELETION_GRACE_DAYS: 14 })
const mails = mailsOf(app)
const aConfirmedUser = async () => confirmed(app.database, await aUser(app.database))
const restored = { status: 'active', deleteAt: null }

t.test('a user plans the deletion, and restores the account by signing in', async (t) => {
  const user = await aConfirmedUser()
  const page = await visitAs(user, '/account/delete')
  await isHeaded(page, 'Delete your account')
  await shows(page, 'In 14 days')
  await send(page, `Type ${user.email} to confirm`, user.email, 'Delete your account')
  await isHeaded(page, 'Your account will be deleted')
  const { deleteAt } = (await stateOf(app, user)) ?? {}
  await shows(page, String(deleteAt?.getFullYear()))
  await checkAccessibility(t, page, 'deletion planned')

  await press(page, 'Sign in')
  await signIn(page, user.email)
  await shows(page, 'You have asked to delete your account.')
  await checkAccessibility(t, page, 'sign-in to an account that will be deleted')
  await press(page, 'Back')
  await isHeaded(page, 'Sign in to portal')
  await signIn(page, user.email)
  await press(page, 'Restore the account and sign in')
  await isAt(page, '/account')
  t.same(await stateOf(app, user), restored)
})

t.test('the link of the mail leads to a button that restores', async (t) => {
  const user = await aConfirmedUser()
  await plan(await callerOf(app, user))
  const [link = ''] = linksIn((await mails.newest(user.email, 'deletion-planned')).text)
  const page = await visit('/account/sign-in')
  await page.goto(link)
  await isHeaded(page, 'Restore your account')
  await shows(page, user.email)
  const again = page.getByText('Until the account is deleted, sign in')
  t.equal(await again.count(), 0, 'a link that may work raises no doubt')
  t.equal(new URL(page.url()).search, '', 'the token is not in the address')
  await checkAccessibility(t, page, 'restore')
  t.match(await stateOf(app, user), { status: 'deactivated' })
  await press(page, 'Restore the account')
  await isHeaded(page, 'Your account is restored')
  t.same(await stateOf(app, user), restored)
  await page.goto(link)
  await isHeaded(page, 'This link does not work')
  await again.waitFor()
})

t.test('a user of another account restores the one that the mail went to', async (t) => {
  const [user, other] = [await aConfirmedUser(), await aConfirmedUser()]
  await plan(await callerOf(app, user))
  const [link = ''] = linksIn((await mails.newest(user.email, 'deletion-planned')).text)
  const page = await visitAs(other, '/account')
  await isHomeOf(page, other.email) // or the link would stop the sign-in
  await page.goto(link)
  await page
    .getByText(`You are signed in as ${other.email}. That account stays as it is.`)
    .waitFor()
  await page.getByRole('button', { name: 'Restore the account' }).click()
  await isHeaded(page, 'Your account is restored')
  t.same(await stateOf(app, user), restored)
})

t.test('a link that anybody can send tells nobody that an account will be deleted', async (t) => {
  const query = 'problem=deletion-pending&provider=acme&deleteAt=2030-01-01T00:00:00.000Z'
  const page = await visit(`/account/sign-in?${query}`)
  await isHeaded(page, 'Sign in to portal')
  t.notMatch(await page.locator('body').textContent(), /delete/)
  // A way through a provider leaves this cookie.
  await page.evaluate(() => (document.cookie = 'portal_led=deletion-pending; path=/'))
  await page.goto(new URL(`/account/sign-in?${query}`, page.url()).href)
  await shows(page, 'You have asked to delete your account.')
})
