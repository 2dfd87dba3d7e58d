import { appendFileSync, chownSync, cpSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import postgres from 'postgres'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { syncRegistry } from '../../src/domain/access/registry.ts'
import { until } from '../support/app.ts'
import { clean, freePort, postgresTool, runPostgres, startPostgres } from '../support/postgres.ts'
import { publicFolder } from './instances.ts'

const durable = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']

/** A primary and a synchronous standby with the schema. */
export async function cluster(t: Test, connections = 60) {
  const settings = [...durable, `max_connections=${connections}`]
  const [first, second] = [
    path.join(publicFolder(t), 'first'),
    path.join(publicFolder(t), 'second')
  ]
  t.teardown(async () => {
    await clean(first)
    await clean(second)
  })
  const url = await startPostgres(first, settings)
  const database = await openDatabase(url)
  await database.migrate(syncRegistry)
  await database.close()

  const data = (folder: string) => path.join(folder, 'data')
  const stop = (mode: string) =>
    postgresTool(first, 'pg_ctl', '--pgdata', data(first), '--mode', mode, '--wait', 'stop')
  await stop('fast')
  await postgresTool(second, 'pg_ctl', '--version') // puts the programs there
  const [port, standbyPort] = [Number(new URL(url).port), await freePort()]
  cpSync(data(first), data(second), { recursive: true })
  const { uid, gid } = statSync(data(first))
  writeFileSync(path.join(data(second), 'standby.signal'), '')
  appendFileSync(
    path.join(data(second), 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=portal'\n`
  )
  own(data(second), uid, gid)
  const start = () => runPostgres(first, port, [...settings, 'synchronous_standby_names=*'])
  await start()
  await runPostgres(second, standbyPort, settings)
  const clientOf = (url: string) => {
    const client = postgres(url, { max: 1, onnotice: () => {} })
    t.teardown(() => client.end({ timeout: 1 }).catch(() => {}))
    return client
  }
  const standbyUrl = `postgres://portal@127.0.0.1:${standbyPort}/postgres`
  const admin = clientOf(url)
  await until(
    async () =>
      (await admin`select 1 from pg_stat_replication where sync_state = 'sync'`).length === 1
  )
  return {
    url,
    standbyUrl,
    admin,
    clientOf,
    standby: clientOf(standbyUrl),
    hosts: (...ports: number[]) => {
      const list = ports.map((each) => `127.0.0.1:${each}`).join()
      return `postgres://portal@${list}/postgres?target_session_attrs=primary`
    },
    port,
    standbyPort,
    start,
    stop,
    stopStandby: () =>
      postgresTool(second, 'pg_ctl', '--pgdata', data(second), '--mode', 'fast', '--wait', 'stop'),
    startStandby: () => runPostgres(second, standbyPort, settings),
    promote: () => postgresTool(second, 'pg_ctl', '--pgdata', data(second), '--wait', 'promote')
  }
}

function own(folder: string, uid: number, gid: number) {
  for (const name of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    chownSync(path.join(folder, name), uid, gid)
  }
}
