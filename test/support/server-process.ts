import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import path from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder, until } from './app.ts'
import { freePort } from './postgres.ts'
import { built } from './root.ts'

export interface ServerProcess {
  process: ChildProcess
  port: number
  base: string
  /** The latest hundred thousand characters of its output on both streams. */
  output: () => string
  exit: Promise<number | string | null>
  /** Resolves when the server is healthy. Rejects as soon as the process has ended. */
  ready: () => Promise<ServerProcess>
}

interface Options {
  cwd: string
  script?: string
  args?: string[]
}

/** Starts a server with this environment only, on a free port unless it contains PORT. */
export async function spawnServer(
  env: Record<string, string>,
  { cwd, script = path.join(built, 'src/server.js'), args = [] }: Options
): Promise<ServerProcess> {
  const port = Number(env.PORT ?? (await freePort()))
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env: { PATH: process.env.PATH, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-100_000)
    })
  }
  const base = `http://127.0.0.1:${port}`
  const isHealthy = async () => {
    if (child.exitCode !== null) throw new Error('it ended')
    return (await fetch(`${base}/health`).catch(() => undefined))?.status === 200
  }
  const server: ServerProcess = {
    process: child,
    port,
    base,
    output: () => output,
    exit: new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal))),
    ready: () =>
      until(isHealthy).then(
        () => server,
        (error: unknown) => {
          throw new Error(`The server is not ready:\n${output}`, { cause: error })
        }
      )
  }
  return server
}

/** Like spawnServer, in a separate folder. The server is killed when the test ends. */
export async function startServer(
  t: Test,
  env: Record<string, string>,
  cwd = temporaryFolder(t),
  script?: string
): Promise<ServerProcess> {
  const server = await spawnServer(env, { cwd, ...(script && { script }) })
  t.teardown(async () => {
    server.process.kill('SIGKILL')
    await server.exit
  })
  return server
}

/** Like startServer, in development. */
export const startDevelopment = (t: Test, env: Record<string, string>, cwd?: string) =>
  startServer(t, { NODE_ENV: 'development', ALLOWED_HOSTS: '127.0.0.1', ...env }, cwd)

export const post = (server: ServerProcess, url: string, body: object | undefined, cookie = '') =>
  fetch(server.base + url, {
    method: 'POST',
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) })
  })
