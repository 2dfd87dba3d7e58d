import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { apiKeys } from '../../db/schema/services.ts'
import { tokens } from '../../db/schema/tokens.ts'
import { createResetLink } from '../../src/domain/administration/operator-links.ts'
import {
  aCaller,
  activityOf,
  aRole,
  cookieOf,
  freshEmail,
  operator,
  password,
  signedIn,
  testApp
} from '../support/app.ts'
import { keyCaller } from '../support/keys.ts'
import { aConfirmedCaller, mailsOf, tokenIn } from '../support/mails.ts'
import { clientOf } from '../support/requests.ts'
import { aUserWithApp, enrol, sessionsOf } from '../support/second-factors.ts'

// An account is given back to its owner: a thief may have created API keys.

const app = await testApp(t)
const mails = mailsOf(app)
const { post } = clientOf(app)
const creator = await aRole(app.database, 'keys:create')
const newPassword = 'taken back by its owner'

type Caller = Pick<Awaited<ReturnType<typeof aCaller>>, 'user' | 'call'>
const createKey = async ({ call }: Caller) =>
  (await call('POST', '/api/user/keys', { name: 'A key' })).json().secret as string
const works = async (secret: string) => (await keyCaller(app, secret).me()).statusCode
const recover = async (email: string) => {
  await post('/api/auth/recovery', { email })
  const token = await mails.token(email, 'recovery')
  return post('/api/auth/recovery/confirm', { token, newPassword })
}

/** Makes every key of the user this many hours old. */
const age = ({ user }: Caller, hours: number) =>
  app.db
    .update(apiKeys)
    .set({ createdAt: sql`${apiKeys.createdAt} - make_interval(hours => ${hours})` })
    .where(eq(apiKeys.userId, user.id))
const textOf = async (email: string) =>
  (await mails.newest(email, 'password-changed')).text.replace(/\s+/g, ' ')

t.test('a recovery ends the keys that the password alone created in 72 hours', async (t) => {
  const caller = await aConfirmedCaller(app, creator)
  const old = await createKey(caller)
  await age(caller, 73)
  const recent = await createKey(caller)
  await age(caller, 71) // the first one is now 144 hours old
  t.equal((await recover(caller.user.email)).statusCode, 204)
  t.same([await works(old), await works(recent)], [200, 401])
  const records = await activityOf(app.database, caller.user.id)
  t.match(
    records.find(({ action }) => action === 'key.revoke'),
    { details: { revoked: 1 } }
  )
  t.match(
    await textOf(caller.user.email),
    /somebody else may have created were revoked with it: 1\./
  )
})

t.test('a recovery keeps a key that was created with two factors', async (t) => {
  const caller = await aUserWithApp(app, creator)
  // Without tokens, it is as 72 hours after the app was set up.
  await app.db.delete(tokens).where(eq(tokens.userId, caller.user.id))
  const secret = await createKey(caller)
  t.equal((await recover(caller.user.email)).statusCode, 204)
  t.equal(await works(secret), 200)
})

t.test('a recovery ends a key that a thief created with a factor of their own', async (t) => {
  const { user } = await aConfirmedCaller(app, creator)
  const { callerWith } = sessionsOf(app)
  const thief = await enrol(app, callerWith(await signedIn(app, user.email)))
  const secret = await createKey({ user, call: callerWith(thief.cookie) })
  t.match(await app.db.select().from(apiKeys).where(eq(apiKeys.userId, user.id)), [
    { assurance: 2 }
  ])
  t.equal((await recover(user.email)).statusCode, 204)
  t.equal(await works(secret), 401)
  t.match(await textOf(user.email), /somebody else may have created were revoked with it: 1\./)
})

t.test('the mail about a recovery lists the keys that stay, and its link ends them', async (t) => {
  const caller = await aConfirmedCaller(app, creator)
  const secrets = [await createKey(caller), await createKey(caller)]
  await age(caller, 73)
  t.equal((await recover(caller.user.email)).statusCode, 204)
  const text = await textOf(caller.user.email)
  for (const secret of secrets) t.ok(text.includes(`A key (…${secret.slice(-4)})`))
  const token = /end-keys\?token=([\w-]+)/.exec(text)?.[1]
  t.same(await Promise.all(secrets.map(works)), [200, 200])
  const ended = await post('/api/auth/keys/end', { token })
  t.equal(ended.statusCode, 204)
  t.same(await Promise.all(secrets.map(works)), [401, 401])
  const again = await post('/api/auth/keys/end', { token })
  t.match(again.json(), { status: 400, code: 'invalid-token' })
  const asPassword = await post('/api/auth/recovery/confirm', { token, newPassword })
  t.match(asPassword.json(), { status: 400, code: 'invalid-token' })
})

t.test('a link of an operator ends no key, because it proves no mailbox', async (t) => {
  const caller = await aConfirmedCaller(app, creator)
  const secret = await createKey(caller)
  const { token } = await createResetLink(app.db, operator, {
    userId: caller.user.id,
    expiresIn: 600
  })
  const set = await post('/api/auth/recovery/confirm', { token, newPassword })
  t.equal(set.statusCode, 204)
  t.equal(await works(secret), 200)
  t.match(await textOf(caller.user.email), /These API keys still work: A key/)
})

t.test('the first proof of an address ends the keys of whoever registered with it', async (t) => {
  const caller = await aCaller(app, creator)
  const secret = await createKey(caller)
  t.equal(await works(secret), 200)
  t.equal((await recover(caller.user.email)).statusCode, 204)
  t.equal(await works(secret), 401)
  const records = await activityOf(app.database, caller.user.id)
  t.match(
    records.find(({ action }) => action === 'key.revoke'),
    { details: { revoked: 1 } }
  )
})

t.test('a reverted change of address ends keys, also those from before it', async (t) => {
  const caller = await aConfirmedCaller(app, creator)
  const { user, cookie, call } = caller
  const before = await createKey(caller)
  const email = freshEmail()
  await call('PUT', '/api/user/email', { email, currentPassword: password })
  const token = await mails.token(email, 'email-change')
  const moved = await post('/api/user/email/confirm', { token }, cookie)
  t.equal(moved.statusCode, 200)
  const session = moved.headers['set-cookie'] ? cookieOf(moved) : cookie
  const after = await call('POST', '/api/user/keys', { name: 'A key' }, { cookie: session })
  t.same([await works(before), await works(after.json().secret)], [200, 200])
  const { text } = await mails.newest(user.email, 'email-changed')
  const reverted = await post('/api/auth/email/revert', { token: tokenIn(text), newPassword })
  t.equal(reverted.statusCode, 204)
  t.same([await works(before), await works(after.json().secret)], [401, 401])
})
