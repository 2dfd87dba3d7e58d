import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { clean, startPostgres } from '../support/postgres.ts'
import { root } from '../support/root.ts'

// The contract suite on servers whose default isolation level is stricter than the one the portal
// sets, and without setting it (`npm run check -- isolation`): this comes closest to engines that have
// no weaker level. Template databases do not contain settings, so these are the server's.

const slow = [
  'test/domain/keyset.slow.ts',
  'test/security/isolation.slow.ts',
  'test/security/second-factor-orders.slow.ts'
]
const suite = ['test/security', 'test/domain', 'test/routes', 'test/plugins', ...slow]
const args = process.argv.slice(2)
const failed: string[] = []
for (const level of ['serializable', 'repeatable read']) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-isolation-'))
  chmodSync(folder, 0o755)
  const data = path.join(folder, 'postgres')
  try {
    const server = await startPostgres(data, [`default_transaction_isolation='${level}'`])
    process.stdout.write(`\n${level}\n`)
    const tests = spawn(
      process.execPath,
      ['test/run.js', '--timeout', '3600', ...(args.length > 0 ? args : suite)],
      {
        stdio: 'inherit',
        cwd: root,
        env: {
          ...process.env,
          TEST_DATABASE_URL: server,
          DATABASE_ISOLATION: 'default',
          ISOLATION_ROUNDS: '60'
        }
      }
    )
    if ((await new Promise((resolve) => tests.on('close', resolve))) !== 0) failed.push(level)
  } finally {
    await clean(data)
    rmSync(folder, { recursive: true, force: true })
  }
}
if (failed.length > 0) {
  process.stderr.write(`failed: ${failed.join(', ')}\n`)
  process.exitCode = 1
}
