import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { tokens } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import { activityOf, aUser, callerOf, password } from '../support/app.ts'
import { confirmed, mailsOf } from '../support/mails.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { aPortal, link } from './linking.ts'

// Linked accounts go or stay when somebody proves the mailbox or sets a new password.

type Mails = ReturnType<typeof mailsOf>

/** Sets a new password by mail, as the owner of the mailbox. */
async function recover(app: FastifyInstance, mails: Mails, { email }: { email: string }) {
  const browser = aBrowser(app)
  await browser.call('POST', '/api/auth/recovery', { email })
  const token = await mails.token(email, 'recovery')
  const reset = { token, newPassword: 'a new and long password' }
  t.equal((await browser.call('POST', '/api/auth/recovery/confirm', reset)).statusCode, 204)
}

t.test('the first proof of a mailbox unlinks what a stranger has linked', async (t) => {
  const { app } = await aPortal(t)
  const mails = mailsOf(app)
  const victim = await aUser(app.database, 'nora.field@example.com')
  const stranger = aBrowser(app, (await callerOf(app, victim)).cookie)
  t.equal((await stranger.through('acme', 'lea', link)).problem, undefined)
  await stranger.call('POST', '/api/auth/recovery', { email: victim.email })
  const token = await mails.token(victim.email, 'recovery')
  const reset = { token, newPassword: 'a new and long password' }
  t.equal((await stranger.call('POST', '/api/auth/recovery/confirm', reset)).statusCode, 204)
  t.equal(await app.db.$count(providerAccounts), 0)
  t.match(
    (await mails.newest(victim.email, 'password-changed')).text,
    /removed with it: account at\s+Acme\./
  )
  const again = aBrowser(app)
  await again.through('acme', 'lea')
  t.not((await again.me())?.user.id, victim.id)
})

t.test('a recovery unlinks what the password alone has linked in the last 72 hours', async (t) => {
  const { app, caller } = await aPortal(t)
  const mails = mailsOf(app)
  const { user, browser: thief } = await caller()
  await thief.through('acme', 'lea', link)
  await recover(app, mails, user)
  t.equal(await app.db.$count(providerAccounts), 0)
  const { text } = await mails.newest(user.email, 'password-changed')
  t.match(text, /removed with it: account at\s+Acme\./)
  t.notMatch(text, /still there|token=/)
  const records = await activityOf(app.database, user.id)
  t.match(
    records.find(({ action }) => action === 'user.provider-unlink'),
    { reason: 'recovery', details: { provider: 'acme' } }
  )
  const again = aBrowser(app)
  await again.through('acme', 'lea')
  t.not((await again.me())?.user.id, user.id)
})

t.test('a recovery keeps older provider accounts, and its mail names them', async (t) => {
  const { app, caller } = await aPortal(t)
  const mails = mailsOf(app)
  const { user, browser } = await caller()
  await browser.through('acme', 'nora', link)
  await app.db.delete(tokens).where(eq(tokens.userId, user.id)) // as after 72 hours
  await recover(app, mails, user)
  t.equal(await app.db.$count(providerAccounts), 1)
  const { text } = await mails.newest(user.email, 'password-changed')
  t.match(text, /still there: account at\s+Acme\./)
  t.notMatch(text, /removed with it|token=/)
})

t.test('the mail about a new password has the link that unlinks an account', async (t) => {
  const { app, caller } = await aPortal(t)
  const mails = mailsOf(app)
  const { user, call, browser: thief } = await caller()
  await thief.through('acme', 'lea', link)
  const newPassword = 'a new and long password'
  const changed = await call('PUT', '/api/user/password', {
    currentPassword: password,
    newPassword
  })
  t.equal(changed.statusCode, 204)
  t.match(
    (await mails.newest(user.email, 'password-changed')).text,
    /still there: account at\s+Acme\..*use this link/s
  )
  const token = await mails.token(user.email, 'password-changed')
  t.equal((await call('POST', '/api/auth/factors/revert', { token, newPassword })).statusCode, 204)
  t.equal(await app.db.$count(providerAccounts), 0)
})

t.test('the mail about a new browser says with what somebody signed in', async (t) => {
  const { app, caller } = await aPortal(t)
  const mails = mailsOf(app)
  const { user, browser } = await caller()
  await browser.through('acme', 'nora', link)
  const last = async () =>
    (await mails.newest(user.email, 'new-device')).text.replaceAll(/\s+/g, ' ')
  await aBrowser(app).through('acme', 'nora')
  t.match(await last(), /used an account at Acme\. .*unlink the account at Acme.*\/security/)
  await aBrowser(app).call('POST', '/api/auth/login', { email: user.email, password })
  t.match(await last(), /used the password\. .*change your password now.*\/sessions/)
})

t.test('the link in the notice unlinks what somebody with the password has linked', async (t) => {
  const { app, caller } = await aPortal(t)
  const mails = mailsOf(app)
  const { user, browser } = await caller()
  await browser.through('acme', 'lea', link)
  const token = await mails.token(user.email, 'provider-linked')
  const revert = { token, newPassword: 'a new and long password' }
  const done = await browser.call('POST', '/api/auth/factors/revert', revert)
  t.equal(done.statusCode, 204, done.body)
  t.equal(await app.db.$count(providerAccounts), 0)
})

t.test('a linked account of an address that is not confirmed waits where it must be', async (t) => {
  const { app } = await aPortal(t, { EMAIL_VERIFICATION: 'required' })
  const user = await confirmed(app.database, await aUser(app.database, 'nora.field@example.com'))
  const browser = aBrowser(app)
  await browser.through('acme', 'nora')
  await app.db.transaction((tx) =>
    tx.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, user.id))
  )
  const again = aBrowser(app)
  t.equal((await again.through('acme', 'nora')).problem, 'email-unverified')
  t.equal(await again.me(), undefined)
})
