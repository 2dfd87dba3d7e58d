import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import type { Database } from '../../db/client.ts'
import { built, root } from '../support/root.ts'
import type { Command } from './command-thread.ts'

export interface Run {
  code: number | null
  stdout: string
  stderr: string
}

interface Options {
  env?: Record<string, string>
  input?: string
  /** The folder of what was built. Another one than this needs `portalProcess`. */
  build?: string
  /** On a terminal, `stdout` has the whole output, and each answer is typed after its prompt. */
  terminal?: boolean
  answers?: [question: RegExp, answer: string][]
  /** The width of the terminal. */
  columns?: number
}

let thread: Worker | undefined
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a command of the portal in this process, which takes a tenth of the time, one after the
 * other. With a terminal it runs in a separate process.
 */
export function portal(args: string[], options: Options = {}): Promise<Run> {
  if (options.terminal) return portalProcess(args, options)
  const { env = {}, input = '' } = options
  const result = last.then(() => inThread({ args, env, input }))
  last = result.catch(() => {})
  return result
}

async function inThread(command: Command): Promise<Run> {
  thread ??= new Worker(path.join(built, 'test/cli/command-thread.js'))
  thread.ref()
  thread.postMessage(command)
  const [result] = (await once(thread, 'message')) as [Run] // rejects when the thread fails
  thread.unref()
  return result
}

/** Runs the program as a shell does. */
export function portalProcess(
  args: string[],
  { env = {}, input, build = built, terminal = false, answers = [], columns = 0 }: Options = {}
): Promise<Run> {
  const command = [process.execPath, path.join(build, 'src/cli.js'), ...args]
  const quoted = command.map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(' ')
  const [file = '', ...rest] = terminal
    ? ['script', '--quiet', '--return', '--command', `stty cols ${columns}; ${quoted}`, '/dev/null']
    : command
  return new Promise((resolve, reject) => {
    const child = spawn(file, rest, {
      cwd: root,
      env: { PATH: process.env.PATH, TERM: 'xterm', ...env }
    })
    let [stdout, stderr, seen] = ['', '', 0]
    child.stdout.on('data', (chunk) => {
      stdout += chunk
      const [question, answer] = answers[0] ?? []
      if (!question?.test(stdout.slice(seen))) return
      seen = stdout.length
      answers = answers.slice(1)
      child.stdin.write(answer)
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
    child.stdin.on('error', () => {}) // it may end without having read
    if (answers.length === 0) child.stdin.end(input)
  })
}

/** Runs command lines in one environment; `_` stands for a space inside an argument. */
export function runner(env: Record<string, string>) {
  const run = (args: string, options: Options = {}) =>
    portal(
      args.split(' ').map((part) => part.replaceAll('_', ' ')),
      { env, ...options }
    )
  return {
    run,
    /** Runs a command that must succeed. */
    ok: async (t: Pick<Test, 'equal'>, args: string, options: Options = {}) => {
      const result = await run(args, options)
      t.equal(result.code, 0, `${args}: ${result.stderr}`)
      return result
    },
    json: (result: Run) => JSON.parse(result.stdout)
  }
}

/**
 * Looks into the database between commands, which run while it is closed: PGlite lets only one
 * process in at a time.
 */
export const visitor =
  (url: string) =>
  async <T>(work: (database: Database) => Promise<T>) => {
    const database = await openDatabase(url)
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  }
