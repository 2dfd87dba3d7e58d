import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { registrations, tokens } from '../../../db/schema/tokens.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { sha256 } from '../../../src/domain/crypto.ts'
import { expiredRows } from '../../../src/domain/jobs/sweep.ts'
import { deleteOld } from '../../../src/domain/jobs/delete-batches.ts'
import {
  consumeLinkToken,
  countAttempt,
  createLinkToken,
  deleteLinkTokens,
  returnAttempt
} from '../../../src/domain/tokens/tokens.ts'
import type { LinkPurpose, LinkTokenOwner } from '../../../src/domain/tokens/tokens.ts'
import { aUser, freshEmail, testDatabase } from '../../support/app.ts'

const database = await testDatabase(t)
const { db } = database
t.beforeEach(async () => {
  await db.delete(tokens)
})

const aToken = async (
  owner: LinkTokenOwner,
  {
    purpose = 'password-reset' as LinkPurpose,
    expiresIn = 3600,
    email = undefined as string | undefined
  } = {}
) => {
  const made = await transaction(db, (tx) =>
    createLinkToken(tx, { purpose, owner, expiresIn, email })
  )
  if (!made) throw new Error('no token')
  return made.token
}
/** A token of a new user. */
async function aUsersToken(changes: Parameters<typeof aToken>[1] = {}) {
  const { id: userId } = await aUser(database)
  return { userId, token: await aToken({ userId }, changes) }
}
const consume = (token: string, userId?: string, purpose: LinkPurpose = 'password-reset') =>
  transaction(db, (tx) => consumeLinkToken(tx, purpose, token, userId))
const tryOnce = (token: string, purpose: LinkPurpose = 'password-reset') =>
  transaction(db, (tx) => countAttempt(tx, purpose, token))
const isInvalid = { code: 'invalid-token', statusCode: 400 }
const passwordHash = `$2b$04$${'x'.repeat(53)}`

async function aRegistration(expiresIn = 3600) {
  const [id, email] = [randomUUID(), freshEmail()]
  await db.insert(registrations).values({
    id,
    email,
    emailNormalized: email,
    name: 'Ada',
    passwordHash,
    expiresAt: sql`now() + make_interval(secs => ${expiresIn})`
  })
  return id
}

t.test('a token is 32 random bytes, and only its hash is stored', async (t) => {
  const { userId, token } = await aUsersToken({ email: 'ada@example.com' })
  t.match(token, /^[A-Za-z0-9_-]{43}$/)
  const rows = await db.select().from(tokens)
  t.match(rows, [{ userId, email: 'ada@example.com', purpose: 'password-reset', tries: 0 }])
  t.same(Buffer.from(rows[0]?.hash ?? ''), sha256(token))
  const [{ all } = { all: '' }] = await db
    .select({ all: sql<string>`to_jsonb(tokens)::text` })
    .from(tokens)
  t.notMatch(all, token)
  t.notMatch(all, Buffer.from(token).toString('hex'))
  t.notMatch(all, Buffer.from(token, 'base64url').toString('hex'))
})

t.test('the expiry is returned with the token, for the text of the mail', async (t) => {
  const { id: userId } = await aUser(database)
  const made = await transaction(db, (tx) =>
    createLinkToken(tx, { purpose: 'confirm', owner: { userId }, expiresIn: 3600 })
  )
  const [row] = await db.select({ at: tokens.expiresAt }).from(tokens)
  t.same(made?.expiresAt, row?.at)
  t.match(await tryOnce(made?.token ?? '', 'confirm'), { userId })
})

t.test('a token can be used once, and says what it stands for', async (t) => {
  const { userId, token } = await aUsersToken({ email: 'ada@example.com' })
  t.same(await consume(token), { userId, registrationId: null, email: 'ada@example.com' })
  await t.rejects(consume(token), isInvalid)
  const registrationId = await aRegistration()
  const other = await aToken({ registrationId }, { purpose: 'confirm' })
  t.same(await consume(other, undefined, 'confirm'), { userId: null, registrationId, email: null })
})

t.test('of many that use a token at once one wins', async (t) => {
  const { token } = await aUsersToken()
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => consume(token)))
  t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const result of results) {
    if (result.status === 'rejected') t.match(result.reason, isInvalid)
  }
})

t.test('a token is valid again when its change fails', async (t) => {
  const { userId, token } = await aUsersToken()
  await t.rejects(
    transaction(db, async (tx) => {
      await consumeLinkToken(tx, 'password-reset', token)
      throw new Error('the address is taken')
    }),
    { message: 'the address is taken' }
  )
  t.match(await consume(token), { userId })
})

t.test('unknown, expired, used, of another purpose or user: one refusal', async (t) => {
  const [{ id: userId }, { id: another }] = [await aUser(database), await aUser(database)]
  const refused = async (work: Promise<unknown>) => {
    const error: unknown = await work.then(
      () => t.fail('accepted'),
      (reason: unknown) => reason
    )
    return JSON.stringify([error, (error as Error).message])
  }
  const expired = await aToken({ userId }, { expiresIn: 0 })
  const used = await aToken({ userId })
  await consume(used)
  const good = await aToken({ userId })
  const refusals = [
    await refused(consume('x'.repeat(43))),
    await refused(consume('')),
    await refused(consume(`${good}=`)),
    await refused(consume(expired)),
    await refused(consume(used)),
    await refused(consume(good, undefined, 'email-change')),
    await refused(consume(good, another))
  ]
  t.equal(new Set(refusals).size, 1)
  t.match(refusals[0], 'invalid-token')
  t.match(await consume(good, userId), { userId }, 'and none of them used it up')
})

t.test("the database's clock decides when a token expires", async (t) => {
  const { token } = await aUsersToken()
  await db.update(tokens).set({ expiresAt: sql`now() + interval '1 minute'` })
  t.ok(await tryOnce(token))
  await db.update(tokens).set({ expiresAt: sql`now() - interval '1 millisecond'` })
  t.equal(await tryOnce(token), undefined)
  await t.rejects(consume(token), isInvalid)
})

t.test('three tokens of a purpose are valid at a time: the oldest is deleted', async (t) => {
  const { userId, token: change } = await aUsersToken({ purpose: 'email-change' })
  const made = []
  for (let i = 0; i < 5; i++) made.push(await aToken({ userId }))
  const valid = await Promise.all(made.map(async (each) => (await tryOnce(each)) !== undefined))
  t.same(valid, [false, false, true, true, true])
  t.ok(await tryOnce(change, 'email-change'), 'another purpose counts apart')
})

t.test('links that strangers ask for do not end one that is valid for longer', async (t) => {
  const { userId, token: invitation } = await aUsersToken({ expiresIn: 259_200 })
  const asked = []
  for (let i = 0; i < 4; i++) asked.push(await aToken({ userId }, { expiresIn: 1800 }))
  t.equal(await db.$count(tokens), 3)
  await t.rejects(consume(asked[0] ?? ''), isInvalid)
  t.match(await consume(invitation), { userId })
})

t.test('three of those that are created at once stay', async (t) => {
  const { id: userId } = await aUser(database)
  await Promise.all(Array.from({ length: 12 }, () => aToken({ userId })))
  t.equal(await db.$count(tokens), 3)
})

t.test("using a token ends the user's others of its purpose", async (t) => {
  const { userId, token: first } = await aUsersToken()
  const second = await aToken({ userId })
  const change = await aToken({ userId }, { purpose: 'email-change' })
  const { userId: another, token: theirs } = await aUsersToken()
  await consume(second)
  await t.rejects(consume(first), isInvalid)
  t.match(await consume(change, userId, 'email-change'), { userId })
  t.match(await consume(theirs), { userId: another })
})

t.test('five tries end a token', async (t) => {
  const registrationId = await aRegistration()
  const token = await aToken({ registrationId }, { purpose: 'confirm' })
  for (let i = 0; i < 5; i++) {
    t.same(await tryOnce(token, 'confirm'), { userId: null, registrationId, email: null })
  }
  t.equal(await tryOnce(token, 'confirm'), undefined)
})

t.test('of tries at once five are let through', async (t) => {
  const { token } = await aUsersToken()
  const tries = await Promise.all(Array.from({ length: 20 }, () => tryOnce(token)))
  t.equal(tries.filter(Boolean).length, 5)
})

t.test('the fifth try may succeed, and a try without a comparison is not counted', async (t) => {
  const { userId, token } = await aUsersToken()
  for (let i = 0; i < 5; i++) await tryOnce(token)
  await transaction(db, (tx) => returnAttempt(tx, 'password-reset', token))
  t.ok(await tryOnce(token))
  t.equal(await tryOnce(token), undefined)
  t.match(await consume(token), { userId })
})

t.test('a token of an account that is deleted is gone with it', async (t) => {
  const { userId } = await aUsersToken()
  await db.delete(users).where(sql`id = ${userId}`)
  t.equal(await db.$count(tokens), 0)
  const owner = { userId }
  t.equal(
    await transaction(db, (tx) =>
      createLinkToken(tx, { purpose: 'confirm', owner, expiresIn: 60 })
    ),
    undefined
  )
})

t.test('tokens can be ended by purpose', async (t) => {
  const { userId, token: reset } = await aUsersToken()
  const change = await aToken({ userId }, { purpose: 'email-change' })
  await transaction(db, (tx) => deleteLinkTokens(tx, ['email-change'], { userId }))
  t.ok(await tryOnce(reset))
  t.equal(await tryOnce(change, 'email-change'), undefined)
})

t.test('tokens and registrations are deleted once they have expired', async (t) => {
  const { userId, token: good } = await aUsersToken()
  await aToken({ userId }, { expiresIn: -1 })
  await aToken({ registrationId: await aRegistration() }, { expiresIn: -1 })
  t.match(await deleteOld(db, expiredRows['expired tokens'], 1), { deleted: 1 })
  t.match(await deleteOld(db, expiredRows['expired tokens'], 10), { deleted: 1 })
  t.ok(await tryOnce(good))

  await db.delete(registrations)
  const [kept, expired] = [await aRegistration(), await aRegistration(-1)]
  await aToken({ registrationId: expired }, { purpose: 'confirm' })
  t.match(await deleteOld(db, expiredRows['expired registrations'], 10), { deleted: 1 })
  t.match(await db.select({ id: registrations.id }).from(registrations), [{ id: kept }])
  t.equal(await db.$count(tokens), 1, 'with their tokens')
})
