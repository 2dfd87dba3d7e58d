import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../test/support/postgres.ts'

export interface Served {
  name: string
  port: number
  pid: number
  /** Milliseconds from the start to the first successful response. */
  startedIn: number
  stop(): Promise<void>
}

const running = new Set<Served>()
process.on('exit', () => {
  for (const { pid } of running) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {}
  }
})

/**
 * Starts a server as a separate process in production mode and waits until it responds.
 * @param how.node the executable
 * @param how.path what is requested until it responds
 */
export async function serve(
  name: string,
  file: string,
  env: (port: number) => Record<string, string>,
  how: { node?: string; nodeOptions?: string[]; path?: string } = {}
): Promise<Served> {
  const { node = process.execPath, nodeOptions = [], path = '/' } = how
  const port = await freePort()
  const began = performance.now()
  const child = spawn(node, [...nodeOptions, file], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env(port) },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const gone = new Promise((resolve) => child.on('exit', resolve))
  const served: Served = {
    name,
    port,
    pid: child.pid ?? 0,
    startedIn: NaN,
    async stop() {
      running.delete(served)
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
      await gone
      clearTimeout(timer)
    }
  }
  running.add(served)
  for (let tries = 0; tries < 3000; tries++) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      signal: AbortSignal.timeout(1000)
    }).catch(() => undefined)
    if (response && response.status < 500) {
      served.startedIn = performance.now() - began
      return served
    }
    await sleep(10)
  }
  throw new Error(`${name} does not answer`)
}

/** Processor time of a process in seconds and its memory in MB (Linux). */
export function usage({ pid }: Served) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100,
    memory: Number(resident) / 1024
  }
}
