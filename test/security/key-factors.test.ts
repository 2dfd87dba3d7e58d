import { eq } from 'drizzle-orm'
import t from 'tap'
import { totp } from '../../db/schema/second-factors.ts'
import { apiKeys } from '../../db/schema/services.ts'
import { grantRole, revokeRole } from '../../src/domain/access/memberships.ts'
import {
  removeUserTotp,
  resetSecondFactor
} from '../../src/domain/administration/factor-removal.ts'
import { createEnrolmentLink } from '../../src/domain/administration/operator-links.ts'
import { activityOf, aRole, operator, signedIn, testApp } from '../support/app.ts'
import { keyCaller } from '../support/keys.ts'
import { aConfirmedCaller, mailsOf } from '../support/mails.ts'
import { withPasskey } from '../support/passkeys.ts'
import {
  aRequiringRole,
  aUserWithApp,
  beginTotp,
  codeOf,
  enrol,
  sessionsOf
} from '../support/second-factors.ts'

// API keys follow the second factors of their owner, as sessions do.

const app = await testApp(t, { SIGN_IN_NOTICES: false })
const { db } = app
const mails = mailsOf(app)
const { callerWith } = sessionsOf(app)
const creator = await aRole(app.database, 'keys:create')
const secured = await aRequiringRole(app, 'users:read')

type Call = ReturnType<typeof callerWith>
interface Named {
  id: string
  email: string
}

async function keyWith(call: Call) {
  const created = await call('POST', '/api/user/keys', { name: 'A key' })
  if (created.statusCode !== 201) throw new Error(created.body)
  return (created.json() as { secret: string }).secret
}
/** The status of the check with a permission of the role that requires a second factor. */
const secretStatus = async (secret: string) =>
  (await keyCaller(app, secret).check('&permission=users:read')).statusCode
const works = async (secret: string) => (await keyCaller(app, secret).me()).statusCode
const grant = (user: Named) => grantRole(db, operator, { userId: user.id, role: secured })
const textOf = async ({ email }: Named, kind: Parameters<typeof mails.newest>[1]) =>
  (await mails.newest(email, kind)).text.replace(/\s+/g, ' ')

/** A user with an app, and a key that was created with it. */
async function aKeyHolder() {
  const { user, call } = await aUserWithApp(app, creator)
  return { user, call, secret: await keyWith(call) }
}

/** Turns the requirement off and removes the app, as its user does. */
async function removeApp(call: Call) {
  await call('PUT', '/api/user/second-factor', { required: false })
  const removed = await call('DELETE', '/api/user/totp')
  if (removed.statusCode !== 204) throw new Error(removed.body)
}

t.test('a key that was created with a second factor has the roles that require one', async (t) => {
  const { user, secret } = await aKeyHolder()
  await grant(user)
  t.equal(await secretStatus(secret), 204)
})

const removals: [string, (holder: Awaited<ReturnType<typeof aKeyHolder>>) => Promise<unknown>][] = [
  ['its user removes', ({ call }) => removeApp(call)],
  ['an operator removes', ({ user }) => removeUserTotp(app.context, operator, { userId: user.id })],
  [
    'an operator resets',
    ({ user }) => resetSecondFactor(app.context, operator, { userId: user.id })
  ]
]
for (const [how, remove] of removals) {
  t.test(`a key loses the factor that it was created with when ${how} the last one`, async (t) => {
    const holder = await aKeyHolder()
    const { user, secret } = holder
    await remove(holder)
    await grant(user)
    t.same([await works(secret), await secretStatus(secret)], [200, 403])
    const [row] = await db.select().from(apiKeys).where(eq(apiKeys.userId, user.id))
    t.match(row, { assurance: 1, revokedAt: null })
    t.match(
      await textOf(user, 'second-factor-removed'),
      /Roles that require a second factor no longer count for your API keys: 1\./
    )
  })
}

t.test('a key keeps its factor while its owner has another one', async (t) => {
  const withApp = await aUserWithApp(app, creator)
  const { user } = withApp
  const call = callerWith((await withPasskey(t, withApp)).cookie)
  const secret = await keyWith(call)
  await grant(user)
  const removed = await call('DELETE', '/api/user/totp')
  t.equal(removed.statusCode, 204)
  t.equal(await secretStatus(secret), 204)
})

t.test('a factor role counts for no key of a user without a factor', async (t) => {
  const { user, secret } = await aKeyHolder()
  await grant(user)
  // The key outlives the factor.
  await db.delete(totp).where(eq(totp.userId, user.id))
  await revokeRole(db, operator, { userId: user.id, role: creator })
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.userId, user.id))
  t.equal(row?.assurance, 2)
  t.equal(await secretStatus(secret), 403)
})

t.test('a thief of the password keeps no key when the owner sets up a first factor', async (t) => {
  const { user, call } = await aConfirmedCaller(app, creator)
  const thief = callerWith(await signedIn(app, user.email))
  const enrolled = callerWith((await enrol(app, thief)).cookie)
  const secret = await keyWith(enrolled)
  await removeApp(enrolled)
  await grant(user)
  t.equal(await secretStatus(secret), 403)

  const { token } = await createEnrolmentLink(db, operator, {
    userId: user.id,
    expiresIn: 600
  })
  const again = callerWith(await signedIn(app, user.email))
  const { secret: app2 } = await beginTotp(again)
  const code = await codeOf(db, app2)
  const confirmed = await again('POST', '/api/user/totp/confirm', { code, token })
  t.equal(confirmed.statusCode, 200, confirmed.body)
  t.equal(await works(secret), 401)
  const records = await activityOf(app.database, user.id)
  t.match(
    records.find(({ action }) => action === 'key.revoke'),
    { details: { revoked: 1 } }
  )
  t.match(await textOf(user, 'second-factor-added'), /before it no longer work: 1\./)
  t.equal((await call('GET', '/api/auth/me')).statusCode, 401)
})

t.test('a first passkey ends keys as well, and a second factor ends none', async (t) => {
  const owner = await aConfirmedCaller(app, creator)
  const before = await keyWith(owner.call)
  const { cookie } = await withPasskey(t, owner)
  t.equal(await works(before), 401)
  t.match(await textOf(owner.user, 'passkey-added'), /before it no longer work: 1\./)
  const call = callerWith(cookie)
  const after = await keyWith(call)
  await enrol(app, call)
  t.equal(await works(after), 200)
})
