import t from 'tap'
import { listScopesOf } from '../../src/domain/scopes/list.ts'
import { aUser, freshEmail, newCaller, password } from '../support/app.ts'
import { confirmed } from '../support/mails.ts'
import { aScopedRole, freshScope, granted } from '../support/scopes.ts'
import { startAccountWithMail } from './account-mails.ts'
import {
  field,
  isAt,
  isHeaded,
  isReported,
  press,
  send,
  shows,
  signIn,
  write
} from './account-pages.ts'
import { checkAccessibility } from './axe.ts'

const { app, base, visit, visitAs, follow } = await startAccountWithMail(t)
const role = await aScopedRole(app.database, 'members:manage')
const scope = freshScope()
const boss = await newCaller(app, { roles: [], confirmed: true })
await granted(app.database, boss.user, scope, role)
const invite = async (email: string) => {
  const sent = await boss.call('POST', `/api/scopes/${scope}/invitations`, { email, role })
  t.equal(sent.statusCode, 201)
}

t.test('somebody who is invited signs in, accepts, and leaves again', async (t) => {
  const user = await confirmed(app.database, await aUser(app.database))
  await invite(user.email)
  const page = await visit('/account/sign-in')
  await follow(t, page, user.email, 'scope-invitation')
  await isHeaded(page, 'Invitation')
  await shows(page, user.email)
  await shows(page, `${boss.user.email} invites you to ${scope}, with the role A role.`)
  await checkAccessibility(t, page, 'invitation, signed out')
  await signIn(page, user.email)
  await page.getByRole('button', { name: 'Accept the invitation' }).waitFor()
  await checkAccessibility(t, page, 'invitation')
  t.same(await listScopesOf(app.db, user.id), [], 'opening the link does nothing')
  await press(page, 'Accept the invitation')
  await isHeaded(page, 'The invitation is accepted')
  t.same(await listScopesOf(app.db, user.id), [{ scope, roles: [role] }])

  await page.goto(`${base}/account`)
  await press(page, 'Memberships')
  await isHeaded(page, 'Memberships')
  await shows(page, 'Your teams and projects in portal')
  await shows(page, scope)
  await checkAccessibility(t, page, 'memberships')
  await press(page, 'Leave')
  await shows(page, `Leave ${scope}?`)
  await press(page, 'Leave')
  await isReported(page, `You have left ${scope}.`)
  t.same(await listScopesOf(app.db, user.id), [])
})

t.test('somebody without an account creates one for the invitation', async (t) => {
  const email = freshEmail()
  await invite(email)
  const page = await visit('/account/sign-in')
  await follow(t, page, email, 'scope-invitation')
  await press(page, 'Create an account')
  await shows(page, email)
  await checkAccessibility(t, page, 'invitation, new account')
  await write(page, 'Name', 'Zoë')
  await send(page, 'Password', password, 'Create an account')
  await isAt(page, '/account')
  await page.goto(`${base}/account/memberships`)
  await shows(page, scope)
})

t.test('another account learns that the invitation is not for it', async (t) => {
  const stranger = await confirmed(app.database, await aUser(app.database))
  const email = freshEmail()
  await invite(email)
  const page = await visitAs(stranger, '/account')
  await isHeaded(page, 'Your account')
  await follow(t, page, email, 'scope-invitation')
  await shows(page, `The link is for ${email}, and you are signed in as ${stranger.email}.`)
  t.equal(await page.getByRole('button', { name: 'Accept the invitation' }).count(), 0)
  await checkAccessibility(t, page, 'invitation of another account')
  t.equal(await page.getByRole('link', { name: 'Memberships' }).count(), 0, 'nor a menu of none')
  await press(page, 'Sign out')
  await field(page, 'Password').waitFor()
  t.equal(await field(page, 'E-mail address').inputValue(), email, 'whose invitation it is')
})
