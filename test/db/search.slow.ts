// Also on PGlite.

import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import type { Db } from '../../db/engine.ts'
import { databaseCode } from '../../db/errors.ts'
import { users } from '../../db/schema/users.ts'
import { missingSearchIndex } from '../../db/server-info.ts'
import { syncRegistry } from '../../src/domain/access/registry.ts'
import { matchesWords } from '../../src/domain/search.ts'
import { listUsers } from '../../src/domain/users/list.ts'
import { portal } from '../cli/run.ts'
import { onPglite, testDatabase, testDatabaseUrl } from '../support/app.ts'

/** Every thousandth is found, by address or by name. */
const addUsers = (db: Db, count: number) =>
  db.execute(sql`
    insert into users (id, email, email_normalized, name)
    select gen_random_uuid(), address, address, 'Person ' || n || case when n % 2000 = 0 then ' Lovelace' else '' end
    from (select n, 'u' || n || case when n % 2000 = 1000 then '.lovelace' else '' end || '@example.com' as address
      from generate_series(1, ${sql.raw(String(count))}) as n) as numbered`)

async function pagesOf(db: Db, q: string) {
  const pages: string[][] = []
  let after: unknown[] | undefined
  do {
    const { items, next } = await listUsers(db, { q, sort: 'createdAt', limit: 100, after })
    pages.push(items.map(({ id }) => id))
    after = next
  } while (after)
  return pages
}

t.test('a search of users looks up all words in one index', async (t) => {
  const { db } = await testDatabase(t)
  await addUsers(db, 4_000)
  await db.execute('vacuum analyze users') // also merges the list of entries that are not yet in the indexes
  t.same(await missingSearchIndex(db), [])
  const answer: unknown = await db.execute(
    sql`explain select id from users where ${matchesWords('Lovelace person', users.name, users.emailNormalized)}`
  )
  t.match(JSON.stringify(answer), /Bitmap Index Scan on users_search/)
  const [page, ...more] = await pagesOf(db, 'LOVELACE')
  t.same([page?.length, more.length], [4, 0])
})

t.test(
  'without the extension pg_trgm a search finds the same users in short pages',
  { skip: onPglite && 'it brings the extension along' },
  async (t) => {
    const url = await testDatabaseUrl(t)
    const admin = postgres(url, { max: 1, onnotice: () => {} })
    t.teardown(() => admin.end())
    await admin.unsafe(`
      drop schema public, drizzle cascade;
      create schema public;
      create function public.missing() returns event_trigger language plpgsql as
        $$ begin raise 'extension "pg_trgm" is not available' using errcode = '0A000'; end $$;
      create event trigger missing on ddl_command_start when tag in ('CREATE EXTENSION')
        execute function public.missing()`)
    const database = await openDatabase(url)
    t.teardown(() => database.close())
    const { db } = database
    const error = await db.execute('create extension pg_trgm').catch(databaseCode)
    t.equal(error, '0A000', 'as a server without the files of the extension')

    await database.migrate(syncRegistry)
    t.same(await database.missingMigrations(), [])
    await addUsers(db, 6_000)
    const short = await pagesOf(db, 'lovelace')
    t.equal(short.flat().length, 6)
    t.ok(short.length > 1, 'a page looks at 5,000 users')
    t.equal((await missingSearchIndex(db)).length, 2)

    const doctor = await portal(['doctor', '--json'], { env: { DATABASE_URL: url } })
    const findings = JSON.parse(doctor.stdout) as { check: string; result: string; todo: string }[]
    const search = findings.find(({ check }) => check === 'search')
    t.equal(search?.result, 'warning')
    await admin`drop event trigger missing`
    for (const line of search?.todo.split('\n').slice(1) ?? []) await admin.unsafe(line)
    t.same(await missingSearchIndex(db), [], 'its statements create what is missing')
    await admin`analyze users`
    t.same(await pagesOf(db, 'lovelace'), [short.flat()])
  }
)
