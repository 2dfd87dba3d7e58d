import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder, until } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { root } from '../support/root.ts'

/** A copy of the example app in a checkout that has only what it uses, with its dependencies. */
export function installExample(t: Test) {
  const source = path.join(root, 'examples/app')
  const checkout = temporaryFolder(t)
  const folder = path.join(checkout, 'examples/app')
  mkdirSync(path.dirname(folder))
  const generated = ['node_modules', 'dist', '.data'].map((name) => path.join(source, name))
  cpSync(source, folder, { recursive: true, filter: (file) => !generated.includes(file) })
  symlinkSync(path.join(root, 'bin'), path.join(checkout, 'bin'))
  npm(folder, 'ci')
  return folder
}

export const npm = (folder: string, ...args: string[]) =>
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })

/** Runs the nightly job against the app at this origin. Returns what it printed. */
export const runNightly = (folder: string, origin: string) =>
  execFileSync('npm', ['run', '-s', 'nightly'], {
    cwd: folder,
    env: { ...process.env, APP: origin },
    encoding: 'utf8'
  })

/** Starts everything with `npm start`, until the test ends. */
export async function startExample(t: Test, folder: string) {
  const [port, portal, service] = [await freePort(), await freePort(), await freePort()]
  const origin = `http://localhost:${port}`
  await startGroup(t, 'npm', ['start'], {
    cwd: folder,
    env: { PORT: String(port), PORTAL_PORT: String(portal), SERVICE_PORT: String(service) },
    until: `The app: ${origin}`
  })
  const password = readFileSync(path.join(folder, '.data/admin-password'), 'utf8').trim()
  return { origin, portal: `http://localhost:${portal}`, password }
}

/** Starts the service of the example behind a proxy, until the test ends. */
export async function startService(t: Test, folder: string) {
  const port = await freePort()
  await startGroup(t, process.execPath, ['service/server.js'], {
    cwd: folder,
    env: { SERVICE_PORT: String(port), BEHIND_PROXY: 'true' },
    until: `http://127.0.0.1:${port}`
  })
  return port
}

/** Starts a program in a process group of its own, and waits until it has printed this. */
export async function startGroup(
  t: Test,
  program: string,
  args: string[],
  options: { cwd: string; env: Record<string, string>; until: string }
) {
  const { PATH, HOME } = process.env
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { PATH, HOME, ...options.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const ended = once(child, 'close')
  t.teardown(async () => {
    try {
      process.kill(-Number(child.pid), 'SIGTERM')
    } catch {} // it has ended
    await ended
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  await until(() => {
    if (child.exitCode !== null) throw new Error(`it has ended:\n${output}`)
    return output.includes(options.until)
  })
}
