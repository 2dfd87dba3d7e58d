import { sql } from 'drizzle-orm'
import t from 'tap'
import { countRejected } from '../../../src/domain/settings/stored.ts'
import { compileSettings } from '../../../src/http/settings-rules.ts'
import { aUser, testDatabase } from '../../support/app.ts'
import { schemaFile, settingsOf } from '../../support/settings.ts'

t.test('a check of all settings reads each document once', async (t) => {
  const database = await testDatabase(t)
  await aUser(database)
  const settings = await compileSettings(settingsOf(t, schemaFile))
  const count = 6000
  await database.db.execute(sql`
    insert into users (id, email, email_normalized, name)
    select gen_random_uuid(), n || '@example.com', n || '@example.com', 'Ada'
    from generate_series(1, ${count}::int) as n`)
  await database.db.execute(sql`
    insert into user_settings (user_id, part, document, version)
    select id, 'user', '{"startPage":"nowhere"}', 1 from users where email <> ''
    order by id limit ${count}::int`)
  await database.db.execute(sql`analyze user_settings`)
  await database.db.transaction(async (tx) => {
    // A small table would be read as a whole, whatever the condition is.
    await tx.execute(sql`set local enable_seqscan = off`)
    await tx.execute(sql`set local enable_bitmapscan = off`)
    const [found] = await countRejected(tx, settings)
    t.match(found, { pointer: '/startPage', documents: count })
    const [read] = await tx
      .select({
        rows: sql`pg_stat_get_xact_tuples_returned('user_settings_user_id_part_pk'::regclass)`.mapWith(
          Number
        )
      })
      .from(sql`(select 1) as one`)
    // The planner may look up the end of the index as well.
    t.ok(read && read.rows >= count && read.rows < count + 10, `${read?.rows} of ${count} rows`)
  })
})
