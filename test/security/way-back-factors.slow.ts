import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { tokens } from '../../db/schema/tokens.ts'
import { updateUser } from '../../src/domain/administration/users.ts'
import { activityOf, freshEmail, operator, ownApp, signedIn } from '../support/app.ts'
import { passkeySignIn, withPasskey } from '../support/passkeys.ts'
import { forgetCodes, sessionsOf } from '../support/second-factors.ts'
import { ownersPassword, takingBack } from '../support/ways-back.ts'

// A thief knows the password of an account, and adds ways to sign in to it. The owner has the link
// in the mail about the first one.

const app = await ownApp(t, { ACCOUNT_URL: 'http://localhost:3000/app/account' })
const { mails, me, rowOf, firstLink, aVictim, withApp, move, ...way } = takingBack(app)
const invalid = { status: 400, code: 'invalid-token' }
const linkTo = async (address: string, kind: 'passkey-added' | 'second-factor-added') =>
  (await firstLink(address, kind)) ?? 'missing'

t.test('the link of a new passkey removes it, sets a password and ends sessions', async (t) => {
  const { user, cookie, thief } = await aVictim()
  const added = await withPasskey(t, thief)
  const { text } = await mails.newest(user.email, 'passkey-added')
  const token = await linkTo(user.email, 'passkey-added')
  t.match(text, `http://localhost:3000/app/account/revert-factors?token=${token}`)

  t.equal((await way.revertFactors(token)).statusCode, 204)
  t.same([await me(cookie), await me(added.cookie)], [401, 401])
  t.equal(await way.byPasskey(added.passkey), 401)
  t.equal(await way.byPassword(user), 200)
  t.match(await way.newPasswordMail(user.email), /removed with it: passkeys\./)
  const records = await activityOf(app.database, user.id)
  t.match(
    records.find(({ action }) => action === 'user.factor-revert'),
    { outcome: 'success', actorId: user.id, details: { revoked: 1 } }
  )
  t.match(
    records.find(({ action }) => action === 'user.second-factor-reset'),
    { reason: 'reverted' }
  )
  t.match((await way.revertFactors(token)).json(), invalid, 'once')
})

t.test('that of an app lets the owner in again without a code', async (t) => {
  const { user, thief } = await aVictim()
  await withApp(thief)
  t.equal((await way.recover(user.email)).statusCode, 204)
  t.equal(await way.byPassword(user), 202, 'a new password alone is not enough')
  const token = await linkTo(user.email, 'second-factor-added')
  t.equal((await way.revertFactors(token)).statusCode, 204)
  t.equal(await way.byPassword(user), 200)
  t.match(await rowOf(user.id), { secondFactor: false })
})

t.test('factors that were added with the new factor are removed with it', async (t) => {
  const { user, thief } = await aVictim()
  const first = await withPasskey(t, thief)
  const second = await withPasskey(t, first)
  const phone = await withApp(second)
  await forgetCodes(app.db, user.id)
  const replaced = await withApp(phone)
  t.equal((await replaced.call('POST', '/api/user/recovery-codes')).statusCode, 200)
  const required = { required: true }
  t.equal((await replaced.call('PUT', '/api/user/second-factor', required)).statusCode, 204)
  const mailed = await mails.to(user.email)
  t.equal(mailed.filter(({ text }) => text.includes('?token=')).length, 1, 'the first has a link')

  const token = await linkTo(user.email, 'passkey-added')
  t.equal((await way.revertFactors(token)).statusCode, 204)
  for (const { passkey } of [first, second]) t.equal(await way.byPasskey(passkey), 401)
  t.equal(await way.byPassword(user), 200)
})

t.test('factors that were added after the first one was removed are removed as well', async (t) => {
  const { user, thief } = await aVictim()
  const first = await withPasskey(t, thief)
  const token = await linkTo(user.email, 'passkey-added')
  t.equal((await first.call('DELETE', `/api/user/passkeys/${first.id}`)).statusCode, 204)
  const second = await withPasskey(t, await way.signedInAs(user))
  t.equal((await way.revertFactors(token)).statusCode, 204)
  t.equal(await way.byPasskey(second.passkey), 401)
  t.equal(await way.byPassword(user), 200)
})

t.test('of several links it does not matter which the owner uses', async (t) => {
  const { user, thief } = await aVictim()
  const first = await withPasskey(t, thief)
  const second = await withPasskey(t, await way.signedInAs(user))
  const token = await mails.token(user.email, 'passkey-added')
  t.not(token, await linkTo(user.email, 'passkey-added'))
  t.equal((await way.revertFactors(token)).statusCode, 204)
  for (const { passkey } of [first, second]) t.equal(await way.byPasskey(passkey), 401)
})

t.test('many additions do not push the first link out', async (t) => {
  const { user } = await aVictim()
  const first = await withPasskey(t, await way.signedInAs(user))
  const token = await linkTo(user.email, 'passkey-added')
  for (let i = 0; i < 5; i++) await withPasskey(t, await way.signedInAs(user))
  t.equal((await way.revertFactors(token)).statusCode, 204)
  t.equal(await way.byPasskey(first.passkey), 401)
})

t.test('the link also restores the address, if it was changed since', async (t) => {
  const { user, thief } = await aVictim()
  const added = await withPasskey(t, thief)
  const stolen = await move(added.cookie)
  const token = await linkTo(user.email, 'passkey-added')
  t.equal((await way.revertFactors(token)).statusCode, 204)
  t.match(await rowOf(user.id), { email: user.email, emailVerifiedAt: Date })
  t.equal(await way.byPassword(user), 200)
  t.equal(await way.byPasskey(added.passkey), 401)
  t.same(await mails.kindsTo(stolen), ['email-change'])
  const other = (await firstLink(user.email, 'email-changed')) ?? ''
  t.match((await way.revertEmail(other)).json(), invalid, 'used with it')
})

t.test('a factor that was added with two others proved has no link', async (t) => {
  const { user } = await aVictim()
  const owner = await withPasskey(t, await way.signedInAs(user))
  await way.forgetLinks(user)
  const before = await mails.to(user.email)
  const passkeySession = await passkeySignIn(app, owner.passkey)
  const [cookie = ''] = String(passkeySession.headers['set-cookie']).split(';')
  await withPasskey(t, { cookie, call: sessionsOf(app).callerWith(cookie) })
  const added = (await mails.to(user.email)).slice(before.length)
  t.ok(added.some(({ kind }) => kind === 'passkey-added'))
  t.notOk(added.some(({ text }) => text.includes('?token=')))
  t.equal((await way.recover(user.email)).statusCode, 204)
  t.notMatch(await way.newPasswordMail(user.email), /token=/)
})

t.test('an older factor stays, and the password alone is enough again', async (t) => {
  const { user } = await aVictim()
  const owner = await withPasskey(t, await way.signedInAs(user))
  await way.forgetLinks(user)
  const phone = await withApp(await way.signedInAs(user))
  const token = await linkTo(user.email, 'second-factor-added')
  t.equal((await way.revertFactors(token)).statusCode, 204)
  t.equal(await way.byPasskey(owner.passkey), 200)
  t.equal(await way.byPassword(user), 200, 'as before the thief')
  t.equal(await me(phone.cookie), 401)
})

t.test('the mail about a recovery has the link again', async (t) => {
  const { user, thief } = await aVictim()
  const added = await withPasskey(t, thief)
  t.equal((await way.recover(user.email)).statusCode, 204)
  t.equal(await way.byPasskey(added.passkey), 200, 'a new password does not remove it')
  t.match(await way.newPasswordMail(user.email), /still there: passkeys\..* use this link/)
  const again = await mails.token(user.email, 'password-changed')
  const token = await linkTo(user.email, 'passkey-added')
  t.not(again, token)
  const expiry = await app.db
    .select({ at: tokens.createdAt, until: tokens.expiresAt })
    .from(tokens)
    .where(eq(tokens.userId, user.id))
  t.equal(expiry.length, 2)
  t.same(expiry[0], expiry[1], 'it is not valid for longer')
  t.equal((await way.revertFactors(again)).statusCode, 204)
  t.equal(await way.byPasskey(added.passkey), 401)
  t.match((await way.revertFactors(token)).json(), invalid)
  t.notMatch(await way.newPasswordMail(user.email), /token=/)
})

t.test('after 72 hours the factor is established, and the link is not valid', async (t) => {
  const { user, thief } = await aVictim()
  const added = await withPasskey(t, thief)
  const token = await linkTo(user.email, 'passkey-added')
  const ofUser = eq(tokens.userId, user.id)
  const [row] = await app.db
    .select({ hours: sql`extract(epoch from expires_at - now())::float8 / 3600`.mapWith(Number) })
    .from(tokens)
    .where(ofUser)
  t.ok(Number(row?.hours) > 71.9 && Number(row?.hours) <= 72, `${row?.hours} hours`)
  await app.db
    .update(tokens)
    .set({ expiresAt: sql`now() - interval '1 millisecond'` })
    .where(ofUser)
  t.match((await way.revertFactors(token)).json(), invalid)
  t.equal((await way.recover(user.email)).statusCode, 204)
  t.notMatch(await way.newPasswordMail(user.email), /token=/)
  t.equal(await way.byPasskey(added.passkey), 200)
})

t.test('an unacceptable password leaves the link valid', async (t) => {
  const { user, thief } = await aVictim()
  await withPasskey(t, thief)
  const token = await linkTo(user.email, 'passkey-added')
  const refused = await way.post('/api/auth/factors/revert', { token, newPassword: 'short' })
  t.match(refused.json().errors, [{ pointer: '/newPassword', code: 'too-short' }])
  t.equal((await way.revertFactors(token)).statusCode, 204)
})

t.test('a link of one kind is not accepted for another', async (t) => {
  const { user, thief } = await aVictim()
  await withPasskey(t, thief)
  const token = await linkTo(user.email, 'passkey-added')
  t.match((await way.revertEmail(token)).json(), invalid)
  const body = { token, newPassword: ownersPassword }
  t.match((await way.post('/api/auth/recovery/confirm', body)).json(), invalid)
  t.equal((await way.revertFactors(token)).statusCode, 204)
})

t.test('an operator who moves an account ends the links of the mailbox before', async (t) => {
  const { user, thief } = await aVictim()
  await withPasskey(t, thief)
  const email = freshEmail()
  await updateUser(app.context, operator, { id: user.id, changes: { email } })
  const token = await linkTo(user.email, 'passkey-added')
  t.match((await way.revertFactors(token)).json(), invalid)
  t.match(await rowOf(user.id), { email })
})

t.test('of uses at once, also with other links, one succeeds', async (t) => {
  const { user, thief } = await aVictim()
  const added = await withPasskey(t, thief)
  await move(added.cookie)
  const token = await linkTo(user.email, 'passkey-added')
  const other = (await firstLink(user.email, 'email-changed')) ?? ''
  const answers = await Promise.all([
    way.revertFactors(token),
    way.revertEmail(other),
    way.revertFactors(token),
    way.revertEmail(other)
  ])
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [204, 400, 400, 400])
  t.match(await rowOf(user.id), { email: user.email })
  t.equal(await signedIn(app, user.email, {}, ownersPassword).then(me), 200)
})
