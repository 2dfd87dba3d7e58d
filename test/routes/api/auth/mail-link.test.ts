import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { invitations } from '../../../../db/schema/scopes.ts'
import { tokens } from '../../../../db/schema/tokens.ts'
import { users } from '../../../../db/schema/users.ts'
import { revokeInScope } from '../../../../src/domain/scopes/members.ts'
import { aCaller, aUser, freshEmail, operator, ownApp, testApp } from '../../../support/app.ts'
import { fillKeys } from '../../../support/keys.ts'
import { anInvitation, linkFor, linkPurposes } from '../../../support/mail-links.ts'
import { aConfirmedCaller, mailsOf, visible } from '../../../support/mails.ts'
import { plan } from '../../../support/planned-deletions.ts'
import { anAppFor } from '../../../support/second-factors.ts'

const app = await testApp(t, { DELETION_GRACE_DAYS: 14, EMAIL_VERIFICATION: 'optional' })
const url = '/api/auth/mail-link'
const readAt = (on: FastifyInstance, purpose: string, token: string, cookie = '') =>
  on.inject({ method: 'POST', url, headers: { cookie }, payload: { purpose, token } })
const read = (purpose: string, token: string, cookie?: string) =>
  readAt(app, purpose, token, cookie)
const unknown = 'A'.repeat(43)
const dead = { status: 400, code: 'invalid-token' }

for (const purpose of linkPurposes) {
  t.test(`a link for ${purpose} is read by its purpose alone, and not used up`, async (t) => {
    const { user, call } = await aConfirmedCaller(app)
    if (purpose === 'restore') await plan({ call })
    const token = await linkFor(app, purpose, user)
    const rows = () => Promise.all([tokens, invitations].map((each) => app.db.select().from(each)))
    const before = await rows()
    for (let n = 0; n < 2; n++) {
      const response = await read(purpose, token)
      t.equal(response.headers['cache-control'], 'no-store')
      t.match(response.json(), { email: user.email, account: null, own: false, ends: [] })
      t.ok(Date.parse(response.json().expiresAt) > Date.now())
    }
    for (const other of linkPurposes.filter((each) => each !== purpose)) {
      t.same(visible(await read(other, token)), visible(await read(other, unknown)), other)
      t.match((await read(other, token)).json(), dead)
    }
    for (const method of ['GET', 'HEAD', 'PUT'] as const) {
      const scanned = await app.inject({ method, url: `${url}?purpose=${purpose}&token=${token}` })
      t.ok([404, 405].includes(scanned.statusCode), `${method} ${scanned.statusCode}`)
    }
    t.same(await rows(), before)
    await app.db
      .update(tokens)
      .set({ expiresAt: new Date(0) })
      .where(eq(tokens.userId, user.id))
    const to = eq(invitations.email, user.email)
    await app.db
      .update(invitations)
      .set({ expiresAt: new Date(0) })
      .where(to)
    t.same(visible(await read(purpose, token)), visible(await read(purpose, unknown)), 'expired')
  })
}

t.test('a link says whether it is for the user who is signed in', async (t) => {
  const [owner, other] = [await aConfirmedCaller(app), await aCaller(app)]
  for (const purpose of ['password-reset', 'email-change', 'invitation'] as const) {
    const token = await linkFor(app, purpose, owner.user)
    t.match((await read(purpose, token, owner.cookie)).json(), { own: true }, purpose)
    t.match((await read(purpose, token, other.cookie)).json(), { own: false }, purpose)
  }
})

t.test(
  'who gets a mail about a new address learns the masked address of the account',
  async (t) => {
    const { user } = await aConfirmedCaller(app)
    const email = freshEmail()
    const link = (
      await read('email-change', await linkFor(app, 'email-change', user, email))
    ).json()
    t.match(link, { email, account: /^.…@example\.com$/ })
    t.notMatch(JSON.stringify(link), user.email)
  }
)

t.test('a link that takes an account back names what was added since, and only that', async (t) => {
  const { user } = await aConfirmedCaller(app)
  const token = await linkFor(app, 'factor-revert', user)
  t.same((await read('factor-revert', token)).json().ends, [])
  await anAppFor(app, user)
  t.same((await read('factor-revert', token)).json().ends, [{ kind: 'totp', name: null }])
  // The address is the thief's by now, whom the owner of the old one learns nothing about.
  const email = freshEmail()
  const moved = { email, emailNormalized: email }
  await app.db.update(users).set(moved).where(eq(users.id, user.id))
  const { body } = await read('factor-revert', token)
  t.match(body, user.email)
  t.notMatch(body, email)
})

t.test('a link that ends API keys names them', async (t) => {
  const user = await aUser(app.database)
  await fillKeys(app.database, { userId: user.id }, 1, { name: 'Nightly export' })
  const { ends } = (await read('key-revocation', await linkFor(app, 'key-revocation', user))).json()
  t.same(ends, [{ kind: 'key', name: 'Nightly export' }])
})

t.test('the link of an operator names the address of its account', async (t) => {
  const { id, email } = await aUser(app.database)
  const token = await linkFor(app, 'password-reset', { id, email })
  await app.db.update(tokens).set({ email: null }).where(eq(tokens.userId, id))
  t.match((await read('password-reset', token)).json(), { email })
})

t.test('a registration that waits for its address names it', async (t) => {
  const required = await testApp(t, { EMAIL_VERIFICATION: 'required' })
  const email = freshEmail()
  const payload = { email, name: 'Ada', password: 'correct horse battery' }
  await required.inject({ method: 'POST', url: '/api/auth/register', payload })
  const token = await mailsOf(required).token(email, 'confirm')
  t.match((await readAt(required, 'confirm', token)).json(), { email, own: false })
  for (let n = 0; n < 5; n++) {
    const wrong = { token, password: 'not this password' }
    await required.inject({ method: 'POST', url: '/api/auth/confirm', payload: wrong })
  }
  t.match((await readAt(required, 'confirm', token)).json(), dead, 'after five wrong passwords')
})

t.test('a link does not work in a state of the account that it is not for', async (t) => {
  const { user, call } = await aConfirmedCaller(app)
  t.match((await read('restore', await linkFor(app, 'restore', user))).json(), dead)
  for (const purpose of ['password-reset', 'confirm'] as const) {
    const token = await linkFor(app, purpose, user, freshEmail())
    t.match((await read(purpose, token)).json(), dead, `${purpose}, to a former address`)
  }
  const made = []
  const ended = ['password-reset', 'email-change', 'factor-enrolment'] as const
  await plan({ call })
  for (const purpose of ended) made.push([purpose, await linkFor(app, purpose, user)] as const)
  for (const [purpose, token] of made) t.match((await read(purpose, token)).json(), dead, purpose)
})

t.test(
  'an invitation names its scope, its role and its sender, who may still invite',
  async (t) => {
    const email = freshEmail()
    const { token, scope, role, inviter } = await anInvitation(app, email)
    const invitation = { scope, role: role.name, inviter: inviter.email }
    t.match((await read('invitation', token)).json(), { email, invitation })
    await revokeInScope(app.db, operator, { scope, userId: inviter.id, role: role.key })
    t.match((await read('invitation', token)).json(), dead)
  }
)

t.test('reading has the limit of using, by network address', async (t) => {
  const own = await ownApp(t, { THROTTLE_LOGIN_SOURCE: { burst: 2, seconds: 600 } })
  for (let n = 0; n < 2; n++) t.equal((await readAt(own, 'restore', unknown)).statusCode, 400)
  const limited = await readAt(own, 'restore', unknown)
  t.match(limited.json(), { status: 429, code: 'rate-limited' })
  t.ok(limited.headers['retry-after'])
})
