import { eq } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../db/schema/activity.ts'
import type { ProofChallenge } from '../../src/problems/challenges.ts'
import { aUser, freshEmail, ownApp, password, signedIn } from '../support/app.ts'
import { aConfirmedCaller, confirmed, mailsOf } from '../support/mails.ts'
import { solve } from '../support/proofs.ts'
import { aRequiringRole } from '../support/second-factors.ts'

// However strangers ask, a mailbox gets few mails, and one source can ask for few.

// So slow that no attempt becomes available during a test, even on a busy machine.
const limits = {
  EMAIL_VERIFICATION: 'required' as const,
  THROTTLE_MAIL_ADDRESS: { burst: 3, seconds: 6000 },
  THROTTLE_MAIL_SOURCE: { burst: 5, seconds: 6000 },
  THROTTLE_REGISTER: { burst: 4, seconds: 6000 },
  TRUST_PROXY: ['127.0.0.1']
}
const app = await ownApp(t, limits)
const mails = mailsOf(app)
let sources = 0
const aSource = () => `198.51.100.${++sources}`
const send = async (
  method: 'POST' | 'PUT',
  url: string,
  payload: object,
  { ip = aSource(), cookie = '' } = {}
) => {
  const headers = { 'x-forwarded-for': ip, cookie }
  const first = await app.inject({ method, url, headers, payload })
  if (first.statusCode !== 428) return first
  const proof = solve(first.json<{ challenge: ProofChallenge }>().challenge)
  return app.inject({ method, url, headers: { ...headers, 'portal-proof': proof }, payload })
}
const register = (email: string, from = {}) =>
  send('POST', '/api/auth/register', { email, password, name: 'Ada' }, from)
const recover = (email: string, from = {}) => send('POST', '/api/auth/recovery', { email }, from)
const login = (email: string) => send('POST', '/api/auth/login', { email, password })
const change = (email: string, cookie: string, ip = aSource()) =>
  send('PUT', '/api/user/email', { email, currentPassword: password }, { cookie, ip })

t.test('registration, recovery and changes of address send three mails each', async (t) => {
  const { email } = await confirmed(app.database, await aUser(app.database))
  const { cookie } = await aConfirmedCaller(app)
  for (const [kind, ask] of [
    ['already-registered', register],
    ['recovery', recover],
    ['email-change', (to: string) => change(to, cookie)]
  ] as const) {
    const statuses = []
    for (const spelling of [email, email.toUpperCase(), email, email.toUpperCase()]) {
      statuses.push((await ask(spelling)).statusCode)
    }
    t.same(statuses, [202, 202, 202, 429], kind)
    t.equal((await mails.kindsTo(email)).filter((each) => each === kind).length, 3, kind)
  }

  const refused = await recover(email)
  t.match(refused.json(), { code: 'rate-limited' })
  const wait = Number(refused.headers['retry-after'])
  t.ok(wait > 5000 && wait <= 6000, `${wait} seconds`)
  const records = await app.db
    .select()
    .from(activity)
    .where(eq(activity.action, 'throttle.limited'))
  t.match(records[0], { details: { limit: 'mail-address' } })
  t.notMatch(JSON.stringify(records), email, 'no record names the address')
  t.equal((await recover(freshEmail())).statusCode, 202, 'other addresses are another matter')
})

t.test('requests for recovery do not use up a registration', async (t) => {
  const email = freshEmail()
  for (let i = 0; i < 4; i++) await recover(email)
  t.equal((await register(email)).statusCode, 202)
  t.same(await mails.kindsTo(email), ['confirm'])
})

t.test('the tags of one mailbox share its limit', async (t) => {
  const [name = '', domain = ''] = freshEmail().split('@')
  const statuses = []
  for (const local of [`${name}+1`, `${name}+2`, `${name.toUpperCase()}+3+x`, name, `${name}+4`]) {
    statuses.push((await register(`${local}@${domain}`)).statusCode)
  }
  t.same(statuses, [202, 202, 202, 429, 429])
  t.equal((await register(`x${name}@${domain}`)).statusCode, 202, 'another mailbox')
  for (const tag of ['a', 'b', 'c', 'd']) {
    t.equal((await register(`+${tag}@${domain}`)).statusCode, 202, 'a name, not a tag')
  }
})

t.test('others cannot use up the mails of a user to their own address', async (t) => {
  const stranger = await aConfirmedCaller(app)
  const useUp = async (email: string) => {
    for (let i = 0; i < 4; i++) {
      for (const ask of [recover, register]) await ask(email)
      await change(email, stranger.cookie)
    }
  }
  const member = await aConfirmedCaller(app, await aRequiringRole(app))
  await useUp(member.user.email)
  const link = () => member.call('POST', '/api/user/security/enrolment')
  t.equal((await link()).statusCode, 202)
  for (let i = 0; i < 2; i++) await link()
  t.equal((await link()).statusCode, 429, 'a limit of their own')

  const owner = await aConfirmedCaller(app)
  await useUp(owner.user.email)
  const keep = await change(owner.user.email, owner.cookie)
  t.equal(keep.statusCode, 200, 'a change that waits can be cancelled')
})

t.test('of many requests at once three are admitted', async (t) => {
  const { email } = await aUser(app.database)
  const answers = await Promise.all(Array.from({ length: 12 }, () => recover(email)))
  const admitted = answers.filter(({ statusCode }) => statusCode === 202)
  t.equal(admitted.length, 3)
  t.equal((await mails.to(email)).length, 3)
})

t.test('sign-ins to an unconfirmed account send no more than that', async (t) => {
  const { email } = await aUser(app.database)
  await recover(email)
  await register(email)
  for (let i = 0; i < 3; i++) {
    const refused = await login(email)
    t.equal(refused.statusCode, 403)
    t.match(refused.json(), { code: 'email-unverified' }, 'the answer stays the same')
  }
  t.same(await mails.kindsTo(email), ['recovery', 'already-registered', 'confirm', 'confirm'])
})

t.test('the owner can sign in although others have used up the mails', async (t) => {
  const { email } = await confirmed(app.database, await aUser(app.database))
  for (let i = 0; i < 4; i++) await recover(email)
  t.equal((await login(email)).statusCode, 200)
})

t.test('verification of the own address is limited as well', async (t) => {
  const optional = await ownApp(t, { ...limits, EMAIL_VERIFICATION: 'optional' })
  const { email } = await aUser(optional.database)
  const cookie = await signedIn(optional, email)
  const statuses = []
  for (let i = 0; i < 4; i++) {
    const url = '/api/user/email/verification'
    statuses.push((await optional.inject({ method: 'POST', url, headers: { cookie } })).statusCode)
  }
  t.same(statuses, [202, 202, 202, 429])
})

t.test('one source can ask for few mails, whatever the addresses', async (t) => {
  const ip = aSource()
  const { cookie } = await aConfirmedCaller(app)
  const statuses = []
  for (let i = 0; i < 3; i++) {
    statuses.push((await recover(freshEmail(), { ip })).statusCode)
    statuses.push((await change(freshEmail(), cookie, ip)).statusCode)
  }
  t.same(statuses, [202, 202, 202, 202, 202, 429])
  t.equal((await recover(freshEmail())).statusCode, 202, 'others can')
})

t.test('and register few', async (t) => {
  const ip = aSource()
  const statuses = []
  for (let i = 0; i < 5; i++) statuses.push((await register(freshEmail(), { ip })).statusCode)
  t.same(statuses, [202, 202, 202, 202, 429])
})

t.test('a recovered account can ask again', async (t) => {
  const { email } = await aUser(app.database)
  for (let i = 0; i < 3; i++) await recover(email)
  t.equal((await recover(email)).statusCode, 429)
  const token = await mails.token(email, 'recovery')
  const newPassword = 'a better horse battery'
  await send('POST', '/api/auth/recovery/confirm', { token, newPassword })
  t.equal((await recover(email)).statusCode, 202)
})
