import { chownSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { clean, postgresTool, runPostgres, startPostgres } from './postgres.ts'
import { publicFolder } from '../resilience/instances.ts'

/** A PostgreSQL server that can be restarted in recovery, as a standby without a primary, and back. */
export async function serverWithRoles(t: Test) {
  const folder = path.join(publicFolder(t), 'postgres')
  const data = path.join(folder, 'data')
  const url = await startPostgres(folder)
  t.teardown(() => clean(folder))
  const port = Number(new URL(url).port)
  const signal = path.join(data, 'standby.signal')
  const restart = async () => {
    await postgresTool(folder, 'pg_ctl', '--pgdata', data, '--mode', 'fast', '--wait', 'stop')
    await runPostgres(folder, port, ['fsync=off'])
  }
  return {
    url,
    async becomeStandby() {
      writeFileSync(signal, '')
      const { uid, gid } = statSync(data)
      chownSync(signal, uid, gid)
      await restart()
    },
    promote: () => postgresTool(folder, 'pg_ctl', '--pgdata', data, '--wait', 'promote')
  }
}
