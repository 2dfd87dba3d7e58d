// Not on PGlite: it needs several connections.

import t from 'tap'
import postgres from 'postgres'
import { openDatabase } from '../../db/client.ts'
import { applyMigrations } from '../../db/migrate.ts'
import { onPglite, testDatabaseUrl, until } from '../support/app.ts'
import { migrationsAnd } from './journal.ts'

t.test(
  'a migration that waits for a transaction lets requests pass, and succeeds after it',
  { skip: onPglite && 'PGlite has one connection' },
  async (t) => {
    const url = await testDatabaseUrl(t)
    const connect = () => postgres(url, { max: 1, connection: { statement_timeout: 60_000 } })
    const [backup, request] = [connect(), connect()]
    const name = backup.options.database
    await backup.unsafe(`alter database "${name}" set statement_timeout = '1min'`)
    const database = await openDatabase(url, { poolMax: 2 })
    t.teardown(() => Promise.all([database.close(), backup.end(), request.end()]))
    const folder = migrationsAnd(t, [
      'alter table "jobs" add column "extra" text;',
      "create table seen as select current_setting('statement_timeout') as timeout;"
    ])

    await backup`begin`
    await backup`select from jobs`
    const migrating = applyMigrations(database.db, folder, true)
    const waiting = async () => {
      const [row] = await request`
        select pid from pg_locks
        where relation = 'jobs'::regclass and not granted
          and database = (select oid from pg_database where datname = current_database())`
      return row !== undefined
    }
    await until(waiting)
    await t.resolves(request`select name from jobs`, 'which came after it')
    await until(async () => !(await waiting()))
    await backup`commit`
    await migrating
    t.match(await request`select extra from jobs limit 1`, [{ extra: null }])
    t.match(await request`select timeout from seen`, [{ timeout: '0' }], 'no limit of the role')
  }
)

t.test(
  'a process that waits for another to change the schema keeps no transaction open',
  { skip: onPglite && 'PGlite belongs to one process' },
  async (t) => {
    const url = await testDatabaseUrl(t)
    const client = postgres(url, { max: 1 })
    const [changing, waiting] = [await openDatabase(url), await openDatabase(url)]
    t.teardown(() => Promise.all([changing.close(), waiting.close(), client.end()]))
    const order: string[] = []
    let finish = () => {}
    const first = changing.exclusively(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve
        })
    )
    await until(async () => (await transactions()).length === 1)
    const second = waiting.exclusively(async () => {
      order.push('second')
      return 'its result'
    })

    // A concurrent index build of the first would wait for a transaction of the second, if it found
    // a snapshot there, until the first had ended.
    const seen = new Set<string>()
    await until(async () => {
      for (const { pid, began } of await transactions()) seen.add(`${pid} ${began}`)
      const ofEach = [...seen].map((each) => each.split(' ')[0])
      return new Set(ofEach).size === 2 && ofEach.length > 3
    })
    order.push('first')
    finish()
    await first
    t.equal(await second, 'its result')
    t.same(order, ['first', 'second'])

    function transactions() {
      return client<{ pid: number; began: string }[]>`
        select pid, extract(epoch from xact_start)::text as began from pg_stat_activity
        where datname = current_database() and application_name = 'portal migrate'
          and xact_start is not null`
    }
  }
)
