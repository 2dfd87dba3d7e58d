import { eq } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../../db/schema/sessions.ts'
import { changePassword } from '../../../src/domain/accounts/credentials.ts'
import { confirmEmail, requestVerification } from '../../../src/domain/accounts/emails.ts'
import { updateUser } from '../../../src/domain/administration/users.ts'
import { setPassword } from '../../../src/domain/administration/operator-links.ts'
import { revoke } from '../../../src/domain/sessions/sessions.ts'
import { actorOf } from '../../support/actors.ts'
import { aUser, freshEmail, operator, password, testDatabase } from '../../support/app.ts'
import { linksOn, newPassword } from './mailed-links.ts'

const database = await testDatabase(t)
const { db } = database
const { services, aToken, ofUser, revertLink, confirm, recover, revert, stateOf, purposesOf } =
  linksOn(database)
const isInvalid = { code: 'invalid-token' }

const setEmail = (id: string, email: string) =>
  updateUser(services, operator, { id, changes: { email } })

t.test('a session that has ended confirms nothing and asks for nothing', async (t) => {
  const user = await aUser(database)
  const actor = await actorOf(database, user)
  const token = await aToken('email-change', { userId: user.id }, freshEmail())
  // The session ends between the admission of a request and its transaction.
  await revoke(db, 'logout', eq(sessions.id, actor.sessionId))
  await t.rejects(confirmEmail(services, actor, { token }), { code: 'unauthenticated' })
  await t.rejects(requestVerification(services, actor, {}), { code: 'unauthenticated' })
  t.equal((await stateOf(user.id))?.email, user.email)
  t.same(await purposesOf(user.id), ['email-change'])
})

t.test('a new password ends the links that were asked for with the old one', async (t) => {
  const user = await aUser(database)
  const addLinks = async () => {
    for (const purpose of ['password-reset', 'email-change'] as const) await ofUser(purpose, user)
    await revertLink(user)
  }
  await addLinks()
  await setPassword(services, operator, { userId: user.id, password })
  t.same(await purposesOf(user.id), ['email-revert'], 'by an operator')
  const actor = await actorOf(database, user)
  await addLinks()
  await changePassword(services, actor, { currentPassword: password, newPassword })
  t.same(await purposesOf(user.id), ['email-revert', 'email-revert'], 'by the user')
})

t.test('an address that an operator sets cannot be reverted with an earlier link', async (t) => {
  const user = await aUser(database)
  const back = await revertLink({ id: user.id, email: freshEmail() })
  const email = freshEmail()
  await setEmail(user.id, email)
  await t.rejects(revert(back), isInvalid)
  t.equal((await stateOf(user.id))?.email, email)
})

t.test('a link that was sent to another address than the present one proves nothing', async (t) => {
  const user = await aUser(database)
  const other = { id: user.id, email: freshEmail() }
  await t.rejects(confirm(await ofUser('confirm', other)), isInvalid)
  await t.rejects(recover(await ofUser('password-reset', other)), isInvalid)
  t.match(await stateOf(user.id), { email: user.email, verifiedAt: null })
  // Another spelling of the address counts as equal.
  const same = { id: user.id, email: user.email.toUpperCase() }
  t.match(await confirm(await ofUser('confirm', same)), { user: { emailVerified: true } })
})
