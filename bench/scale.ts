import { setTimeout as sleep } from 'node:timers/promises'
import { addSessions } from '../test/support/many-sessions.ts'
import {
  atLeast,
  below,
  median,
  memoryLimits,
  principals,
  quantile,
  round,
  save
} from './figures.ts'
import { assertAll, drive, requestOf } from './load.ts'
import { usage } from './processes.ts'
import type { Served } from './processes.ts'
import { newPortalDatabase, progress, startPortal, withPostgres } from './stage.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const minutes = Number(process.env.BENCH_MINUTES ?? 10)
const size = { stored: 2_000_000, users: 200_000, used: principals, few: 1_000 }

/** Measures the effect of a large database and many users on speed, memory and start time. */
export const scale = () =>
  withPostgres(
    async (server) => {
      progress(`storing ${size.stored} sessions`)
      const [large, small] = [
        await newPortalDatabase(server, 'large'),
        await newPortalDatabase(server, 'small')
      ]
      const many = (
        await addSessions(large, { count: size.stored, users: size.users, taken: size.used })
      ).map(requestFor)
      const few = (await addSessions(small, { count: size.few })).map(requestFor)
      const starts = await measureStarts(large)
      const portals = [await startPortal('many', large), await startPortal('few', small)] as const
      try {
        await sleep(2000)
        const idle = usage(portals[0]).memory
        const ratios = await compare(portals, many, few)
        const kept = usage(portals[0]).memory
        await portals[1].stop()
        const memory = await endure(portals[0], many)
        const [early, late] = [memory[1] ?? [], memory.at(-1) ?? []]
        save(
          'scale',
          [
            atLeast(
              'session checks with 2,000,000 stored and 50,000 tokens in use, to 1,000 of both',
              ratios,
              0.85
            ),
            below(
              'from start to first 200, the slowest of five',
              Math.max(...starts) / 1000,
              1.5,
              's'
            ),
            below('memory after start', idle, memoryLimits.started, 'MB'),
            below('memory with 50,000 principals kept', kept, memoryLimits.kept, 'MB'),
            {
              ...below(
                `memory in the last of ${minutes} minutes of full load, to the second`,
                median(late) / median(early),
                1.05,
                'times'
              ),
              required: 'no growth (below 1.05 times)'
            }
          ],
          {
            starts: starts.map(Math.round),
            ratios: ratios.map(round),
            memoryByMinute: memory.map((all) => ({
              median: Math.round(median(all)),
              most: Math.round(quantile(all, 1))
            }))
          }
        )
      } finally {
        for (const portal of portals) await portal.stop()
      }
    },
    ['shared_buffers=512MB', 'max_wal_size=8GB']
  )

const requestFor = (cookie: string) => requestOf({ path: '/api/auth/me', cookie })

async function measureStarts(url: string) {
  const all = []
  for (let i = 0; i < 5; i++) {
    const portal = await startPortal('portal', url)
    await portal.stop()
    all.push(portal.startedIn)
  }
  progress(`started in ${all.map(Math.round).join(', ')} ms`)
  return all
}

async function compare([large, small]: readonly [Served, Served], many: Buffer[], few: Buffer[]) {
  const load = { connections: 50, seconds }
  // Each user sends one request before the measurement.
  for (const [{ port }, requests] of [
    [large, many],
    [small, few]
  ] as const) {
    await drive({ port, requests, connections: 50, seconds: 15 })
  }
  const ratios = []
  for (let turn = 0; turn < rounds; turn++) {
    const [ofMany, ofFew] = [
      await drive({ ...load, port: large.port, requests: many }),
      await drive({ ...load, port: small.port, requests: few })
    ]
    assertAll(200, 'many', ofMany)
    assertAll(200, 'few', ofFew)
    ratios.push(ofMany.perSecond / ofFew.perSecond)
    progress(
      `round ${turn + 1} of ${rounds}: ${Math.round(ofMany.perSecond)}/s with many, ` +
        `${Math.round(ofFew.perSecond)}/s with few`
    )
  }
  return ratios
}

/** Memory in MB, sampled each second, by minute. */
async function endure(portal: Served, requests: Buffer[]) {
  const all: number[][] = []
  for (let minute = 0; minute < minutes; minute++) {
    const samples: number[] = []
    const timer = setInterval(() => {
      samples.push(usage(portal).memory)
    }, 1000)
    const measured = await drive({ port: portal.port, requests, connections: 50, seconds: 60 })
    clearInterval(timer)
    assertAll(200, 'session checks', measured)
    all.push(samples)
    progress(
      `minute ${minute + 1} of ${minutes}: ${Math.round(measured.perSecond)}/s, ` +
        `${Math.round(median(samples))} MB`
    )
  }
  return all
}
