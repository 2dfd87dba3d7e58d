import { eq } from 'drizzle-orm'
import t from 'tap'
import { recoveryCodes, totp } from '../../db/schema/second-factors.ts'
import { tokens } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import { createResetLink } from '../../src/domain/administration/operator-links.ts'
import { createLinkToken } from '../../src/domain/tokens/tokens.ts'
import { createPasskey } from '../support/authenticator.ts'
import { aCaller, activityOf, operator, ownApp, password } from '../support/app.ts'
import { startMailServer } from '../mail/server.ts'
import { confirmed } from '../support/mails.ts'
import { creationOptions, tryToAdd, withPasskey } from '../support/passkeys.ts'
import { codeOf } from '../support/second-factors.ts'
import { ownersPassword, takingBack } from '../support/ways-back.ts'

// Somebody registers with the address of another person, and adds a way to sign in.

const app = await ownApp(t)
const { newPasswordMail, post, rowOf, recover, byPasskey, byPassword, withApp } = takingBack(app)

t.test('where mail is delivered, no factor is added before the address is confirmed', async (t) => {
  const server = await startMailServer(t, { tls: 'none' })
  for (const verification of ['off', 'optional'] as const) {
    const live = await ownApp(t, {
      MAIL_URL: server.url,
      MAIL_FROM: 'portal@example.com',
      EMAIL_VERIFICATION: verification
    })
    const caller = await aCaller(live)
    const refused = { status: 403, code: 'email-unverified' }
    const begun = await caller.call('POST', '/api/user/totp')
    t.match(begun.json(), refused, verification)
    t.match(
      (await caller.call('POST', '/api/user/totp/confirm', { code: '000000' })).json(),
      refused
    )
    t.match((await caller.call('POST', '/api/user/passkeys/options')).json(), refused)

    await confirmed(live.database, caller.user)
    const { secret } = (await caller.call('POST', '/api/user/totp')).json()
    const { credential } = createPasskey(await creationOptions(caller))
    // A change of address whose request was under way does this.
    await live.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, caller.user.id))
    const code = await codeOf(live.db, secret)
    t.match((await caller.call('POST', '/api/user/totp/confirm', { code })).json(), refused)
    t.match((await caller.call('POST', '/api/user/passkeys', { credential })).json(), refused)

    await confirmed(live.database, caller.user)
    const added = await caller.call('POST', '/api/user/passkeys', { credential })
    t.equal(added.statusCode, 201, 'the refusal has not used up the challenge')
  }
})

t.test('in development, where mail is only shown, nothing needs to be confirmed', async (t) => {
  t.equal((await tryToAdd(await aCaller(app))).response.statusCode, 201)
})

t.test('the first recovery by mail removes factors that were added before', async (t) => {
  const stranger = await withPasskey(t, await aCaller(app))
  const { user } = stranger
  await withApp(stranger)
  t.match(await rowOf(user.id), { secondFactor: true, emailVerifiedAt: null })
  t.equal((await recover(user.email)).statusCode, 204)

  t.equal(await byPasskey(stranger.passkey), 401)
  t.equal(await byPassword(user), 200, 'and no code is asked for')
  t.match(await rowOf(user.id), { secondFactor: false, emailVerifiedAt: Date })
  for (const table of [totp, recoveryCodes]) {
    t.same(await app.db.select().from(table).where(eq(table.userId, user.id)), [])
  }
  const text = await newPasswordMail(user.email)
  t.match(text, /removed with it: authenticator app, passkeys, recovery codes/)
  const records = await activityOf(app.database, user.id)
  t.match(
    records.find(({ action }) => action === 'user.second-factor-reset'),
    { reason: 'unconfirmed', actorId: user.id }
  )
  t.equal(records.filter(({ action }) => action === 'user.second-factor-reset').length, 1)
})

t.test('an account whose address was confirmed before keeps its factors', async (t) => {
  const caller = await aCaller(app)
  await confirmed(app.database, caller.user)
  const owner = await withPasskey(t, caller)
  await app.db.delete(tokens).where(eq(tokens.userId, owner.user.id)) // as after 72 hours
  t.equal((await recover(owner.user.email)).statusCode, 204)
  t.equal(await byPasskey(owner.passkey), 200)
  const text = await newPasswordMail(owner.user.email)
  t.match(text, /still there: passkeys\./)
  t.notMatch(text, /removed with it|token=/)
})

t.test('a link of an operator proves no mailbox, and removes nothing', async (t) => {
  const owner = await withPasskey(t, await aCaller(app))
  const { token } = await createResetLink(app.db, operator, {
    userId: owner.user.id,
    expiresIn: 60
  })
  const answer = await post('/api/auth/recovery/confirm', { token, newPassword: ownersPassword })
  t.equal(answer.statusCode, 204)
  t.equal(await byPasskey(owner.passkey), 200)
  t.match(await rowOf(owner.user.id), { emailVerifiedAt: null, recoveredAt: null })
})

t.test('confirming with the password removes nothing: its user knew it all along', async (t) => {
  const owner = await withPasskey(t, await aCaller(app))
  const { id: userId, email } = owner.user
  const link = await app.db.transaction((tx) =>
    createLinkToken(tx, { purpose: 'confirm', owner: { userId }, email, expiresIn: 60 })
  )
  const answer = await post('/api/auth/confirm', { token: link?.token, password })
  t.equal(answer.statusCode, 200)
  t.match(await rowOf(userId), { emailVerifiedAt: Date })
  t.equal(await byPasskey(owner.passkey), 200)
})
