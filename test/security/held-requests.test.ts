import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { Secret } from 'otpauth'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { activity } from '../../db/schema/activity.ts'
import { passkeys, recoveryCodes, totp } from '../../db/schema/second-factors.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { throttle } from '../../db/schema/throttle.ts'
import { tokens } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import {
  cookieOf,
  freshEmail,
  onPglite,
  ownApp,
  password,
  testDatabaseUrl
} from '../support/app.ts'
import { holdBody, portOf } from '../support/raw-requests.ts'
import type { RawAnswer } from '../support/raw-requests.ts'
import {
  aUserWithApp,
  codeOf,
  forgetCodes,
  letProofsAge,
  sessionsOf
} from '../support/second-factors.ts'
import { testConfig } from '../support/test-config.ts'

// A thief with a copied cookie sends the headers of requests and keeps their bodies back, until the
// owner has authenticated again or has set a new password.

const endless = { burst: 900_000, seconds: 0.001 }
const changes = {
  SECRET_KEYS: testConfig().SECRET_KEYS,
  THROTTLE_WRITES: endless,
  THROTTLE_SECOND_FACTOR: endless
}
const url = await testDatabaseUrl(t)
const listening = async () => {
  const app = await ownApp(t, changes, await openDatabase(url, { poolMax: 10 }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}
const one = await listening()
// PGlite allows one process only.
const two = onPglite ? one : await listening()
const { db } = one
const places: [name: string, thief: FastifyInstance, owner: FastifyInstance][] = [
  ['on one instance', one, one],
  ['on two instances', one, two]
]

type Operation = [method: 'POST' | 'PUT', url: string, body?: object]
const sensitive = (): Operation[] => [
  ['PUT', '/api/user/second-factor', { required: false }],
  ['POST', '/api/user/recovery-codes'],
  ['POST', '/api/user/totp'],
  ['PUT', '/api/user/email', { email: freshEmail() }],
  ['POST', '/api/user/deletion', {}],
  ['POST', '/api/user/passkeys/options'],
  ['PUT', '/api/user/password', { currentPassword: password, newPassword: 'a better horse' }]
]
const newPassword = 'another horse battery'

const aVictim = async () => {
  const { user, cookie, secret } = await aUserWithApp(one)
  return { user, cookie, code: (steps = 0) => codeOf(db, secret, steps) }
}
type Victim = Awaited<ReturnType<typeof aVictim>>

/** Holds these requests at an instance that has admitted them. */
async function hold(app: FastifyInstance, { cookie }: Victim, operations: Operation[]) {
  const held = await Promise.all(
    operations.map(([method, url, body]) =>
      holdBody(portOf(app), { method, url, cookie, ...(body && { body }) })
    )
  )
  const me = await app.inject({ url: '/api/auth/me', headers: { cookie } })
  if (me.statusCode !== 200) throw new Error('the cookie has been replaced already')
  return held
}

const stepUp = async (app: FastifyInstance, { cookie, code }: Victim) =>
  cookieOf(
    await app.inject({
      method: 'POST',
      url: '/api/auth/reauthenticate',
      headers: { cookie },
      payload: { code: await code() }
    })
  )

/** All that such requests could change, except the time a session was last used. */
async function stateOf({ id }: { id: string }) {
  const own = await db.select().from(sessions).where(eq(sessions.userId, id))
  return {
    sessions: own.map(({ lastSeenAt, ...session }) => session),
    user: await db.select().from(users).where(eq(users.id, id)),
    totp: await db.select().from(totp).where(eq(totp.userId, id)),
    codes: await db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, id)),
    passkeys: await db.select().from(passkeys).where(eq(passkeys.userId, id)),
    tokens: await db.select().from(tokens).where(eq(tokens.userId, id)),
    activity: await db.$count(activity, eq(activity.actorId, id)),
    throttle: await db.$count(throttle)
  }
}

const refusals = (answers: RawAnswer[]) =>
  answers.map(({ status, body }) => `${status} ${JSON.parse(body || '{}').code}`)
const unauthenticated = (operations: unknown[]) => operations.map(() => '401 unauthenticated')

for (const [where, thief, owner] of places) {
  t.test(`requests held back gain nothing from an authentication, ${where}`, async (t) => {
    const victim = await aVictim()
    await letProofsAge(one, victim.user)
    const operations = sensitive()
    for (const [method, url, payload] of operations.slice(0, 5)) {
      const headers = { cookie: victim.cookie }
      const early = await thief.inject({ method, url, headers, ...(payload && { payload }) })
      t.match(early.json(), { code: 'reauthentication-required' }, url)
    }
    const held = await hold(thief, victim, operations)
    const cookie = await stepUp(owner, victim)
    const before = await stateOf(victim.user)
    const answers = await Promise.all(held.map(({ finish }) => finish()))
    t.same(refusals(answers), unauthenticated(operations))
    t.same(await stateOf(victim.user), before)
    t.equal(await sessionsOf(owner).assuranceOf(cookie), 2)
  })

  t.test(`two requests held back do not replace the app of the owner, ${where}`, async (t) => {
    const victim = await aVictim()
    await letProofsAge(one, victim.user)
    const [begin, confirm] = await hold(thief, victim, [
      ['POST', '/api/user/totp'],
      ['POST', '/api/user/totp/confirm', { code: '000000' }]
    ])
    const cookie = await stepUp(owner, victim)
    const before = await stateOf(victim.user)
    const begun = await begin?.finish()
    const { secret } = JSON.parse(begun?.body ?? '{}') as { secret?: string }
    const code = await codeOf(db, secret ?? new Secret().base32)
    const confirmed = await confirm?.finish({ code })
    t.same([begun?.status, confirmed?.status], [401, 401])
    t.same(await stateOf(victim.user), before)
    t.equal(await sessionsOf(owner).assuranceOf(cookie), 2)
  })

  t.test(`nor do they gain anything from a new password, ${where}`, async (t) => {
    const victim = await aVictim()
    const operations = sensitive()
    const held = await hold(thief, victim, operations)
    const changed = await owner.inject({
      method: 'PUT',
      url: '/api/user/password',
      headers: { cookie: victim.cookie },
      payload: { currentPassword: password, newPassword }
    })
    t.equal(changed.statusCode, 204, changed.body)
    const before = await stateOf(victim.user)
    const answers = await Promise.all(held.map(({ finish }) => finish()))
    t.same(refusals(answers), unauthenticated(operations))
    t.same(await stateOf(victim.user), before)
    t.equal(await sessionsOf(owner).assuranceOf(cookieOf(changed)), 2)
  })

  t.test(`of two authentications in one session at once, one succeeds, ${where}`, async (t) => {
    const victim = await aVictim()
    await forgetCodes(db, victim.user.id)
    const path = '/api/auth/reauthenticate'
    const [first] = await hold(thief, victim, [['POST', path, { code: await victim.code() }]])
    const [second] = await hold(owner, victim, [['POST', path, { code: await victim.code(1) }]])
    const answers = await Promise.all([first?.finish(), second?.finish()])
    t.same(answers.map((answer) => answer?.status).sort(), [200, 401])
  })
}
