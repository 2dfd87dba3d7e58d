import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { roles } from '../db/schema/roles.ts'
import { totp } from '../db/schema/second-factors.ts'
import { sessions } from '../db/schema/sessions.ts'
import { users } from '../db/schema/users.ts'
import { generatorOf } from '../src/domain/factors/totp.ts'
import { aRole, cookieOf, password } from './helpers.ts'

/**
 * Gives a user an app for codes, as if they had set it up before.
 * @param secondFactor whether their sign-ins need it
 */
export async function anAppFor(
  { db, services }: FastifyInstance,
  { id }: { id: string },
  { secondFactor = true } = {}
) {
  const secret = randomBytes(20)
  await db.insert(totp).values({
    userId: id,
    secret: services.sealing.seal('totp', id, secret),
    confirmedAt: sql`now()`
  })
  await db.update(users).set({ secondFactor }).where(eq(users.id, id))
  return {
    /** A code that is right now, as if none had been used before. */
    async code() {
      await db.update(totp).set({ lastStep: 0 }).where(eq(totp.userId, id))
      return generatorOf(secret).generate()
    }
  }
}

/** A code that is wrong in every step of the next minutes. */
export const wrongCode = async ({ code }: Awaited<ReturnType<typeof anAppFor>>) =>
  String((Number(await code()) + 500_000) % 1_000_000).padStart(6, '0')

/** Signs in with the password and a code. Returns the cookie header of the session. */
export async function signedInWithCode(
  app: FastifyInstance,
  email: string,
  { code }: Awaited<ReturnType<typeof anAppFor>>
) {
  const login = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email, password }
  })
  const verified = await app.inject({
    method: 'POST',
    url: '/api/auth/login/verify',
    headers: { cookie: cookieOf(login) },
    payload: { code: await code() }
  })
  const cookies = [verified.headers['set-cookie']].flat().map(String)
  const session = cookies.find((each) => each.startsWith('portal_session='))
  if (!session) throw new Error(`not signed in (status ${verified.statusCode})`)
  return session.split(';')[0] ?? ''
}

/** Makes the last proof of every session of a user eleven minutes old. */
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
