import { asc, eq, like, or, sql } from 'drizzle-orm'
import t from 'tap'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { activity } from '../../../db/schema/activity.ts'
import { flagRevisions } from '../../../db/schema/flags.ts'
import { jobs } from '../../../db/schema/jobs.ts'
import { users } from '../../../db/schema/users.ts'
import { deleteUser, updateUser } from '../../../src/domain/administration/users.ts'
import { forgetAddresses } from '../../../src/domain/jobs/forgotten-addresses.ts'
import { aUser, freshEmail, operator, testDatabase } from '../../support/app.ts'

const context = (db: Db) => ({ db, mail: undefined })
const errors: unknown[] = []
const run = (db: Db) =>
  forgetAddresses({
    db,
    signal: new AbortController().signal,
    onError: (error) => errors.push(error)
  })
/** The records in which an address is anywhere. */
const naming = (db: Db, email: string) =>
  db.$count(
    activity,
    or(eq(activity.actorLabel, email), like(sql`${activity.details}::text`, `%${email}%`))
  )
const login = (actor: { id: string; email: string }) => ({
  id: uuid(),
  action: 'auth.login',
  outcome: 'success' as const,
  actorType: 'user' as const,
  actorId: actor.id,
  actorLabel: actor.email,
  source: 'api' as const
})

t.test('the addresses of a deleted user go, former ones as well, and no others', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const [user, other] = [await aUser(database), await aUser(database)]
  const email = freshEmail()
  await updateUser(context(db), operator, { id: user.id, changes: { email } })
  await db.insert(activity).values(Array.from({ length: 1001 }, () => login(user)))
  // An action of the deleted user on somebody else names the other one.
  await db.insert(activity).values({
    ...login({ id: user.id, email }),
    action: 'user.update',
    targetType: 'user',
    targetId: other.id,
    details: { changes: { email: { from: other.email, to: 'x@example.com' } } }
  })
  await db.insert(activity).values(login(other))
  await db.insert(flagRevisions).values(
    [user, other].map(({ id, email }) => ({
      ...{ kind: 'flag' as const, key: id, version: 1, change: 'create' as const, fields: [] },
      ...{ actorType: 'user' as const, actorId: id, actorLabel: email }
    }))
  )
  const before = [await naming(db, user.email), await naming(db, other.email)]
  t.ok(before.every((count) => count > 1))

  t.equal(await run(db), 0, 'nobody is deleted')
  t.equal(await naming(db, user.email), before[0])
  await deleteUser(context(db), operator, { id: user.id })
  await db.update(jobs).set({ beganAt: sql`now() - interval '1 hour'` })
  t.equal(await run(db), 1)
  t.same(errors, [])
  t.equal(await naming(db, user.email), 0)
  t.equal(await naming(db, email), 0)
  t.equal(await naming(db, other.email), before[1])
  const { key, actorId: author, actorLabel: label } = flagRevisions
  t.same(await db.select({ key, author, label }).from(flagRevisions).orderBy(asc(key)), [
    { key: user.id, author: null, label: null },
    { key: other.id, author: other.id, label: other.email }
  ])
  const records = await db
    .select({ action: activity.action, details: activity.details, actorType: activity.actorType })
    .from(activity)
    .where(eq(activity.targetId, user.id))
    .orderBy(asc(activity.at), asc(activity.id))
  t.match(records, [
    { action: 'auth.register' },
    { action: 'user.update', details: { fields: ['email'] } },
    { action: 'user.delete', actorType: 'cli', details: {} }
  ])
  await db.update(jobs).set({ beganAt: sql`now() - interval '1 hour'` })
  t.equal(await run(db), 0, 'and nobody is forgotten twice')
})

t.test('an address stays while an import has made its user anew, with the same id', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const user = await aUser(database)
  const [row] = await db.select().from(users).where(eq(users.id, user.id))
  if (!row) throw new Error('not found')
  await deleteUser(context(db), operator, { id: user.id })
  await db.insert(users).values(row)
  t.equal(await run(db), 0)
  t.ok((await naming(db, user.email)) > 0)
  await db.delete(users).where(eq(users.id, user.id))
  await db.update(jobs).set({ beganAt: sql`now() - interval '1 hour'` })
  t.equal(await run(db), 1)
  t.equal(await naming(db, user.email), 0)
})
