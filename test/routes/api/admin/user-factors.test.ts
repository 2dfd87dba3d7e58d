import { eq } from 'drizzle-orm'
import t from 'tap'
import { recoveryCodes, totp } from '../../../../db/schema/second-factors.ts'
import { aCaller, activityOf, aRole, testApp } from '../../../support/app.ts'
import { mailsOf } from '../../../support/mails.ts'
import { withPasskey } from '../../../support/passkeys.ts'
import {
  anAppFor,
  aPendingLogin,
  aUserWithApp,
  signedInWithCode,
  verify
} from '../../../support/second-factors.ts'
import { clientOf } from '../../../support/requests.ts'

const app = await testApp(t)
const mails = mailsOf(app)
const { me, rowOf } = clientOf(app)
const admin = await aCaller(app, 'admin')
const factorsOf = async ({ id }: { id: string }) =>
  (await admin.call('GET', `/api/admin/users/${id}/factors`)).json()
const remove = ({ id }: { id: string }, factor: string, by = admin) =>
  by.call('DELETE', `/api/admin/users/${id}/factors/${factor}`)
const unknownId = '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'
const newest = async ({ id }: { id: string }, action: string) =>
  (await activityOf(app.database, id)).find((record) => record.action === action)

/** A user with an authenticator app, ten recovery codes and a passkey. */
const anEquippedUser = async () => withPasskey(t, await aUserWithApp(app), {}, { name: 'Laptop' })

t.test('the factors of a user are listed with their ages and last uses', async (t) => {
  const { user, id } = await anEquippedUser()
  const before = await factorsOf(user)
  t.match(before, {
    secondFactor: true,
    requiredByRoles: [],
    totp: { createdAt: /^20/, lastUsedAt: null },
    passkeys: [{ id, name: 'Laptop', rpId: 'localhost', createdAt: /^20/, lastUsedAt: null }],
    recoveryCodes: { left: 10, createdAt: /^20/, lastUsedAt: null }
  })
  t.notOk('credentialId' in before.passkeys[0])
})

t.test('a code and a recovery code are shown as used at the time of their use', async (t) => {
  const { user, code, recoveryCodes: codes } = await aUserWithApp(app)
  const login = async () => aPendingLogin(app.db, user)
  await verify(app, await login(), { code: await code() })
  await verify(app, await login(), { recoveryCode: codes[0] })
  const found = await factorsOf(user)
  const [row] = await app.db.select().from(totp).where(eq(totp.userId, user.id))
  t.ok(found.totp.lastUsedAt >= found.totp.createdAt)
  t.ok(Math.abs(Date.parse(found.totp.lastUsedAt) - Number(row?.lastStep) * 30_000) <= 60_000)
  t.equal(found.recoveryCodes.left, 9)
  t.ok(found.recoveryCodes.lastUsedAt >= found.recoveryCodes.createdAt)
})

t.test('a user without second factors has none, and an unknown one is not found', async (t) => {
  const { user } = await aCaller(app)
  t.same(await factorsOf(user), {
    secondFactor: false,
    requiredByRoles: [],
    totp: null,
    passkeys: [],
    recoveryCodes: null,
    providers: []
  })
  t.match(await factorsOf({ id: unknownId }), { code: 'user-not-found' })
})

t.test('the factors of somebody with more permissions cannot be removed', async (t) => {
  const { user } = await aUserWithApp(app, await aRole(app.database, 'flags:read'))
  const helper = await aCaller(app, await aRole(app.database, 'users:update'))
  t.match((await remove(user, 'totp', helper)).json(), { code: 'exceeds-own-permissions' })
  t.ok((await factorsOf(user)).totp)
})

t.test('a removed app ends every session and leaves the other factors', async (t) => {
  const { user, cookie } = await anEquippedUser()
  const pending = await aPendingLogin(app.db, user)
  t.equal((await remove(user, 'totp')).statusCode, 204)
  t.equal(await me(cookie), 401)
  t.match((await verify(app, pending, { code: '000000' })).json(), { code: 'login-expired' })
  t.match(await factorsOf(user), {
    secondFactor: true,
    totp: null,
    passkeys: [{ name: 'Laptop' }],
    recoveryCodes: { left: 10 }
  })
  t.ok((await mails.kindsTo(user.email)).includes('second-factor-removed'))
  const record = await newest(user, 'user.totp-remove')
  t.equal(record?.actorId, admin.user.id)
  t.same(record?.details, { revoked: 1 })
})

t.test('with the last factor, the recovery codes go and the password is enough', async (t) => {
  const { user, id } = await anEquippedUser()
  await remove(user, 'totp')
  const before = await rowOf(user.id)
  t.equal((await remove(user, `passkeys/${id}`)).statusCode, 204)
  t.match(await factorsOf(user), { secondFactor: false, passkeys: [], recoveryCodes: null })
  t.equal(await app.db.$count(recoveryCodes, eq(recoveryCodes.userId, user.id)), 0)
  const after = await rowOf(user.id)
  t.ok(Number(after?.version) > Number(before?.version), 'the ETag of the user changes')
  t.ok((await mails.kindsTo(user.email)).includes('passkey-removed'))
  const record = await newest(user, 'user.passkey-remove')
  t.same(record?.details, { name: 'Laptop', revoked: 0, required: false })
})

t.test('removing what is not there changes nothing', async (t) => {
  const { user, cookie } = await aCaller(app)
  const other = await anEquippedUser()
  t.equal((await remove(user, 'totp')).statusCode, 204)
  const refused = await remove(user, `passkeys/${other.id}`)
  t.match(refused.json(), { status: 404, code: 'passkey-not-found' })
  t.equal(await me(cookie), 200)
  t.equal(await newest(user, 'user.totp-remove'), undefined)
  t.equal((await factorsOf(other.user)).passkeys.length, 1)
  t.match((await remove({ id: unknownId }, 'totp')).json(), { code: 'user-not-found' })
})

t.test('a session that an app has raised ends when the app is removed', async (t) => {
  const { user } = await aCaller(app)
  const strong = await signedInWithCode(app, user.email, await anAppFor(app, user))
  await remove(user, 'totp')
  t.equal(await me(strong), 401)
})
