import { createHash, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { mock } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { confirmationMails } from '../../../../db/schema/outbox.ts'
import { spentChallenges } from '../../../../db/schema/second-factors.ts'
import { users } from '../../../../db/schema/users.ts'
import { charge } from '../../../../src/domain/throttling/throttles.ts'
import type { ProofChallenge } from '../../../../src/problems/challenges.ts'
import { solve } from '../../../support/proofs.ts'
import { challengeFor, crowded, register, strict } from './challenged-app.ts'
import { aCaller, aUser, freshEmail, password, temporaryFolder } from '../../../support/app.ts'

t.test('a call beyond the quiet hour is answered with a challenge, and passes once', async (t) => {
  const app = await crowded(t)
  const email = freshEmail()
  const refused = await register(app, email)
  t.match(refused, { statusCode: 428 })
  t.match(refused.json(), { code: 'challenge-required', challenge: { difficulty: 2 ** 16 } })
  const { challenge } = refused.json<{ challenge: ProofChallenge }>()
  const proof = solve(challenge)
  t.equal((await register(app, email, { 'portal-proof': proof })).statusCode, 202)
  t.equal((await register(app, email, { 'portal-proof': proof })).statusCode, 428, 'a replay')
})

t.test('of two calls with one solution at once, also on two instances, one passes', async (t) => {
  const app = await crowded(t)
  const other = await strict(t, { SECRET_KEYS: app.config.SECRET_KEYS }, app.database)
  const email = freshEmail()
  const headers = { 'portal-proof': solve(await challengeFor(app, email)) }
  const codes = await Promise.all(
    [app, other, app, other].map(async (each) => (await register(each, email, headers)).statusCode)
  )
  t.same(codes.sort(), [202, 428, 428, 428])
})

t.test('a solution is for one purpose and one mailbox', async (t) => {
  const app = await crowded(t)
  const [email, another] = [freshEmail(), freshEmail()]
  const proof = solve(await challengeFor(app, email))
  const headers = { 'portal-proof': proof }
  t.equal((await register(app, another, headers)).statusCode, 428)
  const recovery = {
    method: 'POST',
    url: '/api/auth/recovery',
    payload: { email },
    headers
  } as const
  t.equal((await app.inject(recovery)).statusCode, 428)
  t.equal((await register(app, email.toUpperCase(), headers)).statusCode, 202, 'in any case')
})

t.test('a challenge with another difficulty, time or signature is forged', async (t) => {
  const app = await crowded(t)
  const email = freshEmail()
  const challenge = await challengeFor(app, email)
  const forgeries = [
    { ...challenge, difficulty: challenge.difficulty / 2 }, // one step easier would be enough
    { ...challenge, expiresAt: '2999-01-01T00:00:00.000Z' },
    { ...challenge, salt: 'A'.repeat(22) },
    { ...challenge, signature: 'A'.repeat(43) }
  ]
  const codes = await Promise.all(
    forgeries.map(async (forged) => {
      const proof = solve(forged)
      return (await register(app, email, { 'portal-proof': proof })).statusCode
    })
  )
  t.same(codes, [428, 428, 428, 428])
  const [salt, difficulty, expiresAt, signature, numbers = ''] = solve(challenge).split(';')
  const [first = ''] = numbers.split(',')
  const wrong = [Array(8).fill(first), [...numbers.split(',').slice(1), '4294967296']]
  for (const list of wrong) {
    const proof = [salt, difficulty, expiresAt, signature, list.join(',')].join(';')
    t.equal((await register(app, email, { 'portal-proof': proof })).statusCode, 428)
  }
})

t.test('a challenge that has become harder by more than one step is not enough', async (t) => {
  const app = await crowded(t)
  const email = freshEmail()
  for (const [difficulty, status] of [
    [2 ** 14, 428],
    [2 ** 15, 202]
  ] as const) {
    const asked = { purpose: 'registration', email } as const
    const proof = solve(app.context.guard!.proofs.issue(asked, difficulty, new Date()))
    t.equal((await register(app, email, { 'portal-proof': proof })).statusCode, status)
  }
})

t.test('the clock of the database decides, and a spent solution outlives its time', async (t) => {
  const app = await crowded(t)
  const email = freshEmail()
  const challenge = await challengeFor(app, email)
  const proof = solve(challenge)
  const salt = createHash('sha256').update(`proof\0${challenge.salt}`).digest()
  t.equal((await register(app, email, { 'portal-proof': proof })).statusCode, 202)
  const [spent] = await app.db
    .select({ left: sql<number>`extract(epoch from ${spentChallenges.expiresAt} - now())::float8` })
    .from(spentChallenges)
    .where(eq(spentChallenges.hash, salt))
  t.ok((spent?.left ?? 0) > 80_000, 'a clock that is set back by hours does not revive it')
  const late = app.context.guard?.proofs.issue(
    { purpose: 'registration', email },
    2 ** 16,
    new Date(Date.now() - 301_000)
  )
  const expired = await register(app, email, { 'portal-proof': solve(late!) })
  t.equal(expired.statusCode, 428)

  const another = freshEmail()
  const solved = solve(await challengeFor(app, another))
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 })
  t.teardown(() => mock.timers.reset())
  const { statusCode } = await register(app, another, { 'portal-proof': solved })
  t.equal(statusCode, 202, 'an instance whose clock is an hour ahead')
})

t.test('registered and free addresses get the same challenge and response', async (t) => {
  const app = await crowded(t)
  const { email: taken } = await aUser(app.database)
  const shape = async (email: string) => {
    const response = await register(app, email)
    const { challenge, instance, ...rest } = response.json<Record<string, object>>()
    t.ok(instance)
    return { status: response.statusCode, fields: Object.keys(challenge ?? {}), rest }
  }
  t.same(await shape(taken), await shape(freshEmail()))
  const solved = async (email: string) => {
    const proof = solve(await challengeFor(app, email))
    const { statusCode, body } = await register(app, email, { 'portal-proof': proof })
    return { statusCode, body }
  }
  t.same(await solved(taken), await solved(freshEmail()))
})

t.test('recovery and a change of address do not tell registered addresses either', async (t) => {
  const app = await crowded(t, { EMAIL_VERIFICATION: 'optional' })
  const { email: taken } = await aUser(app.database)
  const { call } = await aCaller(app)
  for (const [method, url] of [
    ['POST', '/api/auth/recovery'],
    ['PUT', '/api/user/email']
  ] as const) {
    const found = []
    for (const email of [taken, freshEmail()]) {
      const body = { email, ...(method === 'PUT' && { currentPassword: password }) }
      const refused = await call(method, url, body)
      const problem = refused.json<{ challenge: ProofChallenge; instance: string }>()
      const { challenge, instance, ...rest } = problem
      const passed = await call(method, url, body, { 'portal-proof': solve(challenge) })
      const shown = passed.body.replaceAll(email, 'it')
      found.push([refused.statusCode, rest, challenge.difficulty, passed.statusCode, shown])
    }
    t.match(found[0], [428, {}, 2 ** 16, 202], url)
    t.same(found[0], found[1], url)
  }
})

t.test('recovery, confirmation and a change of address need a challenge as well', async (t) => {
  const app = await crowded(t, { EMAIL_VERIFICATION: 'optional' })
  const { call, user } = await aCaller(app)
  const rows = [
    ['POST', '/api/auth/recovery', { email: user.email }, 202],
    ['POST', '/api/user/email/verification', undefined, 202],
    ['PUT', '/api/user/email', { email: freshEmail(), currentPassword: password }, 202]
  ] as const
  for (const [method, url, body, status] of rows) {
    const refused = await call(method, url, body)
    t.match(refused.json(), { code: 'challenge-required' }, url)
    const { challenge } = refused.json<{ challenge: ProofChallenge }>()
    const passed = await call(method, url, body, { 'portal-proof': solve(challenge) })
    t.equal(passed.statusCode, status, url)
  }
})

t.test('a confirmed account needs none, until it has caused three mails', async (t) => {
  const app = await crowded(t, { THROTTLE_MAIL_ADDRESS: { burst: 3, seconds: 9999 } })
  const { call, user } = await aCaller(app)
  await app.db
    .update(users)
    .set({ emailVerifiedAt: sql`now()` })
    .where(eq(users.id, user.id))
  const device = app.context.devices.issue({ id: user.id, credentialVersion: 1 })
  const cookie = `portal_device=${device}`
  const codes = []
  for (let i = 0; i < 4; i++) {
    const headers = { cookie }
    const payload = { email: freshEmail() }
    const asked = { method: 'POST', url: '/api/auth/recovery', payload, headers } as const
    codes.push((await app.inject(asked)).statusCode)
  }
  t.same(codes, [202, 202, 202, 428])
  const change = { email: freshEmail(), currentPassword: password }
  t.equal((await call('PUT', '/api/user/email', change)).statusCode, 428, 'its session has no more')
})

t.test('a challenge can be asked for early, and there is none in a quiet hour', async (t) => {
  const app = await strict(t)
  const ask = async (email: string) => {
    const payload = { purpose: 'registration', email }
    const response = await app.inject({ method: 'POST', url: '/api/auth/challenge', payload })
    return response.json<{ challenge: ProofChallenge | null }>().challenge
  }
  t.equal(await ask(freshEmail()), null)
  await register(app, freshEmail())
  const email = freshEmail()
  const challenge = await ask(email)
  t.ok(challenge)
  const proof = solve(challenge!)
  t.equal((await register(app, email, { 'portal-proof': proof })).statusCode, 202)
})

t.test('a source pays more from half of its limit on, and a full one is refused', async (t) => {
  const app = await strict(t, {
    THROTTLE_MAIL_UNPROVED: { burst: 999, seconds: 1 },
    THROTTLE_REGISTER: { burst: 8, seconds: 999_999 }
  })
  const [source] = app.context.buckets.register('127.0.0.1')
  const difficulties = []
  for (let i = 0; i < 8; i++) {
    const response = await register(app, freshEmail())
    const { challenge } = response.json<{ challenge?: ProofChallenge }>()
    difficulties.push(Math.log2(challenge?.difficulty ?? 1))
    if (challenge) await charge(app.db, [source]) // which a solved call does, after long work
  }
  t.same(difficulties, [0, 0, 0, 0, 0, 17, 18, 19])
  t.equal((await register(app, freshEmail())).statusCode, 429)
})

t.test('a challenge is never harder than 2^22, so that phones can solve it', async (t) => {
  const file = path.join(temporaryFolder(t), 'networks')
  writeFileSync(file, '127.0.0.1\n')
  const THROTTLE_REGISTER = { burst: 8, seconds: 999_999 }
  const app = await strict(t, { REGISTRATION_NETWORKS: file, THROTTLE_REGISTER })
  const { buckets } = app.context
  await app.db
    .insert(confirmationMails)
    .values(Array.from({ length: 100 }, () => ({ id: randomUUID() })))
  const [source] = buckets.register('127.0.0.1')
  for (let i = 0; i < 7; i++) await charge(app.db, [source])
  t.equal((await challengeFor(app, freshEmail())).difficulty, 2 ** 22)
})

t.test('while most mail is not confirmed, everybody solves a challenge', async (t) => {
  const app = await strict(t, { THROTTLE_MAIL_UNPROVED: { burst: 999, seconds: 1 } })
  const mails = Array.from({ length: 71 }, () => ({ id: randomUUID() }))
  await app.db.insert(confirmationMails).values(mails.slice(1))
  t.equal((await register(app, freshEmail())).statusCode, 202, 'seventy of the last hundred')
  await app.db.insert(confirmationMails).values(mails.slice(0, 1))
  const difficulty = async () => (await challengeFor(app, freshEmail())).difficulty
  t.equal(await difficulty(), 2 ** 18, 'more than forty are of this hour')
  await app.db.update(confirmationMails).set({ sentAt: sql`now() - interval '1 hour'` })
  t.equal(await difficulty(), 2 ** 17)
  await app.db.update(confirmationMails).set({ confirmedAt: sql`now()` })
  t.equal((await register(app, freshEmail())).statusCode, 202, 'all of them')
})

t.test('other spellings of a path lead to no route that is not guarded', async (t) => {
  const app = await crowded(t)
  const payload = { email: freshEmail(), password, name: 'Ada' }
  for (const url of ['//api/auth/register', '/API/auth/register', '/api/auth/register/']) {
    t.equal((await app.inject({ method: 'POST', url, payload })).statusCode, 404, url)
  }
})

t.test('pages of other origins may send a solution', async (t) => {
  const origin = 'https://app.example.com'
  const app = await strict(t, { CORS_ORIGINS: [origin] })
  const headers = { origin, 'access-control-request-method': 'POST' }
  const preflight = await app.inject({ method: 'OPTIONS', url: '/api/auth/register', headers })
  t.match(preflight.headers['access-control-allow-headers'], /\bportal-proof\b/)
})
