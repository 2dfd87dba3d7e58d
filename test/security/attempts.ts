import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Db } from '../../db/engine.ts'
import { throttle } from '../../db/schema/throttle.ts'
import { ownApp, password as right } from '../support/app.ts'

// So slow that no attempt becomes available during a test, even on a busy machine.
export const budgets = {
  THROTTLE_LOGIN_PAIR: { burst: 10, seconds: 3000 },
  THROTTLE_LOGIN_SOURCE: { burst: 15, seconds: 500 },
  THROTTLE_LOGIN_ACCOUNT: { burst: 12, seconds: 120 },
  THROTTLE_LOGIN_DEVICE: { burst: 10, seconds: 3000 },
  THROTTLE_REGISTER: { burst: 4, seconds: 6000 },
  THROTTLE_PASSWORD: { burst: 3, seconds: 6000 },
  TRUST_PROXY: ['127.0.0.1']
}

interface Try {
  email: string
  password?: string
  ip?: string
  cookie?: string
  on?: FastifyInstance
}

/** A server with these budgets, for tests with accounts and addresses of their own. */
export async function attemptsOn(t: Test) {
  const app = await ownApp(t, budgets)
  let addresses = 0
  const anAddress = () => `198.51.100.${++addresses}`
  const login = async ({
    email,
    password = 'not this one',
    ip = '198.51.100.250',
    cookie,
    on = app
  }: Try) =>
    on.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'x-forwarded-for': ip, ...(cookie && { cookie }) },
      payload: { email, password }
    })
  /** Signs in and returns the device cookie. */
  const aDevice = async (email: string, secret = right) =>
    deviceOf(await login({ email, password: secret, ip: anAddress() }))
  return { app, anAddress, login, aDevice }
}

export const statuses = async (tries: Promise<{ statusCode: number }>[]) =>
  (await Promise.all(tries)).map((response) => response.statusCode)
export const count = (found: number[], status: number) =>
  found.filter((each) => each === status).length
export const times = <T>(length: number, make: (i: number) => T) =>
  Array.from({ length }, (_, i) => make(i))
export const use = async (t: Test, found: Promise<number[]>, admitted: number, of: number) => {
  const all = await found
  t.same([count(all, 401), count(all, 429)], [admitted, of - admitted])
}
/** The device cookie that a response sets. */
export function deviceOf({ headers }: { headers: Record<string, unknown> }) {
  return String([headers['set-cookie']].flat()[1]).split(';')[0] ?? ''
}

/** Sets the consecutive failures of a bucket, with room for an attempt now. */
export async function setFailures(db: Db, bucket: { key: Buffer } | undefined, fails: number) {
  if (!bucket) throw new Error('there is no such bucket')
  // In the past, because a clock can step back between two statements.
  const set = { tat: sql`now() - interval '1 second'`, fails }
  await db
    .insert(throttle)
    .values({ bucket: bucket.key, ...set })
    .onConflictDoUpdate({ target: throttle.bucket, set })
}
