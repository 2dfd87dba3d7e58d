import { and, eq, isNull } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../../db/schema/sessions.ts'
import { registrations } from '../../../db/schema/tokens.ts'
import { confirmEmail } from '../../../src/domain/accounts/emails.ts'
import { actorOf } from '../../support/actors.ts'
import { anonymous, aUser, freshEmail, password, testDatabase } from '../../support/app.ts'
import { signIn } from '../../support/sign-in.ts'
import { linksOn, newPassword } from './mailed-links.ts'

const database = await testDatabase(t)
const { db } = database
const {
  services,
  aToken,
  ofUser,
  revertLink,
  aRegistration,
  confirm,
  recover,
  revert,
  stateOf,
  purposesOf
} = linksOn(database)
const rounds = 3

const login = (email: string) => signIn(services, anonymous, { email, password, presented: [] })
const liveSessions = (userId: string) =>
  db.$count(sessions, and(eq(sessions.userId, userId), isNull(sessions.revokedAt)))
const count = (results: PromiseSettledResult<unknown>[], status: 'fulfilled' | 'rejected') =>
  results.filter((result) => result.status === status).length
const codes = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) =>
    result.status === 'rejected' ? String((result.reason as { code?: string }).code) : []
  )

t.test('of two uses of a link at once, one succeeds', async (t) => {
  for (let round = 0; round < rounds; round++) {
    const user = await aUser(database)
    const [reset, address] = [await ofUser('password-reset', user), await ofUser('confirm', user)]
    const confirmed = await Promise.allSettled([confirm(address), confirm(address)])
    t.same([count(confirmed, 'fulfilled'), codes(confirmed)], [1, ['invalid-token']])
    const recovered = await Promise.allSettled([recover(reset), recover(reset)])
    t.same([count(recovered, 'fulfilled'), codes(recovered)], [1, ['invalid-token']])
  }
})

t.test('of two links to the same account used at once, one succeeds', async (t) => {
  const user = await aUser(database)
  const links = [await ofUser('password-reset', user), await ofUser('password-reset', user)]
  const recovered = await Promise.allSettled(links.map(recover))
  t.same([count(recovered, 'fulfilled'), codes(recovered)], [1, ['invalid-token']])
})

t.test(
  'of two registrations of an address confirmed at once, one becomes an account',
  async (t) => {
    for (let round = 0; round < rounds; round++) {
      const email = freshEmail()
      const [one, other] = [await aRegistration(email), await aRegistration(email, newPassword)]
      const confirmed = await Promise.allSettled([
        confirm(one.token),
        confirm(other.token, newPassword)
      ])
      t.same([count(confirmed, 'fulfilled'), codes(confirmed)], [1, ['invalid-token']])
      t.equal(await db.$count(registrations, eq(registrations.emailNormalized, email)), 0)
    }
  }
)

t.test('no session that a confirmation or a login starts survives a recovery', async (t) => {
  for (let round = 0; round < rounds; round++) {
    const user = await aUser(database)
    const [reset, address] = [await ofUser('password-reset', user), await ofUser('confirm', user)]
    const [recovered] = await Promise.allSettled([
      recover(reset),
      confirm(address),
      login(user.email),
      login(user.email)
    ])
    t.equal(recovered.status, 'fulfilled')
    t.equal(await liveSessions(user.id), 0)
    t.same(await purposesOf(user.id), [])
  }
})

t.test('a reverted address stays, whatever else is confirmed meanwhile', async (t) => {
  for (let round = 0; round < rounds; round++) {
    const user = await aUser(database)
    const thief = await actorOf(database, user)
    const back = await revertLink(user)
    const [first, second] = [freshEmail(), freshEmail()]
    const takeOver = await aToken('email-change', { userId: user.id }, first)
    await confirmEmail(services, thief, { token: takeOver })
    const next = await aToken('email-change', { userId: user.id }, second)
    const [reverted] = await Promise.allSettled([
      revert(back),
      confirmEmail(services, thief, { token: next })
    ])
    t.equal(reverted.status, 'fulfilled')
    t.match(await stateOf(user.id), { email: user.email, verifiedAt: Date })
    t.equal(await liveSessions(user.id), 0)
    t.same(await purposesOf(user.id), [], 'and the thief has no link to revert that')
  }
})
