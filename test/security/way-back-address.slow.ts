import t from 'tap'
import { activityOf, password, ownApp } from '../support/app.ts'
import { provePasskey, withPasskey } from '../support/passkeys.ts'
import { forgetCodes, letProofsAge } from '../support/second-factors.ts'
import { ownersPassword, takingBack } from '../support/ways-back.ts'

// A thief changes the address of an account and adds ways to sign in. The owner has the link in the
// mail to the old address.

const app = await ownApp(t)
const { login, me, rowOf, firstLink, aVictim, withApp, move, ...way } = takingBack(app)
const linkTo = async (address: string) => (await firstLink(address, 'email-changed')) ?? ''

t.test('a passkey that was added since the change ends with the link', async (t) => {
  const { user, thief } = await aVictim()
  await move(thief.cookie, password)
  const added = await withPasskey(t, thief)
  t.equal((await way.revertEmail(await linkTo(user.email))).statusCode, 204)
  t.equal(await way.byPasskey(added.passkey), 401)
  t.equal(await me(added.cookie), 401)
  t.equal(await way.byPassword(user), 200)
  const text = await way.newPasswordMail(user.email)
  t.match(text, /removed with it: passkeys\./)
  t.match(
    (await activityOf(app.database, user.id)).find(
      ({ action }) => action === 'user.second-factor-reset'
    ),
    { reason: 'reverted', actorId: user.id }
  )
})

t.test('so does an app, with the recovery codes and the need for a second factor', async (t) => {
  const { user, thief } = await aVictim()
  await move(thief.cookie, password)
  const { recoveryCodes } = await withApp(thief)
  t.equal(recoveryCodes.length, 10)
  t.equal((await way.revertEmail(await linkTo(user.email))).statusCode, 204)
  t.equal(await way.byPassword(user), 200, 'not 202: no code is asked for')
  t.match(await rowOf(user.id), { secondFactor: false })
})

t.test('and everything that was added before the change with the password alone', async (t) => {
  const { user, thief } = await aVictim()
  const first = await withPasskey(t, thief)
  const second = await withPasskey(t, first)
  await move(second.cookie)
  const third = await withPasskey(t, second)
  t.equal((await way.revertEmail(await linkTo(user.email))).statusCode, 204)
  for (const { passkey } of [first, second, third]) t.equal(await way.byPasskey(passkey), 401)
  t.match(await rowOf(user.id), { email: user.email })
  const rest = await firstLink(user.email, 'passkey-added')
  t.match((await way.revertFactors(rest ?? '')).json(), { code: 'invalid-token' }, 'used with it')
})

t.test('an older factor stays, and the mail says so', async (t) => {
  const { user } = await aVictim()
  const owner = await withPasskey(t, await way.signedInAs(user))
  await way.forgetLinks(user)
  const thief = await way.signedInAs(user)
  await move(thief.cookie, password)
  const added = await withPasskey(t, thief)
  t.equal((await way.revertEmail(await linkTo(user.email))).statusCode, 204)
  t.same([await way.byPasskey(added.passkey), await way.byPasskey(owner.passkey)], [401, 200])
  const text = await way.newPasswordMail(user.email)
  t.match(text, /removed with it: passkeys\./)
  t.match(text, /still there: passkeys\./)
})

t.test('an app that the thief has put in the place of the older one goes', async (t) => {
  const { user } = await aVictim()
  const owner = await withApp(await way.signedInAs(user))
  await way.forgetLinks(user)
  // With a copied cookie of a session that has just proved both.
  await move(owner.cookie)
  await forgetCodes(app.db, user.id)
  await withApp(owner)
  t.equal((await way.revertEmail(await linkTo(user.email))).statusCode, 204)
  t.equal(await way.byPassword(user), 200)
  t.match(await rowOf(user.id), { secondFactor: false })
})

t.test('recovery codes that the thief has renewed go, and the older app stays', async (t) => {
  const { user } = await aVictim()
  const owner = await withApp(await way.signedInAs(user))
  await way.forgetLinks(user)
  await move(owner.cookie)
  const renewed = await owner.call('POST', '/api/user/recovery-codes')
  t.equal(renewed.statusCode, 200)
  t.equal((await way.revertEmail(await linkTo(user.email))).statusCode, 204)
  t.equal(await way.byPassword(user), 202, 'the app is still needed')
  t.equal(await login(user.email, ownersPassword), 202)
  const text = await way.newPasswordMail(user.email)
  t.match(text, /removed with it: recovery codes\./)
  t.match(text, /still there: authenticator app\./)
})

t.test('codes of the owner stay with an app that stays', async (t) => {
  const { user } = await aVictim()
  const owner = await withApp(await way.signedInAs(user))
  await way.forgetLinks(user)
  await move(owner.cookie)
  t.equal((await way.revertEmail(await linkTo(user.email))).statusCode, 204)
  const text = await way.newPasswordMail(user.email)
  t.match(text, /still there: authenticator app, recovery codes\./)
})

t.test('links of notices to the address of the thief end with it', async (t) => {
  const { user, thief } = await aVictim()
  const stolen = await move(thief.cookie, password)
  await withPasskey(t, thief)
  const own = await firstLink(stolen, 'passkey-added')
  t.type(own, 'string')
  t.equal((await way.revertEmail(await linkTo(user.email))).statusCode, 204)
  t.match((await way.revertFactors(own ?? '')).json(), { code: 'invalid-token' })
  t.match(await rowOf(user.id), { email: user.email })
})

t.test('with the link of such a notice, a thief does not end that of the owner', async (t) => {
  const { user, thief } = await aVictim()
  const stolen = await move(thief.cookie, password)
  await withPasskey(t, thief)
  const own = await firstLink(stolen, 'passkey-added')
  t.equal((await way.revertFactors(own ?? '')).statusCode, 204)
  t.match(await rowOf(user.id), { email: stolen })
  t.equal((await way.revertEmail(await linkTo(user.email))).statusCode, 204)
  t.match(await rowOf(user.id), { email: user.email })
})

t.test('a session that was proved again with such a passkey ends as well', async (t) => {
  const { user, thief } = await aVictim()
  await move(thief.cookie, password)
  const added = await withPasskey(t, thief)
  await letProofsAge(app, user)
  const proved = await provePasskey(added, added.passkey)
  t.equal(proved.statusCode, 200)
  t.equal((await way.revertEmail(await linkTo(user.email))).statusCode, 204)
  t.equal((await added.call('GET', '/api/auth/me')).statusCode, 401)
})
