import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { bumpUsers } from '../../src/domain/freshness/epochs.ts'
import { aUser, callerOf, freshEmail, password } from '../support/app.ts'
import { aConfirmedCaller, confirmed } from '../support/mails.ts'
import { enrol } from '../support/second-factors.ts'
import { startAccountWithMail } from './account-mails.ts'
import {
  isAt,
  isHeaded,
  isReported,
  open,
  press,
  send,
  shows,
  signIn,
  write
} from './account-pages.ts'
import { checkAccessibility } from './axe.ts'

const { app, visit, visitAs, follow } = await startAccountWithMail(t)
const fresh = 'my own horse battery'

t.test('a user changes the address, and the owner of the old one takes it back', async (t) => {
  const { email } = await confirmed(app.database, await aUser(app.database))
  const next = freshEmail()
  const page = await visitAs({ email }, '/account/security')
  await open(page, 'E-mail address')
  await send(page, 'New e-mail address', next, 'Change address')
  await shows(page, `To use ${next}, open the link that was sent to it.`)

  await page.context().clearCookies()
  await follow(t, page, next, 'email-change')
  await isHeaded(page, 'Confirm your address')
  await shows(page, next)
  t.equal(await page.getByText(email).count(), 0, 'the owner of the mailbox may be a stranger')
  await signIn(page, email)
  await shows(page, `in place of ${email}.`)
  await checkAccessibility(t, page, 'confirm-email')
  await press(page, 'Confirm address')
  await shows(page, `The address of your account is ${next}.`)

  const other = await visit('/account/not-found')
  await follow(t, other, email, 'email-changed')
  await isHeaded(other, 'Take your account back')
  await checkAccessibility(t, other, 'revert')
  await send(other, 'New password', fresh, 'Take the account back')
  await isHeaded(other, 'Your account is yours again')
  await press(other, 'Sign in')
  await signIn(other, email, fresh)
  await isAt(other, '/account')
})

t.test('the owner takes the account back after somebody set up an app', async (t) => {
  const { user, call } = await aConfirmedCaller(app)
  await enrol(app, call)
  const page = await visit('/account/not-found')
  await follow(t, page, user.email, 'second-factor-added')
  await isHeaded(page, 'Take your account back')
  await checkAccessibility(t, page, 'revert-factors')
  await send(page, 'New password', fresh, 'Take the account back')
  await isHeaded(page, 'Your account is yours again')
  await press(page, 'Sign in')
  await signIn(page, user.email, fresh)
  await isAt(page, '/account')
})

t.test('a link works for another user than the one who opens it', async (t) => {
  const someone = async () => confirmed(app.database, await aUser(app.database))
  const [one, two, owner] = [await someone(), await someone(), await someone()]
  const next = freshEmail()
  const other = await visitAs(owner, '/account/security')
  await open(other, 'E-mail address')
  await send(other, 'New e-mail address', next, 'Change address')
  await shows(other, `To use ${next}, open the link that was sent to it.`)
  const page = await visitAs(one, '/account')
  await shows(page, one.email)
  await follow(t, page, next, 'email-change')
  await shows(page, `you are signed in as ${one.email}.`)
  await press(page, 'Sign out')
  await signIn(page, two.email)
  await shows(page, `you are signed in as ${two.email}.`)
  await press(page, 'Sign out')
  await signIn(page, owner.email)
  await shows(page, `in place of ${owner.email}.`)

  const elsewhere = await callerOf(app, owner)
  t.equal((await elsewhere.call('DELETE', '/api/user/sessions')).statusCode, 204)
  await press(page, 'Confirm address')
  await shows(page, 'Your session has ended')
  await write(page, 'E-mail address', owner.email)
  await send(page, 'Password', password, 'Sign in')
  await shows(page, `in place of ${owner.email}.`)
  await press(page, 'Confirm address')
  await shows(page, `The address of your account is ${next}.`)
  t.equal(await page.evaluate(() => sessionStorage.length), 0)
})

t.test('a user confirms the present address', async (t) => {
  const user = await confirmed(app.database, await aUser(app.database))
  const page = await visitAs(user, '/account/sessions')
  await isHeaded(page, 'Sessions')
  await app.db.transaction(async (tx) => {
    await tx.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, user.id))
    await bumpUsers(tx, user.id) // as every change does
  })
  await press(page, 'Account')
  await shows(page, /E-mail address\s+Not confirmed/)
  await press(page, 'Confirm now')
  await shows(page, `A link was sent to ${user.email}.`)
  await follow(t, page, user.email, 'email-verify')
  await shows(page, 'You confirm that this is the address of your account.')
  await press(page, 'Confirm address')
  await isHeaded(page, 'Address confirmed')
  await shows(page, `The address of your account is ${user.email}.`)
  await page.goto(page.url())
  await shows(page, 'The link is incomplete.')
  await press(page, 'Ask for a new link')
  await isAt(page, '/account/security')
})

t.test('a user cancels a change of the address, whose link is then of no use', async (t) => {
  const { email } = await confirmed(app.database, await aUser(app.database))
  const next = freshEmail()
  const page = await visitAs({ email }, '/account/security')
  await open(page, 'E-mail address')
  await send(page, 'New e-mail address', next, 'Change address')
  await isReported(page, `A link was sent to ${next}.`)
  t.equal(await page.getByText('Saved.').count(), 0, 'the address is not in force')
  await checkAccessibility(t, page, 'an address that is not confirmed yet')
  await press(page, 'Account')
  const pending = `To use ${next}, open the link that was sent to it.`
  await shows(page, new RegExp(`${email}\\s+${pending}`))
  await press(page, 'Cancel the change')
  await isReported(page, `The change is cancelled. Your address stays ${email}.`)
  await follow(t, page, next, 'email-change')
  await isHeaded(page, 'This link does not work')
})
