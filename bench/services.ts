import path from 'node:path'
import { startNginx } from '../test/proxies/proxies.ts'
import { atLeast, median, round, save } from './figures.ts'
import { assertAll, drive, requestOf } from './load.ts'
import { serve } from './processes.ts'
import { addSessions, newPortalDatabase, progress, startPortal, withPostgres } from './stage.ts'

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
      const service = await serve('service', file, (port) => ({ BENCH: JSON.stringify({ port }) }))
      ends.push(service.stop)
      const nginx = await startNginx(
        { teardown: (end) => ends.push(end) },
        { portals: [portal.port, portal.port], service: service.port },
        {
          'permission=invoices:read': 'permission=profile:read',
          '  include portal/refusals.conf;': `  include portal/refusals.conf;
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

/** Requests a second of each kind, by round. */
async function measure(port: number, cookies: string[]) {
  const paths = { checked: '/api/invoices', unchecked: '/unchecked' }
  const rates = { checked: [] as number[], unchecked: [] as number[] }
  for (let turn = -1; turn < rounds; turn++) {
    for (const kind of ['checked', 'unchecked'] as const) {
      const measured = await drive({
        port,
        requests: cookies.map((cookie) => requestOf({ path: paths[kind], cookie })),
        connections,
        seconds: turn < 0 ? 2 : seconds
      })
      assertAll(200, kind, measured)
      progress(`${kind} ${Math.round(measured.perSecond)}/s`)
      if (turn >= 0) rates[kind].push(measured.perSecond)
    }
  }
  return rates
}

function report({ checked, unchecked }: Awaited<ReturnType<typeof measure>>) {
  // Of the same round, in which the machine was equally fast.
  const ratio = median(checked.map((rate, i) => rate / (unchecked[i] ?? NaN)))
  save('services', [atLeast('through nginx with the check to without it', ratio, 0.5)], {
    connections,
    rounds,
    seconds,
    'requests/s': { checked: round(median(checked)), unchecked: round(median(unchecked)) }
  })
}
