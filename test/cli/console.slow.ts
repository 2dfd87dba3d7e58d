import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../db/schema/activity.ts'
import { aUser, temporaryFolder, testDatabaseUrl, until } from '../support/app.ts'
import { connectTo, serverVariables, startConsole } from '../support/console-process.ts'
import { built } from '../support/root.ts'
import { visitor } from './run.ts'

t.test('it says where it is, and prints connections and changes with their time', async (t) => {
  const env = serverVariables(await testDatabaseUrl(t))
  const visit = visitor(env.DATABASE_URL)
  const ada = await visit((database) => aUser(database, 'ada@example.com'))
  const running = await startConsole(t, ['--write'], env)
  t.match(running.output(), /^Console of production, with changes allowed, on PostgreSQL at /m)
  t.notMatch(running.output(), /ssh/, 'nobody is connected over SSH')
  const call = await connectTo(running)
  const changed = await call('PUT', `/api/admin/users/${ada.id}/roles/admin`)
  t.equal(changed.status, 204)
  await until(() =>
    /\d\d:\d\d:\d\d {2}user\.role-grant ada@example\.com admin$/m.test(running.output())
  )
  t.match(running.output(), /\d\d:\d\d:\d\d {2}connected: not a known browser/)

  running.child.stdin?.write('\n')
  const before = running.link()
  await until(() => running.link() !== before)
  await connectTo(running)
  t.equal((await call('GET', '/api/admin/users')).status, 401, 'the new link replaces the token')
})

t.test('Ctrl-C, SIGTERM, a closed terminal and End end it, on record', async (t) => {
  const env = serverVariables(await testDatabaseUrl(t))
  const visit = visitor(env.DATABASE_URL)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'End'] as const) {
    const running = await startConsole(t, ['--socket'], env)
    const socket = running.socket() ?? ''
    t.equal(statSync(socket).isSocket(), true)
    const call = await connectTo(running)
    if (signal === 'End') await call('DELETE', '/api/console/session')
    else running.child.kill(signal)
    t.equal(await running.exit, 0, `${signal}: ${running.output()}`)
    t.notOk(existsSync(path.dirname(socket)), 'the folder of the socket is gone')
    t.match(running.output(), /The console ends: /)
  }
  const records = await visit(({ db }) => db.select().from(activity).orderBy(activity.id))
  t.same(
    records.map(({ action }) => action),
    Array.from({ length: 4 }, () => ['console.start', 'console.end']).flat()
  )
  t.match(records[0], { actorLabel: execFileSync('id', ['-un'], { encoding: 'utf8' }).trim() })
  t.same(records[0]?.details, { write: false })
})

t.test(
  'a closed terminal ends it without a dump of its memory, and a closed pipe ends it',
  { timeout: 90_000 },
  async (t) => {
    const env = serverVariables(await testDatabaseUrl(t))
    const visit = visitor(env.DATABASE_URL)
    const ends = () =>
      visit(({ db }) => db.select().from(activity).where(eq(activity.action, 'console.end')))
    const folder = temporaryFolder(t)
    const [printed, status] = [path.join(folder, 'printed'), path.join(folder, 'status')]
    const quoted = (...words: string[]) => words.map((word) => `'${word}'`).join(' ')
    const command = quoted(process.execPath, path.join(built, 'src/cli.js'), 'console', '--socket')
    // The shell stays, to see how the console has ended.
    const shell = `trap : HUP; ${command}; echo $? > ${quoted(status)}`
    const terminal = spawn('script', ['-qefc', shell, printed], {
      env: { PATH: process.env.PATH, SHELL: '/bin/sh', ...env },
      stdio: ['pipe', 'ignore', 'ignore']
    })
    t.teardown(() => terminal.kill('SIGKILL'))
    await until(() => existsSync(printed) && readFileSync(printed, 'utf8').includes('#start='))
    const [, socket = ''] = /-L \d+:(\/\S+)/.exec(readFileSync(printed, 'utf8')) ?? []
    t.equal(statSync(socket).isSocket(), true)
    terminal.kill('SIGKILL') // the window is closed
    await until(() => existsSync(status) && readFileSync(status, 'utf8') !== '')
    t.equal(readFileSync(status, 'utf8').trim(), '129', 'by SIGHUP; an abort would be 134')
    t.notOk(existsSync(path.dirname(socket)), 'the folder of the socket is gone')
    t.equal((await ends()).length, 1)

    const running = await startConsole(t, [], env)
    running.child.stdin?.end()
    t.equal(await running.exit, 0)
    t.match(running.output(), /The console ends: its input has ended\./)
    t.equal((await ends()).length, 2)
  }
)
