import path from 'node:path'
import { addSessions } from '../test/support/many-sessions.ts'
import { startNginx } from '../test/proxies/proxies.ts'
import { atLeast, median, round, save } from './figures.ts'
import { assertAll, drive, requestOf } from './load.ts'
import { serve } from './processes.ts'
import { newPortalDatabase, progress, startPortal, withPostgres } from './stage.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const connections = 50

/** Measures what the check of nginx costs: requests to a service with and without it. */
export const services = () =>
  withPostgres(async (server) => {
    const ends: (() => unknown)[] = []
    try {
      const url = await newPortalDatabase(server, 'portal')
      const cookies = await addSessions(url, { count: 50 })
      const portal = await startPortal('portal', url)
      ends.push(portal.stop)
      const file = path.join(import.meta.dirname, 'servers/service.mjs')
      const service = await serve('service', file, (port) => ({
        BENCH: JSON.stringify({ port, database: url })
      }))
      ends.push(service.stop)
      const nginx = await startNginx(
        { teardown: (end) => ends.push(end) },
        { portals: [portal.port, portal.port], service: service.port },
        {
          'permission=invoices:read': 'permission=profile:read',
          '  include portal/refusals.conf;': `  include portal/refusals.conf;
            keepalive_requests 1000000000; # the load generator opens each connection once
            location /unchecked {
              proxy_pass http://invoices;
              proxy_http_version 1.1;
              proxy_set_header Connection "";
            }`
        }
      )
      report(await measure(nginx.port, cookies))
    } finally {
      for (const end of ends.reverse()) await end()
    }
  })

const works = ['nothing', 'row'] as const

/** Requests a second with and without the check, by what the service does and by round. */
async function measure(port: number, cookies: string[]) {
  const all = works.map((work) => ({ work, checked: [] as number[], unchecked: [] as number[] }))
  for (let turn = -1; turn < rounds; turn++) {
    for (const figures of all) {
      for (const kind of ['checked', 'unchecked'] as const) {
        const path = `${kind === 'checked' ? '/api/invoices' : '/unchecked'}/${figures.work}`
        const measured = await drive({
          port,
          requests: cookies.map((cookie) => requestOf({ path, cookie })),
          connections,
          seconds: turn < 0 ? 2 : seconds
        })
        assertAll(200, path, measured)
        progress(`${path} ${Math.round(measured.perSecond)}/s`)
        if (turn >= 0) figures[kind].push(measured.perSecond)
      }
    }
  }
  return all
}

function report(all: Awaited<ReturnType<typeof measure>>) {
  // Compares within a round, in which the machine was equally fast.
  const measured = all.map(({ work, checked, unchecked }) => ({
    ...{ work, checked, unchecked },
    ratios: checked.map((rate, i) => rate / (unchecked[i] ?? NaN))
  }))
  const rows = measured.map(({ work, checked, unchecked, ratios }) => ({
    'the service reads': work,
    'requests/s checked': Math.round(median(checked)),
    'requests/s unchecked': Math.round(median(unchecked)),
    ratio: round(median(ratios))
  }))
  console.table(rows)
  save(
    'services',
    measured.map(({ work, ratios }) =>
      atLeast(`through nginx with the check to without it, service reads ${work}`, ratios, 0.5)
    ),
    { connections, rounds, seconds, rows }
  )
}
