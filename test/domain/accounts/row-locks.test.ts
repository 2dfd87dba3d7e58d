import { eq, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import t from 'tap'
import type { Db } from '../../../db/engine.ts'
import { throttle } from '../../../db/schema/throttle.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { tokens } from '../../../db/schema/tokens.ts'
import { users } from '../../../db/schema/users.ts'
import { deleteOwnAccount } from '../../../src/domain/accounts/credentials.ts'
import { confirmEmail } from '../../../src/domain/accounts/emails.ts'
import { sha256 } from '../../../src/domain/crypto.ts'
import { actorOf } from '../../support/actors.ts'
import {
  anonymous,
  aUser,
  freshEmail,
  onPglite,
  password,
  testDatabase,
  until
} from '../../support/app.ts'
import { linksOn } from './mailed-links.ts'
import { signIn } from '../../support/sign-in.ts'

const database = await testDatabase(t)
const { db } = database
const { services, ofUser, revertLink, aRegistration, confirm, recover, revert } = linksOn(database)

/** Locks rows during the work, which gets a function that resolves when somebody waits for them. */
const whileLocked = <T>(rows: SQL, work: (awaited: () => Promise<unknown>, tx: Db) => Promise<T>) =>
  db.transaction(async (tx) => {
    await tx.execute(rows)
    const [own] = await tx.select({ pid: sql<number>`pg_backend_pid()` }).from(sql`(select) as one`)
    const waits = sql`${own?.pid} = any(pg_blocking_pids(pid))`
    return work(() => until(async () => (await db.$count(sql`pg_stat_activity`, waits)) > 0), tx)
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
      revert: await revertLink(user),
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
      const signingIn = t.rejects(
        signIn(strict, anonymous, { email: user.email, password, presented: [] }),
        { code: 'email-unverified' }
      )
      await awaited()
      const free = await db.transaction((other) =>
        other.select().from(throttle).for('update', { skipLocked: true })
      )
      t.equal(free.length, await db.$count(throttle))
      return { signingIn }
    })
    await refused.signingIn
  }
)

t.test(
  'the proof is judged again once the account is locked',
  { skip: onPglite && 'one connection' },
  async (t) => {
    for (const currentPassword of [password, undefined]) {
      const user = await aUser(database)
      const actor = await actorOf(database, user)
      const owner = sql`select 1 from users where id = ${user.id} for no key update`
      const refused = await whileLocked(owner, async (awaited, tx) => {
        const deleting = t.rejects(
          deleteOwnAccount(services, actor, { ...(currentPassword && { currentPassword }) }),
          { code: 'reauthentication-required' }
        )
        await awaited()
        if (currentPassword) {
          await tx.update(users).set({ secondFactor: true }).where(eq(users.id, user.id))
        } else {
          const createdAt = sql`now() - interval '11 minutes'`
          await tx.update(sessions).set({ createdAt }).where(eq(sessions.id, actor.sessionId))
        }
        return { deleting }
      })
      await refused.deleting
      t.equal(await db.$count(users, eq(users.id, user.id)), 1)
    }
  }
)
