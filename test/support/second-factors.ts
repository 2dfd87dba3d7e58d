import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '../../db/engine.ts'
import { roles } from '../../db/schema/roles.ts'
import { totp } from '../../db/schema/second-factors.ts'
import { pendingLogins, sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { record } from '../../src/domain/activity/record.ts'
import { sha256 } from '../../src/domain/crypto.ts'
import { replaceRecoveryCodes } from '../../src/domain/factors/recovery-codes.ts'
import { databaseSeconds, generatorOf } from '../../src/domain/factors/totp.ts'
import { aRole, password } from './app.ts'
import { aConfirmedCaller } from './mails.ts'

/**
 * Gives a user an authenticator app, as if they had set it up before.
 * @param secondFactor whether their sign-ins need it
 */
export async function anAppFor(
  { db, context }: FastifyInstance,
  { id }: { id: string },
  { secondFactor = true } = {}
) {
  const secret = randomBytes(20)
  await db.insert(totp).values({
    userId: id,
    secret: context.sealing.seal('totp', id, secret),
    confirmedAt: sql`now()`
  })
  await db.update(users).set({ secondFactor }).where(eq(users.id, id))
  return {
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }).base32,
    /** A code that is right now, as if none had been used before. */
    async code() {
      await forgetCodes(db, id)
      return generatorOf(secret).generate()
    }
  }
}

/** A code that is wrong in every step of the next minutes. */
export const wrongCode = async ({ code }: Awaited<ReturnType<typeof anAppFor>>) =>
  wrongOf(await code())

/** Signs in with the password and a code. Returns the cookie header of the session. */
export async function signedInWithCode(
  app: FastifyInstance,
  email: string,
  { code }: Awaited<ReturnType<typeof anAppFor>>
) {
  const login = await beginLogin(app, { email })
  const cookie = cookieSet(await verify(app, login, { code: await code() }), 'session')
  if (!cookie) throw new Error('not signed in')
  return cookie
}

/** Makes the last authentication of every session of a user eleven minutes old. */
export const letProofsAge = ({ db }: FastifyInstance, { id }: { id: string }) =>
  db
    .update(sessions)
    .set({
      createdAt: sql`${sessions.createdAt} - interval '11 minutes'`,
      reauthenticatedAt: sql`${sessions.reauthenticatedAt} - interval '11 minutes'`
    })
    .where(eq(sessions.userId, id))

/** A role with these permissions that counts only after a second factor. Returns its key. */
export async function aRequiringRole({ database, db }: FastifyInstance, ...permissions: string[]) {
  const key = await aRole(database, ...permissions)
  await db.update(roles).set({ requiresSecondFactor: true }).where(eq(roles.key, key))
  return key
}

type Response = Awaited<ReturnType<FastifyInstance['inject']>>

/** The code of an app at `steps` of 30 seconds from now, by the clock of the database. */
export async function codeOf(db: Db, secret: string, steps = 0) {
  const [at] = await db.select({ seconds: databaseSeconds }).from(sql`(select) as one`)
  const timestamp = ((at?.seconds ?? 0) + steps * 30) * 1000
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

/** Forgets the codes that were used, so that a test need not wait for the next one. */
export const forgetCodes = (db: Db, userId: string) =>
  db.update(totp).set({ lastStep: 0 }).where(eq(totp.userId, userId))

/** Another code than this one. */
export const wrongOf = (code: string) =>
  code.replace(/.$/, (digit) => `${(Number(digit) + 5) % 10}`)

/** `name=value` of a cookie that a response sets; undefined also when it clears it. */
export const cookieSet = (response: Response, name: 'session' | 'device' | 'login') =>
  [response.headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .find((pair) => pair.includes(`portal_${name}=`) && !pair.endsWith('='))

export type Caller = Awaited<ReturnType<typeof aConfirmedCaller>>

/** Calls with a session cookie; and the assurance of its session, or 401 when it has ended. */
export const sessionsOf = (app: FastifyInstance) => ({
  callerWith:
    (cookie: string): Caller['call'] =>
    (method, url, payload, headers = {}) =>
      app.inject({ method, url, headers: { cookie, ...headers }, ...(payload && { payload }) }),
  async assuranceOf(cookie: string) {
    const me = await app.inject({ url: '/api/auth/me', headers: { cookie } })
    return me.statusCode === 200 ? (me.json().session as { assurance: number }).assurance : 401
  }
})

export const beginTotp = async (call: Caller['call']) =>
  (await call('POST', '/api/user/totp')).json() as { secret: string; uri: string; qr: string }

/** Sets up an authenticator app. Returns its secret, the recovery codes and the new cookie. */
export async function enrol(app: FastifyInstance, call: Caller['call'], headers = {}) {
  const begun = await call('POST', '/api/user/totp', undefined, headers)
  const { secret } = begun.json() as { secret: string }
  const code = await codeOf(app.db, secret)
  const confirmed = await call('POST', '/api/user/totp/confirm', { code }, headers)
  const cookie = cookieSet(confirmed, 'session')
  if (!cookie) throw new Error(`not confirmed: ${confirmed.body}`)
  const { recoveryCodes } = confirmed.json() as { recoveryCodes: string[] }
  return { secret, code, recoveryCodes, cookie }
}

/**
 * A signed-in user who has set up an authenticator app with `enrol`, whose codes were not used yet.
 * Writes the rows instead, which takes a tenth of the time.
 */
export async function aUserWithApp(app: FastifyInstance, ...roles: string[]) {
  const { db } = app
  const { user, cookie, call } = await aConfirmedCaller(app, ...roles)
  const { secret } = await anAppFor(app, user)
  const credentialVersion = sql`${users.credentialVersion} + 1`
  await db.update(users).set({ credentialVersion }).where(eq(users.id, user.id))
  const [proved] = await db
    .update(sessions)
    .set({ amr: 'pwd otp mfa', assurance: 2, reauthenticatedAt: sql`now()` })
    .where(eq(sessions.userId, user.id))
    .returning({ id: sessions.id })
  const { id } = user
  const actor = { type: 'user', source: 'api', id, sessionId: proved?.id ?? '' } as const
  await record(db, actor, 'user.totp-enrol', { userId: id, details: { revoked: 0 } })
  return {
    user,
    cookie,
    call,
    secret,
    recoveryCodes: await replaceRecoveryCodes(db, id),
    code: (steps?: number) => codeOf(db, secret, steps)
  }
}

/** Sends the password, and requires the answer that a second factor is needed. */
export async function beginLogin(
  app: FastifyInstance,
  { email }: { email: string },
  headers: InjectOptions['headers'] = {}
) {
  const response = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers,
    payload: { email, password }
  })
  const cookie = cookieSet(response, 'login')
  if (response.statusCode !== 202 || !cookie) throw new Error(response.body)
  return cookie
}

/** A sign-in that waits for its second factor, begun without the password. */
export async function aPendingLogin(db: Db, { id: userId }: { id: string }) {
  const secret = randomBytes(32).toString('base64url')
  await db.insert(pendingLogins).values({
    tokenHash: sha256(`login:${secret}`),
    userId,
    credentialVersion: sql`(select credential_version from users where id = ${userId})`,
    charge: [],
    expiresAt: sql`now() + interval '1 hour'`
  })
  return `portal_login=${secret}`
}

/** The second step of a sign-in. */
export const verify = (
  app: FastifyInstance,
  cookie: string,
  payload: { code?: unknown; recoveryCode?: unknown },
  headers: InjectOptions['headers'] = {}
) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login/verify',
    headers: { cookie, ...headers },
    payload
  })
