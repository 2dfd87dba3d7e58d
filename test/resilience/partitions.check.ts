import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import type { Db } from '../../db/engine.ts'
import { dropOldParts } from '../../db/partitions/months.ts'
import { firstOfMonth, readParts } from '../../db/partitions/parts.ts'
import { syncRegistry } from '../../src/domain/access/registry.ts'
import {
  findActivity,
  listActivity,
  listOwnActivity,
  summarizeActivity
} from '../../src/domain/activity/list.ts'
import { oldActivity } from '../../src/domain/jobs/sweep.ts'
import { deleteOld } from '../../src/domain/jobs/delete-batches.ts'
import { clean, startPostgres } from '../support/postgres.ts'
import { built, root } from '../support/root.ts'
import { startInstance } from './instances.ts'
import { actor, addMonths, bytesPerRecord, fillActivity } from './many-records.ts'
import { caller, people } from './people.ts'
import { explainOn } from './statement-times.ts'

// Few by default, so that `npm run check -- resilience` stays short; `npm run check -- partitions`
// takes 20 million.
const records = Number(process.env.PARTITION_RECORDS ?? 200_000)
const pastMonths = 23
const kills = 3
const allowedPage = 50
const allowedDrop = 1000

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`
const { bavail, bsize } = statfsSync(os.tmpdir())
const needed = records * bytesPerRecord * 2
if (bavail * bsize < needed) {
  throw new Error(`${os.tmpdir()} needs ${Math.ceil(needed / 1e9)} GB of free space`)
}

t.test(`${records} records are partitioned while they are written, read and dropped`, async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-partitions-'))
  chmodSync(folder, 0o755)
  t.teardown(async () => {
    await clean(folder)
    rmSync(folder, { recursive: true, force: true })
  })
  const url = await startPostgres(folder, ['shared_buffers=512MB', 'max_wal_size=8GB'])
  const database = await openDatabase(url, { poolMax: 2 })
  t.teardown(() => database.close())
  await database.migrate(syncRegistry)
  const client = postgres(url, {
    max: 1,
    onnotice: () => {},
    connection: { statement_timeout: 0, lock_timeout: 0 }
  })
  t.teardown(() => client.end())

  const began = performance.now()
  const newest = firstOfMonth(new Date(), -pastMonths)
  await fillActivity(client, records, firstOfMonth(newest, -pastMonths), newest)
  t.comment(`filled in ${seconds(began)}`)
  // As docs/do/install.md has them.
  await client`alter role portal set statement_timeout = '5s'`
  await client`alter role portal set lock_timeout = '2s'`
  await client`alter role portal set idle_in_transaction_session_timeout = '10s'`
  const days = Math.ceil((Date.now() - newest.getTime()) / 86_400_000)
  const env = { DATABASE_URL: url, ACTIVITY_RETENTION_DAYS: '3650' }
  const instance = await startInstance(t, env)
  await instance.ready()
  const slowest = { before: 0, meanwhile: 0 }
  let phase: keyof typeof slowest = 'before'
  const { call, close } = caller(() => instance.port)
  t.teardown(close)
  const timed: typeof call = async (...request) => {
    const start = performance.now()
    const answer = await call(...request)
    slowest[phase] = Math.max(slowest[phase], performance.now() - start)
    return answer
  }
  const failures = ({ tally }: ReturnType<typeof people>) =>
    Object.keys(tally).filter((status) => !['200', '201', '204'].includes(status))

  await t.test('no request fails while it is partitioned, and the command killed', async (t) => {
    const crowd = people(timed, 8)
    await sleep(5000)
    phase = 'meanwhile'
    for (let kill = 0; kill < kills; kill++) {
      const { child, ended } = command(env)
      await Promise.race([ended, sleep(500 + Math.random() * 4000)])
      child.kill('SIGKILL')
      await ended
    }
    const start = performance.now()
    const [code] = await command(env).ended
    t.equal(code, 0)
    t.comment(`partitioned in ${seconds(start)}, after ${kills} kills`)
    await crowd.stop()
    t.comment(`responses: ${JSON.stringify(crowd.tally)}; slowest: ${JSON.stringify(slowest)} ms`)
    t.same(failures(crowd), [])
    t.ok(crowd.acknowledged() > 10)
    t.same(await crowd.missing(call), [])
    t.equal((await client`select count(*)::int from activity_default`)[0]?.count, 0)
    const [written] = await client`select count(*)::int from activity where at > ${newest}
      and action = 'auth.register' and outcome = 'success'`
    t.equal(written?.count, crowd.acknowledged(), 'each registration has its record')
  })

  await t.test(`pages of every list take less than ${allowedPage} ms`, async (t) => {
    await client`delete from activity where at > ${newest}`
    const months = Array.from({ length: pastMonths }, (_, n) => firstOfMonth(newest, n))
    const start = performance.now()
    await addMonths(client, months, Math.round(records / 2 / pastMonths))
    const parts = (await readParts(database.db)) ?? []
    t.comment(`${parts.length} partitions, added in ${seconds(start)}`)
    t.ok(parts.length >= 36)
    const explain = explainOn(client)
    const [many, few] = [await actor(client, 1), await actor(client, 77)]
    const measure = async (
      what: object,
      read: (db: Db, after: unknown[] | undefined) => Promise<unknown>,
      allowed = allowedPage
    ) => {
      const positions = [undefined, [newest.toISOString(), many]]
      const times: number[] = []
      for (const after of positions) {
        // The best of three, because a page takes longer when something else runs.
        const three = []
        for (let n = 0; n < 3; n++) three.push(await explain((db) => read(db, after)))
        times.push(Math.min(...three))
      }
      const text = `${JSON.stringify(what)}: ${times.map((ms) => ms.toFixed(1)).join(' and ')} ms`
      t.comment(text)
      t.ok(Math.max(...times) < allowed, text)
    }
    const span = { from: newest, to: firstOfMonth(newest, 1) }
    for (const sort of ['at', '-at'] as const) {
      for (const filter of [
        {},
        { outcome: 'failure' as const },
        { action: 'user.update' },
        { action: 'no.such' },
        { action: 'auth.login', outcome: 'failure' as const },
        { actorId: many },
        { actorId: few },
        { targetId: few },
        { actorId: many, action: 'auth.login' },
        { actorId: few, targetId: few },
        span,
        { ...span, action: 'auth.logout' }
      ]) {
        await measure({ ...filter, sort }, (db, after) =>
          listActivity(db, { ...filter, sort, limit: 50, after })
        )
      }
      const session = { sessionId: '', tokenHash: '' }
      const self = { type: 'user', source: 'api', id: many, ...session } as const
      await measure({ own: many, sort }, (db, after) =>
        listOwnActivity(db, self, { sort, limit: 50, after })
      )
    }
    const [{ id } = { id: '' }] = await client`select id from activity limit 1`
    await measure({ id }, (db) => findActivity(db, id))
    const week = { from: new Date(Date.now() - 7 * 86_400_000), to: new Date() }
    await measure(
      { summary: week },
      (db) => summarizeActivity(db, { bucket: 'day', ...week }),
      5000
    )
    await measure({ retention: 1000 }, (db) => deleteOld(db, oldActivity(365), 1000), 500)
  })

  await t.test('months are dropped in less than a second, and no request fails', async (t) => {
    const crowd = people(timed, 8)
    await sleep(2000)
    for (const wanted of ['activity_before', /^activity_20/]) {
      const start = performance.now()
      const older = wanted === 'activity_before' ? days - 1 : days - 32
      const { dropped } = await database.exclusively((db) =>
        dropOldParts(db, { days: older, certain: true }, () => {})
      )
      const ms = performance.now() - start
      t.match(dropped, [wanted])
      t.comment(`dropped ${dropped.join()} in ${ms.toFixed(0)} ms`)
      if (wanted !== 'activity_before') t.ok(ms < allowedDrop) // it has years of records
    }
    await crowd.stop()
    t.same(failures(crowd), [])
    t.same(await crowd.missing(call), [])
  })
})

/** `portal activity partition` in a process of its own. */
function command(env: Record<string, string>) {
  const child = spawn(
    process.execPath,
    [path.join(built, 'src/cli.js'), 'activity', 'partition', '--json'],
    {
      cwd: root,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'ignore', 'inherit']
    }
  )
  return { child, ended: once(child, 'close') }
}
