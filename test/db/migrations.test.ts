import { randomUUID } from 'node:crypto'
import { mock } from 'node:test'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { databaseCode } from '../../db/errors.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { tokens } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import { isUpToDate, syncRegistry } from '../../src/domain/access/registry.ts'
import { aUser, onPglite, testDatabase, testDatabaseUrl } from '../support/app.ts'

if (!onPglite) {
  t.test(
    'a migration that waits for another process says so, and continues after it',
    async (t) => {
      const url = await testDatabaseUrl(t)
      const database = await openDatabase(url)
      t.teardown(() => database.close())
      const other = postgres(url, { max: 1, onnotice: () => {} })
      t.teardown(() => other.end())
      await other`select pg_advisory_lock(${0x706f7274616c}::bigint)`
      // The wait is reported after five seconds: each look at the clock takes two.
      const now = performance.now.bind(performance)
      let looks = 0
      const clock = mock.method(performance, 'now', () => now() + 2000 * looks++)
      t.teardown(() => clock.mock.restore())
      let waits = 0
      await database.migrate(syncRegistry, () => {
        waits++
        other`select pg_advisory_unlock_all()`.catch(t.fail)
      })
      t.equal(waits, 1)
      await database.migrate(syncRegistry, () => t.fail('no other process migrates'))
    }
  )

  t.test('three processes can migrate an empty database at once', async (t) => {
    const url = await testDatabaseUrl(t)
    const client = postgres(url, { max: 1, onnotice: () => {} })
    await client`drop schema public cascade`
    await client`drop schema drizzle cascade`
    await client`create schema public`
    await client.end()
    const databases = await Promise.all(
      Array.from({ length: 3 }, () => openDatabase(url, { poolMax: 2 }))
    )
    t.not((await databases[0]?.missingMigrations())?.length, 0)
    await Promise.all(databases.map((database) => database.migrate(syncRegistry)))
    for (const database of databases) {
      t.equal(await isUpToDate(database), true)
      await database.close()
    }
  })
}

t.test('a second migration changes nothing', async (t) => {
  const database = await testDatabase(t)
  const user = await aUser(database)
  await database.migrate(syncRegistry)
  t.match(await database.db.select({ id: users.id }).from(users), [{ id: user.id }])
})

t.test(
  'the database rejects invalid hashes, unknown themes and duplicate e-mail addresses',
  async (t) => {
    const database = await testDatabase(t)
    const user = await aUser(database)
    const code = async (changes: object) =>
      database.db
        .update(users)
        .set(changes)
        .then(() => 'none', databaseCode)
    t.equal(await code({ passwordHash: 'correct horse' }), '23514')
    t.equal(await code({ passwordHash: `$2b$04$${'x'.repeat(52)}` }), '23514')
    t.equal(await code({ passwordHash: `h384:$2b$12$${'x'.repeat(53)}` }), 'none')
    t.equal(await code({ theme: 'pink' }), '23514')
    t.equal(await code({ name: '' }), '23514')
    const insert = sql`insert into users (id, email, email_normalized, name) values (gen_random_uuid(), 'x@example.com', ${user.email}, 'x')`
    t.equal(await database.db.execute(insert).then(() => 'none', databaseCode), '23505')
  }
)

t.test('the database rejects mail without a payload, and tokens without an owner', async (t) => {
  const { db } = await testDatabase(t)
  const expiresAt = new Date(Date.now() + 60_000)
  const mail = { kind: 'recovery', payload: Buffer.of(1), expiresAt } as const
  const insertMail = (changes: object) =>
    db
      .insert(outbox)
      .values({ id: randomUUID(), ...mail, ...changes })
      .then(() => 'none', databaseCode)
  const done = { doneAt: expiresAt }
  t.equal(await insertMail({}), 'none')
  t.equal(await insertMail({ payload: null }), '23514')
  t.equal(await insertMail({ state: 'sent', ...done }), '23514', 'sent mail keeps no payload')
  t.equal(await insertMail({ state: 'sent', ...done, payload: null }), 'none')
  t.equal(await insertMail({ state: 'dead' }), '23514', 'finished mail has a time')
  t.equal(await insertMail({ state: 'dead', ...done }), 'none')
  t.equal(await insertMail({ state: 'lost', ...done }), '23514')
  t.equal(await insertMail({ lastError: 'smtp 550 <ada@example.com> unknown' }), '23514')

  const token = { hash: Buffer.alloc(32), purpose: 'confirm', expiresAt } as const
  const insertToken = (changes: object) =>
    db
      .insert(tokens)
      .values({ ...token, ...changes })
      .then(() => 'none', databaseCode)
  t.equal(await insertToken({}), '23514')
  t.equal(await insertToken({ userId: randomUUID() }), '23503')
})

t.test('updates of the last use and the last sign-in stay on their pages', async (t) => {
  const database = await testDatabase(t)
  const { id } = await aUser(database)
  await database.db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into users (id, email, email_normalized, name, password_hash)
      select gen_random_uuid(), 'user-' || n || '@example.com', 'user-' || n || '@example.com',
        'Ada Lovelace', '$2b$12$' || repeat('x', 53)
      from generate_series(1, 500) as n`)
    await tx.execute(sql`
      insert into sessions (id, token_hash, user_id, expires_at, user_agent)
      select gen_random_uuid(), sha256(n::text::bytea), ${id}, now() + interval '1 day', repeat('x', 100)
      from generate_series(1, 500) as n`)
    // One row of each page, which the inserts have filled. With a second one of the same transaction
    // there would be no old version to remove.
    const firstOfPage = sql`ctid::text like '%,1)'`
    await tx.execute(sql`update users set last_login_at = now() where ${firstOfPage}`)
    await tx.execute(sql`
      update sessions set last_seen_at = now() + interval '1 minute' where ${firstOfPage}`)
    const counts = await tx
      .select({
        table: sql`relname`,
        all: sql<number>`n_tup_upd::int`,
        hot: sql`n_tup_hot_upd::int`
      })
      .from(sql`pg_stat_xact_user_tables`)
      .where(sql`relname in ('users', 'sessions')`)
      .orderBy(sql`relname desc`)
    t.match(counts, [{ table: 'users' }, { table: 'sessions' }])
    for (const { table, all, hot } of counts) {
      t.ok(all > 10, 'many pages')
      t.equal(hot, all, `${table}: every update is heap-only`)
    }
  })
})
