import { execFile } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { findBrokenIndexes } from '../../db/index-check.ts'
import { partitionFinding } from '../../src/commands/schema-findings.ts'
import { syncRegistry } from '../../src/domain/access/registry.ts'
import { until } from '../support/app.ts'
import { blocksOf } from '../support/documents.ts'
import { partitionActivity } from '../support/partitions.ts'
import { asNobody, databaseUrl, freePort, ownFolder } from '../support/postgres.ts'
import { unpackedPackages } from './debian.ts'
import { publicFolder, startInstance } from './instances.ts'
import { caller, failuresOf, people } from './people.ts'

const run = promisify(execFile)
const records = Number(process.env.PARTMAN_RECORDS ?? 300_000)
const months = 12

const [setup = '', move = '', moveStrays = ''] = blocksOf('docs/do/partition.md')
  .filter(({ language }) => language === 'sql')
  .map(({ text }) => text)

/** Debian's PostgreSQL with pg_partman, in a folder of its own, where an extension can be added. */
async function startServer(t: Test) {
  const { stdout } = await run('apt-cache', ['search', '^postgresql-[0-9]+-partman$']).catch(
    () => ({
      stdout: ''
    })
  )
  const [, version] = /^postgresql-(\d+)-partman /m.exec(stdout) ?? []
  if (version === undefined) {
    throw new Error(
      'This check needs the Debian package postgresql-NN-partman, which apt-cache does not know: ' +
        'run apt-get update as root, or use Debian 12 or newer.'
    )
  }
  const folder = publicFolder(t)
  const { env } = await unpackedPackages(folder, [
    `postgresql-${version}-partman`,
    `postgresql-${version}`
  ])
  // PostgreSQL finds extensions beside its own programs, some of which may be installed already.
  for (const place of [`usr/lib/postgresql/${version}`, `usr/share/postgresql/${version}`]) {
    const [from, to] = [path.join('/', place), path.join(folder, place)]
    if (existsSync(from)) cpSync(from, to, { recursive: true, force: false, dereference: true })
  }
  const [port, data] = [await freePort(), await ownFolder(folder, 'data')]
  const tool = (name: string, ...args: string[]) =>
    run(path.join(folder, `usr/lib/postgresql/${version}/bin`, name), args, { ...asNobody(), env })
  const locale = ['--encoding', 'UTF8', '--locale', 'C']
  await tool('initdb', '--pgdata', data, '-U', 'postgres', '-A', 'trust', '--no-sync', ...locale)
  const options =
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off ` +
    '-c timezone=Europe/Berlin'
  const log = path.join(data, 'log')
  const where = ['--pgdata', data, '--log', log]
  await tool('pg_ctl', ...where, '--wait', '--options', options, 'start')
  t.teardown(() => tool('pg_ctl', '--pgdata', data, '--mode', 'immediate', 'stop'))
  const url = (role: string, name: string) =>
    databaseUrl(`postgres://${role}@127.0.0.1:${port}/postgres`, name)
  return {
    url,
    psql: (name: string, sql: string) =>
      tool('psql', '--no-psqlrc', '-qd', url('postgres', name), '-c', sql),
    /** Runs a script, which may have commands of psql. */
    script: async (name: string, sql: string) => {
      const running = tool('psql', '--no-psqlrc', '-qd', url('postgres', name))
      running.child.stdin?.end(sql)
      await running
    }
  }
}

t.test('pg_partman keeps the activity in months while users write', async (t) => {
  const { url, psql, script } = await startServer(t)
  for (const role of ['portal', 'server']) await psql('postgres', `create role ${role} login`)
  // These limits are those of docs/do/install.md.
  await psql('postgres', "alter role server set statement_timeout = '5s'")
  await psql('postgres', "alter role server set lock_timeout = '2s'")
  for (const [name, before] of [
    ['plain', async () => {}],
    ['partitioned', partitionActivity]
  ] as const) {
    await t.test(`the recipe begins with a ${name} table`, async (t) => {
      await psql('postgres', `create database ${name} owner portal`)
      const database = await openDatabase(url('portal', name), { poolMax: 2 })
      t.teardown(() => database.close())
      await database.migrate(syncRegistry)
      const client = postgres(url('portal', name), { max: 1, onnotice: () => {} })
      t.teardown(() => client.end())
      await client.unsafe(
        `insert into activity (id, at, action, outcome, actor_type, source)
        select gen_random_uuid(), now() - n * interval '${months} months' / ${records},
          'auth.login', 'success', 'system', 'job' from generate_series(1, ${records}) as n`
      )
      await before(database)
      await client.unsafe(`grant usage on schema public, drizzle to server;
        grant select on drizzle.__drizzle_migrations to server;
        grant select, insert, update, delete on all tables in schema public to server;
        revoke update on activity from server`)
      const digest = async () =>
        client`select count(*)::int as count, sum(hashtext(id::text)) as ids from activity
          where source = 'job'`
      const written = await digest()

      const instance = await startInstance(t, {
        DATABASE_URL: url('server', name),
        ACTIVITY_RETENTION_DAYS: '3650'
      })
      await instance.ready()
      const { call, close } = caller(() => instance.port)
      t.teardown(close)
      const crowd = people(call, 4)
      const grown = (by: number) => {
        const enough = crowd.acknowledged() + by
        return until(() => crowd.acknowledged() >= enough)
      }
      await grown(5)
      await script(name, setup)
      await grown(5)
      t.match(await client`select count(*)::int from activity where source = 'job'`, [{ count: 0 }])
      await script(name, move)
      await grown(5)
      t.same(await digest(), written, 'every record is in a month')
      t.match(await client`select count(*)::int from activity_default`, [{ count: 0 }])
      t.match(await partitionFinding(database.db), { result: 'ok', finding: /, 4 months ahead$/ })
      t.same(await findBrokenIndexes(database.db), [])
      t.match(
        await client`select bool_and(has_table_privilege('server', oid, 'insert') and
            not has_table_privilege('server', oid, 'update')) as exact,
          bool_and(pg_get_userbyid(relowner) = 'portal') as owned
          from pg_class where relname ~ '^activity(_p.*|_default)?$' and relkind in ('r', 'p')`,
        [{ exact: true, owned: true }]
      )

      const maintain = "set timezone = 'UTC'; call partman.run_maintenance_proc();"
      await script(name, maintain)
      const [oldest] = await client`select now() - min(at) between interval '180 days' and
        interval '215 days' as kept from activity`
      t.same(oldest, { kept: true }, 'the months before the retention were dropped')
      await crowd.stop()
      t.same(failuresOf(crowd.tally), {})
      t.same(await crowd.missing(call), [])
      const [registered] = await client`select count(*)::int from activity
        where action = 'auth.register' and outcome = 'success'`
      t.equal(registered?.count, crowd.acknowledged(), 'each registration has its record')

      await client`insert into activity (id, at, action, outcome, actor_type, source)
        values (gen_random_uuid(), now() + interval '6 months', 'auth.login', 'success', 'system', 'job')`
      t.match(await client`select count(*)::int from activity_default`, [{ count: 1 }])
      await script(name, moveStrays)
      t.match(await client`select count(*)::int from activity_default`, [{ count: 0 }])
      await script(name, maintain)
      t.match(await partitionFinding(database.db), { result: 'ok', finding: /, 6 months ahead$/ })
    })
  }
})
