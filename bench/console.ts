import { readFileSync } from 'node:fs'
import path from 'node:path'
import { spawn } from 'node:child_process'
import { serverVariables } from '../test/support/console-process.ts'
import { root } from '../test/support/root.ts'
import { below, save } from './figures.ts'
import { newPortalDatabase, progress, withPostgres } from './stage.ts'

const rounds = 5
const limits = { seconds: 2, memory: 120 }
const lists = [
  'overview',
  'users',
  'roles',
  'permissions',
  'flags',
  'sessions',
  'activity',
  'outbox'
]

/** Measures how soon `portal console` prints its link, and what it takes of a machine in use. */
export const consoleOfOperator = () =>
  withPostgres(async (server) => {
    const env = serverVariables(await newPortalDatabase(server, 'console'))
    const all = []
    for (let round = 0; round < rounds; round++) all.push(await measure(env))
    const slowest = Math.max(...all.map(({ seconds }) => seconds))
    const largest = Math.max(...all.map(({ memory }) => memory))
    progress(`the console was ready in ${slowest} s, and took ${largest} MB`)
    save(
      'console',
      [
        below(
          'from `portal console` to its link, the slowest of five',
          slowest,
          limits.seconds,
          's'
        ),
        below('memory after every view was read, the largest of five', largest, limits.memory, 'MB')
      ],
      { all }
    )
  })

async function measure(env: Record<string, string>) {
  const began = performance.now()
  const child = spawn(process.execPath, [path.join(root, 'dist/src/cli.js'), 'console'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const exit = new Promise((resolve) => child.on('close', resolve))
  try {
    const link = await new Promise<URL>((resolve, reject) => {
      let output = ''
      child.stdout.on('data', (chunk) => {
        output += chunk
        const [found] = /http:\S+#start=\S+/.exec(output) ?? []
        if (found !== undefined) resolve(new URL(found))
      })
      exit.then(() => reject(new Error(`the console has ended: ${output}`)), reject)
    })
    const seconds = Math.round(performance.now() - began) / 1000
    await readEverything(link)
    const [, kilobytes] =
      /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
    return { seconds, memory: Math.round(Number(kilobytes) / 1024) }
  } finally {
    child.kill('SIGINT')
    await exit
  }
}

async function readEverything({ origin, hash }: URL) {
  const exchanged = await fetch(`${origin}/api/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link: hash.replace('#start=', '') })
  })
  const { token } = (await exchanged.json()) as { token: string }
  const page = await (await fetch(`${origin}/console`)).text()
  const files = [...page.matchAll(/(?:href|src)="(\/console\/assets[^"]+)"/g)]
  for (const [, file = ''] of files) await (await fetch(origin + file)).arrayBuffer()
  const headers = { authorization: `Bearer ${token}` }
  for (let n = 0; n < 5; n++) {
    for (const list of lists) await (await fetch(`${origin}/api/admin/${list}`, { headers })).text()
  }
}
