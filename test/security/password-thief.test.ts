import { eq } from 'drizzle-orm'
import { URI } from 'otpauth'
import t from 'tap'
import { invitations } from '../../db/schema/scopes.ts'
import { users } from '../../db/schema/users.ts'
import { findRole } from '../../src/domain/access/roles.ts'
import { randomId, randomText, sha256 } from '../../src/domain/crypto.ts'
import { createLinkToken } from '../../src/domain/tokens/tokens.ts'
import { setsSession } from '../support/contract.ts'
import { aCaller, aRole, aUser, cookieOf, freshEmail, password, testApp } from '../support/app.ts'
import { createPasskey } from '../support/authenticator.ts'
import { creationOptions, passkeySignIn, withPasskey } from '../support/passkeys.ts'
import { aScopedRole, freshScope } from '../support/scopes.ts'
import { anAppFor, aRequiringRole } from '../support/second-factors.ts'

// A thief who knows the password of a user with a second factor, and nothing else.

const app = await testApp(t)
const { paths } = app.swagger() as unknown as {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { headers?: Record<string, object> }> }>
  >
}

/** `METHOD /path` of every operation that can set a session cookie. */
const settingCookies = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([, { responses }]) =>
      Object.values(responses).some(({ headers = {} }) =>
        Object.keys(headers).some((name) => name.toLowerCase() === 'set-cookie')
      )
    )
    .map(([method]) => `${method.toUpperCase()} ${path}`)
)

/** These take the factor itself. */
const withTheFactor = ['POST /api/auth/login/verify', 'POST /api/auth/passkey']
/** The first begins what the second completes, with an account at a provider. */
const withAProvider = ['POST /api/auth/providers/{key}', 'GET /api/auth/providers/{key}/finish']
/** These clear the cookie. */
const ending = [
  'POST /api/auth/logout',
  'POST /api/user/deletion',
  'DELETE /api/user/sessions/{id}'
]
/** The body that the thief sends to each of the others, and the status of the answer. */
const withThePassword: Record<
  string,
  { body: (victim: Victim) => object | Promise<object>; status: number }
> = {
  'POST /api/auth/login': { body: ({ email }) => ({ email, password }), status: 202 },
  'POST /api/auth/confirm': {
    body: async (user) => ({ token: await confirmationFor(user), password }),
    status: 202
  },
  'POST /api/auth/invitation/register': {
    body: async ({ email }) => ({ token: await invitationFor(email), name: 'Ada', password }),
    status: 409
  },
  'POST /api/auth/reauthenticate': { body: () => ({ password }), status: 403 },
  'PUT /api/user/password': {
    body: () => ({ currentPassword: password, newPassword: 'a better horse battery' }),
    status: 403
  },
  'PUT /api/user/second-factor': { body: () => ({ required: false }), status: 403 },
  'POST /api/user/totp/confirm': { body: () => ({ code: '000000' }), status: 403 },
  'POST /api/user/passkeys': { body: ({ credential }) => ({ credential }), status: 403 }
}

interface Victim {
  id: string
  email: string
  /** A passkey of the thief, with a challenge of the time before there was a second factor. */
  credential: object
}

/** The token that a user gets who signs in with an unconfirmed address. */
async function confirmationFor({ id: userId, email }: Omit<Victim, 'credential'>) {
  const link = await app.db.transaction((tx) =>
    createLinkToken(tx, { purpose: 'confirm', owner: { userId }, email, expiresIn: 60 })
  )
  return link?.token
}

/** The token of an invitation to the address of an account. */
async function invitationFor(email: string) {
  const token = randomText(32)
  const role = await findRole(app.db, await aScopedRole(app.database, 'profile:read'))
  await app.db.insert(invitations).values({
    ...{ id: randomId(), scope: freshScope(), roleId: role.id },
    ...{ email, emailNormalized: email, invitedBy: (await aUser(app.database)).id },
    ...{ tokenHash: sha256(token), expiresAt: new Date(Date.now() + 60_000) }
  })
  return token
}

/** A user with a second factor, and a session that began before they had it. */
async function aVictim(...roles: string[]) {
  const caller = await aCaller(app, ...roles)
  const { credential } = createPasskey(await creationOptions(caller))
  const { user, cookie } = caller
  return { user: { ...user, credential }, cookie, phone: await anAppFor(app, user) }
}
const send = (cookie: string, operation: string, payload?: object) => {
  const [method, url = ''] = operation.split(' ')
  return app.inject({
    method: method as 'GET' | 'POST' | 'PUT' | 'DELETE',
    url,
    headers: { cookie },
    ...(payload && { payload })
  })
}

t.test('every operation that sets the session cookie is known here', async (t) => {
  t.same(
    settingCookies.toSorted(),
    [...withTheFactor, ...withAProvider, ...ending, ...Object.keys(withThePassword)].toSorted()
  )
})

for (const [operation, { body, status }] of Object.entries(withThePassword)) {
  t.test(`${operation} gives no session to somebody with the password alone`, async (t) => {
    const stranger = await aVictim()
    const needsSession = status === 403
    const response = await send('', operation, await body(stranger.user))
    t.equal(response.statusCode, needsSession ? 401 : status)
    const { user, cookie } = await aVictim()
    const inSession = await send(cookie, operation, await body(user))
    t.equal(inSession.statusCode, status)
    for (const { headers } of [response, inSession]) {
      t.notOk(setsSession(headers['set-cookie']))
      t.notMatch(String(headers['set-cookie']), 'portal_device')
    }
  })
}

t.test('POST /api/auth/login/verify gives a session for the factor', async (t) => {
  const { user, phone } = await aVictim()
  const login = await send('', 'POST /api/auth/login', { email: user.email, password })
  const body = { code: await phone.code() }
  const verified = await send(cookieOf(login), 'POST /api/auth/login/verify', body)
  t.ok(setsSession(verified.headers['set-cookie']))
})

t.test('POST /api/auth/passkey gives a session for the passkey', async (t) => {
  const { user, passkey } = await withPasskey(t, await aCaller(app))
  await app.db.update(users).set({ secondFactor: true }).where(eq(users.id, user.id))
  const signedIn = await passkeySignIn(app, passkey)
  t.ok(setsSession(signedIn.headers['set-cookie']))
  t.match(signedIn.json(), { user: { id: user.id }, session: { assurance: 2 } })
})

t.test('a confirmed address leads to the second step, which completes the sign-in', async (t) => {
  const { user, phone } = await aVictim()
  const body = { token: await confirmationFor(user), password }
  const confirmed = await send('', 'POST /api/auth/confirm', body)
  t.match(confirmed.json(), { next: 'second-factor', methods: ['totp'] })
  const verified = await send(cookieOf(confirmed), 'POST /api/auth/login/verify', {
    code: await phone.code()
  })
  t.match(verified.json(), { user: { emailVerified: true }, session: { assurance: 2 } })
})

const bodies: Record<string, (user: Victim, present: { secondFactor: boolean }) => object> = {
  'PUT /api/user/email': () => ({ email: freshEmail(), currentPassword: password }),
  'PUT /api/user/password': () => ({
    currentPassword: password,
    newPassword: 'a better horse battery'
  }),
  'POST /api/user/deletion': () => ({ currentPassword: password }),
  'POST /api/user/totp/confirm': () => ({ code: '000000' }),
  'POST /api/user/passkeys': ({ credential }) => ({ credential }),
  'POST /api/user/keys': () => ({ name: 'A key' }),
  'PUT /api/user/second-factor': (_, { secondFactor }) => ({ required: !secondFactor })
}
/**
 * Operations of the own account that change nothing about how its owner signs in. By hand, so that
 * a new one counts as sensitive until somebody decides otherwise.
 */
const harmless = [
  'PUT /api/user/name',
  'PUT /api/user/theme',
  'PATCH /api/user/profile',
  'PATCH /api/user/settings',
  'PUT /api/user/settings',
  'DELETE /api/user/sessions',
  'DELETE /api/user/sessions/{id}',
  'PATCH /api/user/passkeys/{id}',
  'DELETE /api/user/keys/{id}',
  // These take a token that was sent by mail, or send one to the address of the owner.
  'POST /api/user/email/confirm',
  'POST /api/user/email/verification',
  'POST /api/user/security/enrolment'
]
const sensitive = Object.entries(paths)
  .filter(([path]) => path.startsWith('/api/user/'))
  .flatMap(([path, item]) => Object.keys(item).map((each) => `${each.toUpperCase()} ${path}`))
  .filter((operation) => !operation.startsWith('GET ') && !harmless.includes(operation))

t.test('a thief with the password and an old session changes nothing', async (t) => {
  t.ok(sensitive.length >= 8)
  for (const secondFactor of [true, false]) {
    const { user, cookie } = await aVictim(
      await aRequiringRole(app, 'users:read'),
      await aRole(app.database, 'keys:create')
    )
    await app.db.update(users).set({ secondFactor }).where(eq(users.id, user.id))
    for (const operation of sensitive) {
      const url = operation.replace('{id}', user.id)
      const refused = await send(cookie, url, bodies[operation]?.(user, { secondFactor }))
      const name = `${operation}, factor of ${secondFactor ? 'the account' : 'a role'}`
      t.match(refused.json(), { code: 'reauthentication-required', methods: ['totp'] }, name)
    }
    const [row] = await app.db.select().from(users).where(eq(users.id, user.id))
    t.match(row, { email: user.email, secondFactor })
  }
})

t.test(
  'without a link, a thief sets up no first factor for a role that requires one',
  async (t) => {
    const role = await aRequiringRole(app, 'users:read')
    const { user, cookie } = await aCaller(app, role)
    const begun = await send(cookie, 'POST /api/user/totp')
    const code = URI.parse(begun.json().uri).generate()
    const refused = await send(cookie, 'POST /api/user/totp/confirm', { code })
    t.match(refused.json(), { status: 403, code: 'enrolment-token-required' })
    t.notOk(setsSession(refused.headers['set-cookie']))
    for (const token of ['A'.repeat(43), await confirmationFor(user)]) {
      const wrong = await send(cookie, 'POST /api/user/totp/confirm', { code, token })
      t.match(wrong.json(), { status: 400, code: 'invalid-token' })
    }
    t.match((await send(cookie, 'POST /api/user/recovery-codes')).json(), {
      code: 'no-second-factor'
    })
    t.match((await send(cookie, 'GET /api/auth/me')).json().user, { suspendedRoles: [role] })
    t.match((await send(cookie, 'GET /api/user/security')).json(), {
      totp: null,
      passkeys: 0,
      recoveryCodesLeft: 0,
      secondFactor: false,
      requiredByRoles: [role]
    })
  }
)
