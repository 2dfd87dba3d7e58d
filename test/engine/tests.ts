import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { root } from '../support/root.ts'
import type { Server } from './server.ts'

/** Lines of each failed file that are reported, and failed files. */
const shown = { lines: 40, files: 10 }

/** Runs test files against the server with `test/run.js`. */
export async function runTests(
  server: Server,
  files: string[],
  jobs: string,
  env: Record<string, string>
) {
  const child = spawn(
    process.execPath,
    ['test/run.js', '--timeout', '3600', '--jobs', jobs, ...files],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        ...env,
        TEST_DATABASE_URL: server.url,
        TEST_DATABASE_PREFIX: server.prefix,
        TEST_DATABASE_CLONE: server.canClone ? 'on' : 'off'
      }
    }
  )
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const failures: string[][] = []
  let [ran, summary] = [0, '']
  for await (const line of createInterface({ input: child.stdout })) {
    if (/^(ok {4}|FAILED) +[\d.]+ s/.test(line)) {
      process.stderr.write(`${String(++ran).padStart(4)} of ${files.length} ${line}\n`)
    } else if (line.startsWith('──── ')) failures.push([line])
    else if (/^\d+ files, \d+ assertions/.test(line)) summary = line
    else failures.at(-1)?.push(line)
  }
  const passed = (await ended) === 0
  return {
    passed,
    summary: summary || 'the tests did not end',
    errors: failures
      .slice(0, shown.files)
      .map((lines) => lines.slice(0, shown.lines).join('\n').trim())
  }
}
