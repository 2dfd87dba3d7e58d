import { countDistinct, sql } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../../db/schema/activity.ts'
import { jobs } from '../../../db/schema/jobs.ts'
import { users } from '../../../db/schema/users.ts'
import { deletePlannedAccounts } from '../../../src/domain/jobs/planned-deletions.ts'
import { testDatabase } from '../../support/app.ts'

/** `npm run check -- deletions` tries 10,000. */
const many = Number(process.env.PLANNED_DELETIONS ?? 105)

t.test(`${many} accounts that are due at once are deleted in one run`, async (t) => {
  const { db } = await testDatabase(t)
  await db.delete(jobs)
  await db.execute(sql`with made as (
      insert into users (id, email, email_normalized, name, status, delete_at)
      select gen_random_uuid(), n || '@example.com', n || '@example.com', 'N', 'deactivated', now()
      from generate_series(1, ${many}::int) n returning id)
    insert into user_roles (user_id, role_id)
    select made.id, roles.id from made, roles where roles.key = 'user'`)

  const errors: unknown[] = []
  const signal = new AbortController().signal
  const started = performance.now()
  const deleted = await deletePlannedAccounts({
    db,
    mail: undefined,
    signal,
    onError: (error) => errors.push(error)
  })
  const seconds = (performance.now() - started) / 1000
  t.comment(`${many} accounts in ${Math.round(seconds)} s`)
  t.same(errors, [])
  t.equal(deleted, many)
  t.equal(await db.$count(users), 0)
  // The time of a record is that of its transaction.
  const [times] = await db.select({ count: countDistinct(activity.at) }).from(activity)
  t.ok((times?.count ?? 0) > many / 2, 'each has a transaction of its own')
})
