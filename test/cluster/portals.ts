import postgres from 'postgres'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { syncRegistry } from '../../src/domain/access/registry.ts'
import { until } from '../support/app.ts'
import { shared } from '../resilience/instances.ts'
import { caller } from '../resilience/people.ts'
import { spawnServer } from '../support/server-process.ts'
import type { startCluster } from './patroni.ts'

type Cluster = Awaited<ReturnType<typeof startCluster>>
export type Name = Cluster['names'][number]

/**
 * Creates the database, and starts an instance that names the primary first, one that names it last
 * after two live standbys, and one that goes through HAProxy. Returns what calls each.
 */
export async function startPortals(t: Pick<Test, 'teardown'>, cluster: Cluster, cwd: string) {
  const { names, password, portOf } = cluster
  const first = await until(async () => (await cluster.primaries())[0])
  const admin = postgres(cluster.urlOf(first), { max: 1, onnotice: () => {} })
  await admin.unsafe(`create role portal login password '${password}'`)
  await admin.unsafe('create database portal owner portal')
  await admin.unsafe(`alter role portal set statement_timeout = '5s'`)
  await admin.unsafe(`alter role portal set lock_timeout = '2s'`)
  await admin.unsafe(`alter role portal set idle_in_transaction_session_timeout = '10s'`)
  await admin.end()

  const others = names.filter((name) => name !== first)
  const urlOf = (...order: Name[]) => {
    const hosts = order.map((name) => `127.0.0.1:${portOf(name)}`).join()
    return `postgres://portal:${password}@${hosts}/portal?target_session_attrs=primary`
  }
  const throughHaproxy = `postgres://portal:${password}@127.0.0.1:${cluster.port}/portal`
  const urls = [urlOf(first, ...others), urlOf(...others, first), throughHaproxy]
  const database = await openDatabase(throughHaproxy)
  await database.migrate(syncRegistry)
  await database.close()
  return Promise.all(
    urls.map(async (DATABASE_URL) => {
      const portal = await spawnServer({ ...shared, DATABASE_URL }, { cwd })
      const { call, close } = caller(() => portal.port)
      t.teardown(async () => {
        close()
        portal.process.kill('SIGKILL')
        await portal.exit
      })
      await portal.ready()
      return call
    })
  )
}

/** Whether the server answers, and is not a standby. */
export async function isPrimary(url: string) {
  const client = postgres(url, { max: 1, connect_timeout: 3 })
  try {
    const [row] = await client`select pg_is_in_recovery() as standby`
    return row?.standby === false
  } catch {
    return false
  } finally {
    await client.end({ timeout: 1 }).catch(() => {})
  }
}
