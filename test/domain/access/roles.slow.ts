import { count, desc, eq, sql } from 'drizzle-orm'
import t from 'tap'
import type { Db } from '../../../db/engine.ts'
import { userRoles } from '../../../db/schema/roles.ts'
import { deleteRole } from '../../../src/domain/access/role-deletion.ts'
import { findRole } from '../../../src/domain/access/roles.ts'
import { actorOf } from '../../support/actors.ts'
import {
  activityOf,
  aRole,
  aUser,
  onPglite,
  operator,
  testDatabase,
  until
} from '../../support/app.ts'

const members = 5010

/** Enough members for more than one step. */
async function fill(db: Db, roleId: string) {
  await db.execute(sql`insert into users (id, email, email_normalized, name)
    select gen_random_uuid(), i || '@example.com', i || '@example.com', 'Ada' from generate_series(1, ${members}::int) i`)
  await db.execute(
    sql`insert into user_roles select u.id, ${roleId}::uuid from users u on conflict do nothing`
  )
}

if (!onPglite) {
  t.test('a member can delete a large role that grants the right to delete it', async (t) => {
    const database = await testDatabase(t)
    const { db } = database
    const key = await aRole(database, 'roles:delete')
    const user = await aUser(database)
    await fill(db, (await findRole(db, key)).id)
    await deleteRole(db, await actorOf(database, user), { key })
    await t.rejects(findRole(db, key), { code: 'role-not-found' })
  })

  t.test('an interrupted deletion of a large role is completed by repeating it', async (t) => {
    const database = await testDatabase(t)
    const { db } = database
    const key = await aRole(database)
    const { id } = await findRole(db, key)
    await fill(db, id)
    const left = async () =>
      (await db.select({ count: count() }).from(userRoles).where(eq(userRoles.roleId, id)))[0]
        ?.count

    await db.transaction(async (tx) => {
      // The second step waits for this member, and its connection is terminated meanwhile.
      await tx
        .select()
        .from(userRoles)
        .where(eq(userRoles.roleId, id))
        .orderBy(desc(userRoles.userId))
        .limit(1)
        .for('update')
      const deletion = t.rejects(deleteRole(db, operator, { key }))
      await until(async () => (await left()) === 10)
      t.equal((await findRole(db, key)).id, id, 'the role is still there')
      await until(
        async () =>
          (
            await db
              .select({ ended: sql`pg_terminate_backend(pid)` })
              .from(
                sql`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
              )
          ).length > 0
      )
      await deletion
    })
    await deleteRole(db, operator, { key })
    t.equal(await left(), 0)
    await t.rejects(findRole(db, key), { code: 'role-not-found' })
    t.match(
      (await activityOf(database, id)).map(({ action, details }) => [action, details]),
      [
        ['role.delete', { key, members: 10 }],
        ['role.members-remove', { key, members: 5000 }],
        ['role.create', {}]
      ]
    )
  })
}
