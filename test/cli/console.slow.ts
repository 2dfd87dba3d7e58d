import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { activity } from '../../db/schema/activity.ts'
import { aUser, testDatabaseUrl, until } from '../support/app.ts'
import { connectTo, serverVariables, startConsole } from '../support/console-process.ts'
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
    const isSaid = /The console ends/.test(running.output())
    t.equal(isSaid, signal !== 'SIGHUP', 'nothing is written to a terminal that is gone')
  }
  const records = await visit(({ db }) => db.select().from(activity).orderBy(activity.id))
  t.same(
    records.map(({ action }) => action),
    Array.from({ length: 4 }, () => ['console.start', 'console.end']).flat()
  )
  t.match(records[0], { actorLabel: execFileSync('id', ['-un'], { encoding: 'utf8' }).trim() })
  t.same(records[0]?.details, { write: false })
})
