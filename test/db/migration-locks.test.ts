import t from 'tap'
import postgres from 'postgres'
import { openDatabase } from '../../db/client.ts'
import { applyMigrations } from '../../db/migrate.ts'
import { onPglite, testDatabaseUrl, until } from '../helpers.ts'
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
    t.same(await request`select extra from jobs`, [])
    t.match(await request`select timeout from seen`, [{ timeout: '0' }], 'no limit of the role')
  }
)
