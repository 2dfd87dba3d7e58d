import postgres from 'postgres'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import path from 'node:path'
import t from 'tap'
import { onPglite, testDatabaseUrl } from '../support/app.ts'
import { startInstance } from './instances.ts'

t.test(
  'ten instances start at once on an empty database: one migrates it, and all become ready',
  { skip: onPglite && "a directory is one process's" },
  async (t) => {
    const url = await testDatabaseUrl(t)
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    t.teardown(() => sql.end())
    await sql`drop schema public cascade`
    await sql`drop schema drizzle cascade`
    await sql`create schema public`

    const instances = await Promise.all(
      Array.from({ length: 10 }, () =>
        startInstance(t, { DATABASE_URL: url, DATABASE_POOL_MAX: '2', MIGRATE_ON_START: 'true' })
      )
    )
    await Promise.all(instances.map((instance) => instance.ready()))
    const migrations = readMigrationFiles({
      migrationsFolder: path.join(import.meta.dirname, '../../db/migrations')
    }).length
    t.match(
      await sql`select count(*)::int as applied from drizzle.__drizzle_migrations`,
      [{ applied: migrations }],
      'each migration once'
    )
    t.match(await sql`select count(*)::int as scopes from epochs`, [{ scopes: 66 }])
    t.match(await sql`select count(*)::int as roles from roles`, [{ roles: 2 }])
    for (const instance of instances) {
      instance.process.kill('SIGTERM')
      t.equal(await instance.exit, 0)
    }
  }
)
