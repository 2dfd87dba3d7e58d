import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { users } from '../../db/schema/users.ts'
import { aCaller, aRole, aUser, cookieOf, password, signedIn, ownApp } from '../support/app.ts'
import { keyCaller } from '../support/keys.ts'
import { aConfirmedCaller } from '../support/mails.ts'
import { passkeySignIn, withPasskey } from '../support/passkeys.ts'
import { enrol, sessionsOf } from '../support/second-factors.ts'
import { ownSettingsApp, schemaFile } from '../support/settings.ts'

// A thief with a copied session or a stolen key must not use up what the owner needs to end it.

const few = { burst: 3, seconds: 6000 }
const limits = { THROTTLE_WRITES: few, THROTTLE_PASSWORD: few }
const app = await ownSettingsApp(t, schemaFile, limits)
const { callerWith } = sessionsOf(app)

/** An owner with a key that may write, and a thief with that key and a copied session. */
async function aTheft() {
  const machine = await aRole(app.database, 'keys:create', 'app-settings:update', 'users:read')
  const { user, cookie: copied } = await aCaller(app, machine)
  const thief = callerWith(copied)
  const created = await thief('POST', '/api/user/keys', { name: 'A key' })
  const key = created.json() as { id: string; secret: string }
  const owner = callerWith(await signedIn(app, user.email))
  const { id: session } = (await thief('GET', '/api/auth/me')).json().session as { id: string }
  return { user, copied, thief, owner, key, session }
}
type Theft = Awaited<ReturnType<typeof aTheft>>

const times = async (count: number, call: () => Promise<{ statusCode: number }>) =>
  Promise.all(Array.from({ length: count }, async () => (await call()).statusCode))

/** Everything that the thief can send, until each kind is refused. */
async function flood({ thief, key, user }: Theft) {
  const url = `/api/machine/users/${user.id}/app-settings`
  const headers = { authorization: `Bearer ${key.secret}` }
  const byKey = () => app.inject({ method: 'PATCH', url, headers, payload: {} })
  const wrong = { currentPassword: 'a wrong password', newPassword: 'of the thief, a new one' }
  const found = [
    await times(8, () => thief('PUT', '/api/user/theme', { theme: 'dark' })),
    await times(8, byKey),
    await times(8, () => thief('PUT', '/api/user/password', wrong)),
    await times(8, () => thief('POST', '/api/auth/reauthenticate', { password: 'wrong as well' })),
    await times(8, () => thief('DELETE', '/api/user/keys/00000000-0000-4000-8000-000000000000'))
  ]
  for (const statuses of found) if (!statuses.includes(429)) throw new Error(statuses.join())
}

const ends: [string, (theft: Theft) => Promise<unknown>, status: number][] = [
  [
    'ends the session of a thief',
    ({ owner, session }) => owner('DELETE', `/api/user/sessions/${session}`),
    204
  ],
  ['ends all other sessions', ({ owner }) => owner('DELETE', '/api/user/sessions'), 204],
  ['revokes the key', ({ owner, key }) => owner('DELETE', `/api/user/keys/${key.id}`), 204],
  [
    'changes the password',
    ({ owner }) =>
      owner('PUT', '/api/user/password', {
        currentPassword: password,
        newPassword: 'a better horse battery'
      }),
    204
  ],
  [
    'authenticates again',
    ({ owner }) => owner('POST', '/api/auth/reauthenticate', { password }),
    200
  ]
]
for (const [what, act, status] of ends) {
  t.test(`an owner ${what} at the first try, whatever a thief has used up`, async (t) => {
    const theft = await aTheft()
    await flood(theft)
    t.match(await theft.owner('PUT', '/api/user/theme', { theme: 'light' }), { statusCode: 200 })
    t.match(await act(theft), { statusCode: status })
  })
}

t.test('all sessions and keys of a user have five times the limit of one', async (t) => {
  const { user, owner, key } = await aTheft()
  const sessions = await Promise.all(
    Array.from({ length: 5 }, async () => callerWith(await signedIn(app, user.email)))
  )
  const change = (call: typeof owner) => call('PUT', '/api/user/theme', { theme: 'dark' })
  // One change was the creation of the key.
  for (const call of sessions) await times(3, () => change(call))
  t.match(await change(owner), { statusCode: 429 })
  const secret = keyCaller(app, key.secret)
  t.match(await secret.me(), { statusCode: 200 })
  const other = await aUser(app.database)
  const calm = callerWith(await signedIn(app, other.email))
  t.match(await change(calm), { statusCode: 200 })
  t.match(await owner('DELETE', '/api/user/sessions'), { statusCode: 204 })
})

t.test('a change over the limit of all sessions is not counted for its own session', async (t) => {
  const { email } = await aUser(app.database)
  const aSession = async () => callerWith(await signedIn(app, email))
  const change = (call: Theft['owner']) => call('PUT', '/api/user/theme', { theme: 'dark' })
  for (let i = 0; i < 5; i++) {
    const call = await aSession()
    await times(3, () => change(call))
  }
  const last = await aSession()
  for (let i = 0; i < 4; i++) {
    const { statusCode, headers } = await change(last)
    t.equal(statusCode, 429)
    t.ok(
      Number(headers['retry-after']) <= 1200,
      'only the limit of all sessions has to be waited for'
    )
  }
})

t.test('an owner removes what a thief added, whatever a thief has used up', async (t) => {
  const app = await ownApp(t, { THROTTLE_WRITES: { burst: 8, seconds: 6000 } })
  const as = sessionsOf(app).callerWith
  const { user, call, passkey, id } = await withPasskey(t, await aConfirmedCaller(app))
  await enrol(app, call)
  const linked = randomUUID()
  await app.db.insert(providerAccounts).values({
    id: linked,
    userId: user.id,
    provider: 'acme',
    issuer: 'https://acme.example',
    subject: 'thief',
    createdAt: sql`now()`
  })
  await app.db.update(users).set({ secondFactor: false }).where(eq(users.id, user.id))
  const withTheFactor = async () => as(cookieOf(await passkeySignIn(app, passkey)))
  const owner = await withTheFactor()
  for (let session = 0; session < 5; session++) {
    const thief = await withTheFactor()
    await times(8, () => thief('PUT', '/api/user/theme', { theme: 'dark' }))
  }
  t.match(await owner('PUT', '/api/user/theme', { theme: 'light' }), { statusCode: 429 })
  t.match(await owner('POST', '/api/user/recovery-codes'), { statusCode: 200 })
  for (const url of [`providers/${linked}`, 'totp', `passkeys/${id}`]) {
    const { statusCode } = await owner('DELETE', `/api/user/${url}`)
    t.equal(statusCode, 204, url)
  }
})

t.test('confirmations of the password have five times the limit in all sessions', async (t) => {
  const guarded = await ownApp(t, { THROTTLE_PASSWORD: { burst: 1, seconds: 6000 } })
  const { user } = await aCaller(guarded)
  const as = sessionsOf(guarded).callerWith
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) {
    const call = as(await signedIn(guarded, user.email))
    const wrong = await call('POST', '/api/auth/reauthenticate', { password: 'wrong' })
    statuses.push(wrong.statusCode)
  }
  t.same(statuses, [403, 403, 403, 403, 403, 429])
})
