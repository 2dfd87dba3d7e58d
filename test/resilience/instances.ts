import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { temporaryFolder } from '../support/app.ts'
import { startServer } from '../support/server-process.ts'

/** The variables of all instances of a check, practically without rate limits. */
export const shared = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_ORIGIN: 'http://localhost:3000',
  SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  BCRYPT_COST: '10',
  LOG_LEVEL: 'warn',
  SHUTDOWN_DELAY_SECONDS: '0',
  ...Object.fromEntries(
    [
      'LOGIN_PAIR',
      'LOGIN_SOURCE',
      'LOGIN_ACCOUNT',
      'LOGIN_DEVICE',
      'REGISTER',
      'MAIL_ADDRESS',
      'MAIL_SOURCE',
      'MAIL_TOTAL',
      'MAIL_UNPROVED',
      'MAIL_UNCONFIRMED',
      'PASSWORD',
      'WRITES'
    ].map((name) => [`THROTTLE_${name}`, '999999/0.001'])
  )
}

export const startInstance = (
  t: Test,
  env: Record<string, string>,
  ...options: [cwd: string, script: string] | []
) => startServer(t, { ...shared, ...env }, ...options)

/** A folder for a separate PostgreSQL server, which does not run as root. */
export function publicFolder(t: Test) {
  const folder = temporaryFolder(t)
  chmodSync(folder, 0o755)
  return folder
}

/** Repeats a request until it succeeds, and returns the elapsed milliseconds. */
export async function goodAfter(base: string, path = '/health', limit = 30_000) {
  const start = performance.now()
  for (;;) {
    const response = await fetch(base + path, { signal: AbortSignal.timeout(1500) }).catch(
      () => undefined
    )
    if (response?.status === 200) return performance.now() - start
    if (performance.now() - start > limit) {
      throw new Error(`no good answer from ${path} within ${limit} ms`)
    }
    await sleep(20)
  }
}
