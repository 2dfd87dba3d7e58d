import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { openDatabase } from '../db/client.ts'
import { createFlag } from '../src/domain/flags/flags.ts'
import { atLeast, below, median, round, save } from './figures.ts'
import { assertAll, drive, requestOf } from './load.ts'
import type { Measured } from './load.ts'
import { usage } from './processes.ts'
import { newPortalDatabase, post, progress, startPortal, withPostgres } from './stage.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const readers = 100
/** 100 checks a second in all. */
const checks = { connections: 5, every: 50 }
const compressed = { 'Accept-Encoding': 'br, gzip' }
type Kind = Omit<Parameters<typeof requestOf>[0], 'host'> & { every?: number }
interface Operation {
  'x-access': string
  parameters?: { required?: boolean }[]
}

/**
 * Returns the requests of the readers, who have no session: each path without parameters, the account
 * pages, a path that nobody has, and all flags. One is the largest response without compression, which
 * an attacker asks for, at 250 a second: more fill a network of a gigabit.
 */
async function findKinds(port: number): Promise<Record<string, Kind>> {
  const url = `http://127.0.0.1:${port}`
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, { get?: Operation }>
  }
  const reads = Object.entries(paths).flatMap(([path, { get }]) =>
    get &&
    /^(public|optional)$/.test(get['x-access']) &&
    !path.includes('{') &&
    !get.parameters?.some(({ required }) => required)
      ? [path]
      : []
  )
  const page = await (await fetch(`${url}/account`)).text()
  const files = [...page.matchAll(/"(\/account\/assets\/[^"]+)"/g)].map(([, file = '']) => file)
  const others = ['/account', ...files, '/nothing', '/api/auth/me']
  const context = { targetingKey: 'somebody' }
  return {
    ...Object.fromEntries(
      [...reads, ...others].map((path): [string, Kind] => [path, { path, headers: compressed }])
    ),
    '/openapi.json, uncompressed': { path: '/openapi.json', every: 400 },
    'all flags': { method: 'POST', path: '/ofrep/v1/evaluate/flags', body: { context } }
  }
}
const account = { email: 'ada@example.com', password: 'correct horse battery' }

interface Beside {
  alone: Measured
  checked: Measured
  reads: Measured
  /** Share of its core that the portal used. */
  core: number
}

/**
 * Measures session checks while a hundred others read a public path as fast as they can. On a
 * machine of two cores both would compete with the portal for them, so it has a core of its own.
 * The readers are a process of their own: otherwise a check would be late because its client reads.
 */
export async function publicReads() {
  if (os.availableParallelism() < 2) throw new Error('the portal needs a core of its own')
  pin(process.pid, '1')
  try {
    await withPostgres(measureAll)
  } finally {
    pin(process.pid, `0-${os.cpus().length - 1}`)
  }
}

/** Processes that it starts later inherit the cores. */
const pin = (pid: number, cores: string) =>
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)])

async function measureAll(server: string) {
  const url = await newPortalDatabase(server, 'portal')
  await createFlags(url)
  const portal = await startPortal('portal', url, { ACCOUNT_PAGES: 'on' })
  pin(portal.pid, '0')
  const { port } = portal
  try {
    await post(port, '/api/auth/register', { ...account, name: 'Ada Lovelace' })
    const { headers } = await post(port, '/api/auth/login', account)
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const check = async () => {
      const requests = [requestOf({ path: '/api/auth/me', cookie })]
      const measured = await drive({ port, requests, seconds, ...checks })
      assertAll(200, 'session check', measured)
      return measured
    }
    await check() // warms up
    const kinds = await findKinds(port)
    const statuses: Record<string, number> = {}
    for (const [name, kind] of Object.entries(kinds)) {
      // The first response is compressed.
      const measured = await drive({
        port,
        requests: [requestOf(kind)],
        seconds: 0.1,
        connections: 1
      })
      statuses[name] = Number(Object.keys(measured.statuses)[0])
    }
    const all: Record<string, Beside[]> = {}
    for (let n = 0; n < rounds; n++) {
      for (const [name, kind] of Object.entries(kinds)) {
        // Right before, because the machine may be faster or slower a minute later.
        const alone = await check()
        const reading = await startReaders({ port, ...kind, connections: readers, seconds })
        const before = usage(portal).cpuSeconds
        const [checked, reads] = await Promise.all([check(), reading()])
        const core = (usage(portal).cpuSeconds - before) / seconds
        assertAll(statuses[name] ?? 0, name, reads)
        ;(all[name] ??= []).push({ alone, checked, reads, core })
        progress(`${name}: ${Math.round(reads.perSecond)} reads a second`)
      }
    }
    report(all, kinds)
  } finally {
    await portal.stop()
  }
}

/** Flags of a product of medium size, which anybody may evaluate. */
async function createFlags(url: string) {
  const database = await openDatabase(url)
  for (let n = 0; n < 50; n++) {
    await createFlag(
      database.db,
      { type: 'cli', source: 'cli' },
      {
        key: `flag-${n}`,
        type: 'boolean',
        public: true,
        variants: { on: true, off: false },
        defaultVariant: 'off',
        offVariant: 'off',
        rules: [
          {
            when: { attributes: [{ name: 'country', op: 'in', values: ['DE', 'FR'] }] },
            serve: { variant: 'on' }
          },
          {
            when: {},
            serve: {
              split: [
                { variant: 'on', weight: 20_000 },
                { variant: 'off', weight: 80_000 }
              ]
            }
          }
        ]
      }
    )
  }
  await database.close()
}

/** Starts the process of the readers. They begin with the call of the result. */
async function startReaders(load: object) {
  const child = fork(path.join(import.meta.dirname, 'readers.ts'))
  await once(child, 'message')
  return async () => {
    child.send(load)
    const [measured] = (await once(child, 'message')) as [Measured]
    return measured
  }
}

function report(all: Record<string, Beside[]>, kinds: Record<string, Kind>) {
  const rows = Object.entries(all).map(([name, measured]) => {
    const of = (figure: (each: Beside) => number) => median(measured.map(figure))
    const row = {
      'checks, to without': of(({ alone, checked }) => checked.perSecond / alone.perSecond),
      'p99 without': of(({ alone }) => alone.p99),
      p99: of(({ checked }) => checked.p99),
      'reads a second': of(({ reads }) => reads.perSecond),
      'core of the portal': of(({ core }) => core),
      'core of the readers': of(({ reads }) => reads.asking)
    }
    // Readers that never pause fill one of both cores, unless others take it.
    const busiest = Math.max(row['core of the portal'], row['core of the readers'])
    if (busiest < 0.8 && kinds[name]?.every === undefined) {
      progress(`${name}: the machine is not idle, and the figures mean nothing`)
    }
    return [name, row] as const
  })
  const table = Object.fromEntries(
    rows.map(([name, row]) => [
      name,
      Object.fromEntries(Object.entries(row).map(([figure, value]) => [figure, round(value)]))
    ])
  )
  console.table(table)
  save(
    'public-reads',
    [
      atLeast(
        `session checks beside ${readers} readers of a public path, to without`,
        Math.min(...rows.map(([, row]) => row['checks, to without'])),
        0.5
      ),
      below('p99 of these session checks', Math.max(...rows.map(([, row]) => row.p99)), 200, 'ms')
    ],
    { paths: table }
  )
}
