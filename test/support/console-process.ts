import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { temporaryFolder, until } from './app.ts'
import { built } from './root.ts'

/** The variables of a server in production, which the console needs as well. */
export const serverVariables = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  PUBLIC_ORIGIN: 'https://portal.example.com',
  SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}`
})

export interface ConsoleProcess {
  child: ChildProcess
  /** Everything that it has printed. */
  output: () => string
  /** The link that it has printed last. */
  link: () => string
  /** The socket in the line for ssh, if it serves one. */
  socket: () => string | undefined
  /** Resolves with the exit code or the signal. */
  exit: Promise<number | string | null>
}

/** Starts `portal console`, until the test ends. Rejects with its output when it does not start. */
export async function startConsole(
  t: Pick<Test, 'teardown'>,
  args: string[],
  env: Record<string, string>
): Promise<ConsoleProcess> {
  const child = spawn(process.execPath, [path.join(built, 'src/cli.js'), 'console', ...args], {
    cwd: temporaryFolder(t),
    env: { PATH: process.env.PATH, ...env },
    stdio: 'pipe'
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  const exit = new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal))
  })
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exit
  })
  const links = () => [...output.matchAll(/http:\S+#start=\S+/g)]
  await until(() => {
    if (child.exitCode !== null) throw new Error(`The console has ended:\n${output}`)
    return links().length > 0
  })
  return {
    child,
    output: () => output,
    link: () => String(links().at(-1)),
    socket: () => /-L \d+:(\/\S+)/.exec(output)?.[1],
    exit
  }
}

/** Exchanges the last link of a console, and returns a function that sends requests of its page. */
export async function connectTo(running: ConsoleProcess) {
  const { origin, hash, port } = new URL(running.link())
  const socketPath = running.socket()
  let authorization = ''
  const call = async (method: string, url: string, body?: object, headers = {}) => {
    const sent = request({
      ...(socketPath === undefined ? { host: '127.0.0.1', port } : { socketPath }),
      method,
      path: url,
      agent: false,
      headers: {
        host: new URL(origin).host,
        ...(authorization && { authorization }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers
      }
    })
    sent.end(body && JSON.stringify(body))
    const [response] = await new Promise<[IncomingMessage]>((resolve, reject) => {
      sent.on('response', (answer) => resolve([answer])).on('error', reject)
    })
    const answer = await text(response)
    const isJson = /json/.test(response.headers['content-type'] ?? '')
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: isJson ? JSON.parse(answer) : answer
    }
  }
  const { status, body } = await call('POST', '/api/console/session', {
    link: hash.replace('#start=', '')
  })
  if (status !== 200) throw new Error(`the link was refused: ${JSON.stringify(body)}`)
  authorization = `Bearer ${body.token}`
  return call
}
