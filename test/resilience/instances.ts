import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { temporaryFolder, until } from '../helpers.ts'
import { freePort } from '../postgres.ts'
import { built } from '../root.ts'

/** What all instances of a check share; limits are so wide that only what is looked at refuses anything. */
export const shared = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_ORIGIN: 'http://localhost:3000',
  SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  BCRYPT_COST: '10',
  LOG_LEVEL: 'warn',
  SHUTDOWN_DELAY_SECONDS: '0',
  ...Object.fromEntries(['LOGIN_PAIR', 'LOGIN_SOURCE', 'LOGIN_ACCOUNT', 'LOGIN_DEVICE', 'REGISTER', 'PASSWORD', 'WRITES'].map((name) => [`THROTTLE_${name}`, '999999/0.001']))
}

export interface Instance { process: ChildProcess, port: number, base: string, output: () => string, exit: Promise<number | string | null>, ready (): Promise<void> }

/** A process of the server. */
export async function startInstance (t: Test, env: Record<string, string>): Promise<Instance> {
  const port = Number(env.PORT ?? await freePort())
  const child = spawn(process.execPath, [path.join(built, 'src/server.js')], {
    env: { PATH: process.env.PATH, ...shared, PORT: String(port), ...env }, stdio: ['ignore', 'pipe', 'pipe']
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => { output = (output + chunk).slice(-100_000) })
  const exit = new Promise<number | string | null>((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)))
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exit
  })
  const base = `http://127.0.0.1:${port}`
  return {
    process: child,
    port,
    base,
    output: () => output,
    exit,
    ready: () => until(async () => {
      if (child.exitCode !== null) throw new Error(`the instance ended:\n${output}`)
      return (await fetch(`${base}/health`).catch(() => undefined))?.status === 200
    }).catch((error: unknown) => { throw new Error(`the instance is not ready:\n${output}`, { cause: error }) })
  }
}

/** For a PostgreSQL of one's own, which runs as another user than root. */
export function publicFolder (t: Test) {
  const folder = temporaryFolder(t)
  chmodSync(folder, 0o755)
  return folder
}

/** Asks until the answer is good, and returns after how many milliseconds it was. */
export async function goodAfter (base: string, path = '/health', limit = 30_000) {
  const start = performance.now()
  for (;;) {
    const response = await fetch(base + path, { signal: AbortSignal.timeout(1500) }).catch(() => undefined)
    if (response?.status === 200) return performance.now() - start
    if (performance.now() - start > limit) throw new Error(`no good answer from ${path} within ${limit} ms`)
    await sleep(20)
  }
}
