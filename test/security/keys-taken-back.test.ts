import t from 'tap'
import {
  aCaller,
  activityOf,
  aRole,
  cookieOf,
  freshEmail,
  password,
  testApp
} from '../support/app.ts'
import { keyCaller } from '../support/keys.ts'
import { aConfirmedCaller, mailsOf, tokenIn } from '../support/mails.ts'
import { clientOf } from '../support/requests.ts'

// What happens to API keys when an account is given back to its owner: a thief may have created some.

const app = await testApp(t)
const mails = mailsOf(t, app)
const { post } = clientOf(app)
const creator = await aRole(app.database, 'keys:create')
const newPassword = 'taken back by its owner'

type Caller = Awaited<ReturnType<typeof aCaller>>
const createKey = async ({ call }: Caller) =>
  (await call('POST', '/api/user/keys', { name: 'A key' })).json().secret as string
const works = async (secret: string) => (await keyCaller(app, secret).me()).statusCode
const recover = async (email: string) => {
  await post('/api/auth/recovery', { email })
  const token = await mails.token(email, 'recovery')
  return post('/api/auth/recovery/confirm', { token, newPassword })
}

t.test('keys outlive a recovery, and the mail says that they do', async (t) => {
  const caller = await aConfirmedCaller(app, creator)
  const secret = await createKey(caller)
  t.equal((await recover(caller.user.email)).statusCode, 204)
  t.equal(await works(secret), 200)
  const { text } = await mails.newest(caller.user.email, 'password-changed')
  t.match(text, /some that still\s+work: 1/)
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
