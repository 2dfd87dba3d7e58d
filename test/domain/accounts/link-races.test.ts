import { randomUUID } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import t from 'tap'
import { registrations } from '../../../db/schema/registrations.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { throttle } from '../../../db/schema/throttle.ts'
import { tokens } from '../../../db/schema/tokens.ts'
import type { TokenPurpose } from '../../../db/schema/tokens.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { confirmAddress } from '../../../src/domain/accounts/confirmation.ts'
import { changePassword } from '../../../src/domain/accounts/credentials.ts'
import { confirmEmail, requestVerification } from '../../../src/domain/accounts/emails.ts'
import { recoverAccount, revertEmail } from '../../../src/domain/accounts/recovery.ts'
import { signIn } from '../../../src/domain/accounts/sign-in.ts'
import { setPassword } from '../../../src/domain/accounts/stored-passwords.ts'
import { updateUser } from '../../../src/domain/accounts/update.ts'
import { sha256 } from '../../../src/domain/crypto.ts'
import { revoke } from '../../../src/domain/sessions/sessions.ts'
import { createToken } from '../../../src/domain/tokens/tokens.ts'
import type { TokenOwner } from '../../../src/domain/tokens/tokens.ts'
import {
  actorOf,
  anonymous,
  aUser,
  freshEmail,
  onPglite,
  operator,
  password,
  passwords,
  servicesOf,
  testDatabase,
  until
} from '../../helpers.ts'
import { sealing } from '../outbox/parts.ts'

const database = await testDatabase(t)
const { db } = database
const services = {
  ...servicesOf(database),
  mail: { sealing, verification: 'optional' as const, signInNotices: true }
}
const newPassword = 'a better horse battery'
const isInvalid = { code: 'invalid-token' }
const rounds = 8

async function aToken(purpose: TokenPurpose, owner: TokenOwner, email: string) {
  const made = await transaction(db, (tx) =>
    createToken(tx, { purpose, owner, email, expiresIn: 3600 })
  )
  if (!made) throw new Error('the owner is gone')
  return made.token
}
const ofUser = (purpose: TokenPurpose, { id, email }: { id: string; email: string }) =>
  aToken(purpose, { userId: id }, email)

/** A registration that waits for its address to be confirmed, with the token of its link. */
async function aRegistration(email: string, secret = password) {
  const id = randomUUID()
  await db.insert(registrations).values({
    id,
    email,
    emailNormalized: email,
    name: 'Ada',
    passwordHash: await passwords.hash(secret),
    expiresAt: sql`now() + interval '1 hour'`
  })
  return { id, token: await aToken('confirm', { registrationId: id }, email) }
}

const confirm = (token: string, secret = password) =>
  confirmAddress(services, anonymous, { token, password: secret, presented: [] })
const recover = (token: string) => recoverAccount(services, anonymous, { token, newPassword })
const revert = (token: string) => revertEmail(services, anonymous, { token, newPassword })
const login = (email: string) => signIn(services, anonymous, { email, password, presented: [] })
const setEmail = (id: string, email: string) =>
  updateUser(services, operator, { id, changes: { email } })

const liveSessions = (userId: string) =>
  db.$count(sessions, and(eq(sessions.userId, userId), isNull(sessions.revokedAt)))
const stateOf = async (id: string) =>
  (
    await db
      .select({ email: users.email, verifiedAt: users.emailVerifiedAt })
      .from(users)
      .where(eq(users.id, id))
  )[0]
const purposesOf = async (id: string) =>
  (await db.select({ purpose: tokens.purpose }).from(tokens).where(eq(tokens.userId, id)))
    .map(({ purpose }) => purpose)
    .toSorted()
const count = (results: PromiseSettledResult<unknown>[], status: 'fulfilled' | 'rejected') =>
  results.filter((result) => result.status === status).length
const codes = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) =>
    result.status === 'rejected' ? String((result.reason as { code?: string }).code) : []
  )

/** Locks rows during the work, which gets a function that resolves when somebody waits for them. */
const whileLocked = <T>(rows: SQL, work: (awaited: () => Promise<unknown>) => Promise<T>) =>
  db.transaction(async (tx) => {
    await tx.execute(rows)
    const [own] = await tx.select({ pid: sql<number>`pg_backend_pid()` }).from(sql`(select) as one`)
    const waits = sql`${own?.pid} = any(pg_blocking_pids(pid))`
    return work(() => until(async () => (await db.$count(sql`pg_stat_activity`, waits)) > 0))
  })

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
    const back = await ofUser('email-revert', user)
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

t.test('a session that has ended confirms nothing and asks for nothing', async (t) => {
  const user = await aUser(database)
  const actor = await actorOf(database, user)
  const token = await aToken('email-change', { userId: user.id }, freshEmail())
  // As between the admission of a request and its transaction.
  await revoke(db, 'logout', eq(sessions.id, actor.sessionId))
  await t.rejects(confirmEmail(services, actor, { token }), { code: 'unauthenticated' })
  await t.rejects(requestVerification(services, actor), { code: 'unauthenticated' })
  t.equal((await stateOf(user.id))?.email, user.email)
  t.same(await purposesOf(user.id), ['email-change'])
})

t.test('a new password ends the links that were asked for with the old one', async (t) => {
  const user = await aUser(database)
  const addLinks = async () => {
    for (const purpose of ['password-reset', 'email-change', 'email-revert'] as const) {
      await ofUser(purpose, user)
    }
  }
  await addLinks()
  await setPassword(services, operator, { userId: user.id, password })
  t.same(await purposesOf(user.id), ['email-revert'], 'by an operator')
  const actor = await actorOf(database, user)
  await addLinks()
  await changePassword(services, actor, { currentPassword: password, newPassword })
  t.same(await purposesOf(user.id), ['email-revert', 'email-revert'], 'by the user')
})

t.test('an address that an operator sets cannot be reverted with an earlier link', async (t) => {
  const user = await aUser(database)
  const back = await ofUser('email-revert', { id: user.id, email: freshEmail() })
  const email = freshEmail()
  await setEmail(user.id, email)
  await t.rejects(revert(back), isInvalid)
  t.equal((await stateOf(user.id))?.email, email)
})

t.test('a link that was sent to another address than the present one proves nothing', async (t) => {
  const user = await aUser(database)
  const other = { id: user.id, email: freshEmail() }
  await t.rejects(confirm(await ofUser('confirm', other)), isInvalid)
  await t.rejects(recover(await ofUser('password-reset', other)), isInvalid)
  t.match(await stateOf(user.id), { email: user.email, verifiedAt: null })
  // The same address in another spelling.
  const same = { id: user.id, email: user.email.toUpperCase() }
  t.match(await confirm(await ofUser('confirm', same)), { user: { emailVerified: true } })
})

t.test(
  'the owner of a link is locked before the link, or two changes could wait for each other',
  { skip: onPglite && 'one connection' },
  async (t) => {
    const isFree = (token: string) =>
      db
        .transaction((tx) =>
          tx
            .select()
            .from(tokens)
            .where(eq(tokens.hash, sha256(token)))
            .for('update', { noWait: true })
        )
        .then(
          (rows) => rows.length === 1,
          () => false
        )
    const user = await aUser(database)
    const thief = await actorOf(database, user)
    const email = freshEmail()
    const one = await aRegistration(email)
    const registered = await aRegistration(email)
    const links = {
      confirm: await ofUser('confirm', user),
      reset: await ofUser('password-reset', user),
      revert: await ofUser('email-revert', user),
      change: await ofUser('email-change', user)
    }
    const owner = sql`select 1 from users where id = ${user.id} for no key update`
    const registration = sql`select 1 from registrations where id = ${one.id} for update`
    for (const [token, lock, use] of [
      [links.change, owner, () => confirmEmail(services, thief, { token: links.change })],
      [links.confirm, owner, () => confirm(links.confirm)],
      [links.reset, owner, () => recover(links.reset)],
      [links.revert, owner, () => revert(links.revert)],
      [registered.token, registration, () => confirm(registered.token)]
    ] as const) {
      const used = await whileLocked(lock, async (awaited) => {
        const using = use()
        await awaited()
        t.ok(await isFree(token))
        return { using }
      })
      await used.using
    }
  }
)

t.test(
  'a login without a confirmed address waits for the account before it holds a rate limit',
  { skip: onPglite && 'one connection' },
  async (t) => {
    const user = await aUser(database)
    const strict = { ...services, mail: { ...services.mail, verification: 'required' as const } }
    const owner = sql`select 1 from users where id = ${user.id} for no key update`
    const refused = await whileLocked(owner, async (awaited) => {
      const signingIn = signIn(strict, anonymous, { email: user.email, password, presented: [] })
      await awaited()
      const free = await db.transaction((other) =>
        other.select().from(throttle).for('update', { skipLocked: true })
      )
      t.equal(free.length, await db.$count(throttle))
      return { signingIn }
    })
    await t.rejects(refused.signingIn, { code: 'email-unverified' })
  }
)
