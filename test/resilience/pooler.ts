import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { clean, startPostgres } from '../support/postgres.ts'
import { root } from '../support/root.ts'
import { startPgbouncer } from './pgbouncer.ts'

// The contract suite and the removals of roles in scopes through PgBouncer: `npm run check -- pooler`.
// Two hundred clients are in pooler.check.ts.

const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-pooler-'))
chmodSync(folder, 0o755)
const suite = ['test/routes', 'test/domain', 'test/security/scoped-removals.slow.ts']
const done: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
try {
  const server = await startPostgres(path.join(folder, 'postgres'))
  done.unshift(() => clean(path.join(folder, 'postgres')))
  const pooler = await startPgbouncer(path.join(folder, 'postgres'), server)
  done.unshift(pooler.stop)

  const args = process.argv.slice(2)
  const tap = spawn(process.execPath, ['test/run.js', ...(args.length > 0 ? args : suite)], {
    stdio: 'inherit',
    cwd: root,
    env: { ...process.env, TEST_DATABASE_URL: server, TEST_POOLER_URL: pooler.url }
  })
  process.exitCode = await new Promise<number>((resolve) =>
    tap.on('close', (code) => resolve(code ?? 1))
  )
} finally {
  for (const each of done) await each()
}
