import { eq } from 'drizzle-orm'
import t from 'tap'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { users } from '../../db/schema/users.ts'
import { aUser, callerOf } from '../support/app.ts'
import { confirmed, mailsOf } from '../support/mails.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { aPortal, link } from './linking.ts'

// What becomes of linked accounts when somebody proves the mailbox.

t.test('the first proof of a mailbox unlinks what a stranger has linked', async (t) => {
  const { app } = await aPortal(t)
  const mails = mailsOf(t, app)
  const victim = await aUser(app.database, 'nora.field@example.com')
  const stranger = aBrowser(app, (await callerOf(app, victim)).cookie)
  t.equal((await stranger.through('acme', 'lea', link)).problem, undefined)
  await stranger.call('POST', '/api/auth/recovery', { email: victim.email })
  const token = await mails.token(victim.email, 'recovery')
  const reset = { token, newPassword: 'a new and long password' }
  t.equal((await stranger.call('POST', '/api/auth/recovery/confirm', reset)).statusCode, 204)
  t.equal(await app.db.$count(providerAccounts), 0)
  t.match((await mails.newest(victim.email, 'password-changed')).text, /linked accounts/)
  const again = aBrowser(app)
  await again.through('acme', 'lea')
  t.not((await again.me())?.user.id, victim.id)
})

t.test('a recovery of a confirmed account keeps its provider accounts', async (t) => {
  const { app, caller } = await aPortal(t)
  const mails = mailsOf(t, app)
  const { user, browser } = await caller()
  await browser.through('acme', 'nora', link)
  await browser.call('POST', '/api/auth/recovery', { email: user.email })
  const token = await mails.token(user.email, 'recovery')
  const reset = { token, newPassword: 'a new and long password' }
  t.equal((await browser.call('POST', '/api/auth/recovery/confirm', reset)).statusCode, 204)
  t.equal(await app.db.$count(providerAccounts), 1)
})

t.test('the link in the notice unlinks what somebody with the password has linked', async (t) => {
  const { app, caller } = await aPortal(t)
  const mails = mailsOf(t, app)
  const { user, browser } = await caller()
  await browser.through('acme', 'lea', link)
  const token = await mails.token(user.email, 'provider-linked')
  const revert = { token, newPassword: 'a new and long password' }
  const done = await browser.call('POST', '/api/auth/factors/revert', revert)
  t.equal(done.statusCode, 204, done.body)
  t.equal(await app.db.$count(providerAccounts), 0)
})

t.test('a linked account of an address that is not confirmed waits where it must be', async (t) => {
  const { app } = await aPortal(t)
  const user = await confirmed(app.database, await aUser(app.database, 'nora.field@example.com'))
  const browser = aBrowser(app)
  await browser.through('acme', 'nora')
  await app.db.transaction((tx) =>
    tx.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, user.id))
  )
  if (app.services.mail) app.services.mail.verification = 'required'
  const again = aBrowser(app)
  t.equal((await again.through('acme', 'nora')).problem, 'email-unverified')
  t.equal(await again.me(), undefined)
})
