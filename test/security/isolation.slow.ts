// Takes about 35 s, so it begins first.

import { randomBytes } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import type { Database } from '../../db/client.ts'
import { isDatabaseUnavailable, isRetryable } from '../../db/errors.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { hasActiveAdmin } from '../../src/domain/access/last-admin.ts'
import { grantRole, revokeRole } from '../../src/domain/access/memberships.ts'
import { updateUser } from '../../src/domain/administration/users.ts'
import { registerUser } from '../../src/domain/sign-in/registration.ts'
import { createBuckets } from '../../src/domain/throttling/buckets.ts'
import { actorOf } from '../support/actors.ts'
import {
  anonymous,
  aUser,
  freshEmail,
  onPglite,
  operator,
  password,
  servicesOf,
  testDatabaseUrl
} from '../support/app.ts'
import { everyLimit } from '../support/rate-limits.ts'
import { signIn } from '../support/sign-in.ts'
import { rules } from '../support/test-config.ts'

// The rules that hold only because transactions wait for each other. A few rounds here; `npm run
// isolation` runs sixty of each.
const levels = ['read committed', 'repeatable read', 'serializable'] as const
const stated = { serverIsolation: false, rounds: 2 }
/** Fewer, because fifty at once keep failing each other at a strict level. */
const unstated = { serverIsolation: true, rounds: 1 }
const cases =
  process.env.ISOLATION_ROUNDS === undefined
    ? [...levels.map((level) => ({ level, ...stated })), { level: 'repeatable read', ...unstated }]
    : [stated, unstated].flatMap(({ serverIsolation }) =>
        levels.map((level) => ({
          level,
          serverIsolation,
          rounds: Number(process.env.ISOLATION_ROUNDS)
        }))
      )
const generous = everyLimit({ burst: 1_000_000, seconds: 1 })
const unthrottled = (database: Database) => ({
  ...servicesOf(database),
  buckets: createBuckets(randomBytes(32), generous)
})
const fifty = <T>(work: () => Promise<T>) =>
  Promise.allSettled(Array.from({ length: 50 }, () => insist(work)))
/** Retries after a 503 like a client: a request may lose often, or time out on a slow machine. */
async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isRetryable(error) && !isDatabaseUnavailable(error)) throw error
    }
  }
}

async function oneAdminLeft(database: Database, round: number) {
  const { db } = database
  const admins = [await aUser(database), await aUser(database)]
  for (const { id } of admins) await grantRole(db, operator, { userId: id, role: 'admin' })
  const [a, b] = await Promise.all(
    admins.map(async (user) => ({ user, actor: await actorOf(database, user) }))
  )
  if (!a || !b) throw new Error('two were created')
  const revoking = round % 2 === 0
  await Promise.allSettled(
    [
      [a.actor, b.user.id],
      [b.actor, a.user.id]
    ].map(([actor, id]) =>
      revoking
        ? revokeRole(db, actor as typeof a.actor, { userId: String(id), role: 'admin' })
        : updateUser({ db, mail: undefined }, actor as typeof a.actor, {
            id: String(id),
            changes: { status: 'deactivated' }
          })
    )
  )
  const left = await hasActiveAdmin(db)
  await db.delete(users)
  return left
}

async function sessionsLeft(database: Database) {
  const { id, email } = await aUser(database)
  const context = unthrottled(database)
  const logins = await fifty(() => signIn(context, anonymous, { email, password, presented: [] }))
  const live = await database.db.$count(
    sessions,
    and(eq(sessions.userId, id), isNull(sessions.revokedAt))
  )
  return { live, refused: logins.filter(({ status }) => status === 'rejected').length }
}

async function accountsMade(database: Database) {
  const email = freshEmail()
  const context = unthrottled(database)
  await fifty(() => registerUser(context, anonymous, { email, password, name: 'Ada' }))
  return database.db.$count(users, eq(users.email, email))
}

for (const { level, serverIsolation, rounds } of onPglite ? [] : cases) {
  const where = `${level} as the server's default${serverIsolation ? ', and nothing stated' : ''}`
  t.test(
    `an administrator remains, the session limit holds, and an address is registered once: ${where}`,
    async (t) => {
      const url = await testDatabaseUrl(t)
      const admin = await openDatabase(url, { poolMax: 1 })
      await admin.db.execute(
        sql.raw(
          `alter database "${new URL(url).pathname.slice(1)}" set default_transaction_isolation = '${level}'`
        )
      )
      await admin.close()
      const database = await openDatabase(url, { serverIsolation })
      t.teardown(() => database.close())
      const results = {
        admins: [] as boolean[],
        sessions: [] as object[],
        accounts: [] as number[]
      }
      for (let round = 0; round < rounds; round++) {
        results.admins.push(await oneAdminLeft(database, round))
        results.sessions.push(await sessionsLeft(database))
        results.accounts.push(await accountsMade(database))
      }
      const all = <T>(value: T) => Array.from({ length: rounds }, () => value)
      t.same(results.admins, all(true))
      t.same(results.sessions, all({ live: rules.maxPerUser, refused: 0 }))
      t.same(results.accounts, all(1))
    }
  )
}
