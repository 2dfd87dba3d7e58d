import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import postgres from 'postgres'
import t from 'tap'
import { freePort, clean, startPostgres } from '../support/postgres.ts'
import { publicFolder } from '../resilience/instances.ts'
import { built, root } from '../support/root.ts'

const folder = path.join(publicFolder(t), 'postgres')
const server = await startPostgres(folder)
const { port } = new URL(server)
const admin = postgres(server, { max: 1, onnotice: () => {} })
t.teardown(async () => {
  await admin.end()
  await clean(folder)
})
const databases = async () => (await admin`select datname from pg_database order by 1`).map(String)

/** `npm run check -- engine` in a process of its own. */
async function engine(...args: string[]) {
  const child = spawn(process.execPath, [path.join(built, 'test/engine/run.js'), ...args], {
    cwd: root,
    // The folder of a run is named after its runner, which cleans it up.
    env: { ...process.env, PORTAL_TEST_RUNNER: undefined, TEST_DATABASE_URL: undefined }
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, stdout, stderr }
}

t.test('a report has the parts, the plans and the settings, but no password', async (t) => {
  const password = 'p@ss/w&rd'
  await admin.unsafe(`create role tester superuser login password '${password}'`)
  const url = `postgres://tester:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`
  const before = await databases()
  const some = ['--only', 'migrations,freshness,plans', '--rounds', '18']
  const { code, stdout, stderr } = await engine(...some, url)
  t.equal(code, 0, stderr)
  t.match(
    stdout,
    /\| migrations \| passed \|.*\n\| freshness \| passed \|.*\n\| plans \| passed \|/
  )
  t.match(stdout, '| default_transaction_isolation | read committed |')
  t.match(stdout, 'Index Scan using sessions_token_hash')
  t.match(stderr, /\n +1 of 1 ok .* test\/security\/two-servers\.slow\.ts\n/)
  for (const secret of [password, encodeURIComponent(password)]) {
    t.notOk(`${stdout}${stderr}`.includes(secret))
  }
  t.same(await databases(), before, 'its databases are gone')
})

t.test('a failed part is reported with its first errors, and is exit code 1', async (t) => {
  // New databases are copies of this one.
  const template = postgres(server.replace(/\w+$/, 'template1'), { max: 1 })
  await template.unsafe(`
    create function refuse() returns event_trigger language plpgsql as
      $$ begin raise 'no tables today'; end $$;
    create event trigger refuse on ddl_command_start when tag in ('CREATE TABLE')
      execute function refuse()`)
  await template.end()
  const { code, stdout } = await engine('--only', 'migrations', server)
  t.equal(code, 1)
  t.match(
    stdout,
    /\| migrations \| \*\*failed\*\* \|[^]*## First errors: migrations[^]*no tables today/
  )
})

t.test('it refuses servers that it could harm or cannot use', async (t) => {
  await admin`create database taken template template0`
  const taken = postgres(server.replace(/\w+$/, 'taken'), { max: 1 })
  await taken`create table precious (id int)`
  await taken.end()
  await admin`create role weak login`
  const before = await databases()
  for (const [reason, ...args] of [
    ['Usage: npm run', ...[]],
    ['Usage: npm run', server, server],
    ['The URL must be', 'mysql://127.0.0.1/test'],
    ['There is no part everything', '--only', 'everything', server],
    ['The server cannot be used', `postgres://portal@127.0.0.1:${await freePort()}/postgres`],
    ['The server cannot be used: it has no database', server.replace(/\w+$/, 'nothing')],
    ['The database is not empty', server.replace(/\w+$/, 'taken')],
    ['The role may not create databases', server.replace('portal@', 'weak@')]
  ] as const) {
    const { code, stdout, stderr } = await engine(...args)
    t.equal(code, 2, stderr)
    t.match(stderr, reason)
    t.equal(stdout, '')
  }
  t.same(await databases(), before)
})
