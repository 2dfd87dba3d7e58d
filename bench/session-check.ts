import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { deriveKey } from '../src/domain/crypto.ts'
import { key } from '../test/support/many-sessions.ts'
import { chart } from './chart.ts'
import { atLeast, atMost, median, published, results, round, save } from './figures.ts'
import { connections, driveServer, requestOf, responseTo } from './load.ts'
import type { ServerLoad } from './load.ts'
import { me, onThisNode, peersOf, person, portalVersion } from './peers.ts'
import { serve } from './processes.ts'
import type { Served } from './processes.ts'
import {
  newDatabase,
  newPortalDatabase,
  post,
  progress,
  startPortal,
  withPostgres
} from './stage.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)

interface Contender {
  served: Served
  request: Buffer
  version: string
  /** The least that is required of the portal's rate, to that of this one. */
  least?: number | undefined
}

/** Measures the cost of a session check compared with other servers. */
export const sessionCheck = () =>
  withPostgres(async (server) => {
    const contenders: Contender[] = []
    try {
      const skipped = await startAll(server, contenders)
      report(contenders, await measure(contenders), skipped)
    } finally {
      for (const { served } of contenders) await served.stop()
    }
  })

async function startAll(server: string, contenders: Contender[]) {
  const url = await newPortalDatabase(server, 'portal')
  const portal = await startPortal('portal', url)
  await post(portal.port, '/api/auth/register', person)
  const cookie = await cookieOf(portal.port, '/api/auth/login')
  const request = requestOf({ path: me, cookie })
  contenders.push({ served: portal, request, version: portalVersion })
  await assertRight(portal, request, cookie)

  // The headers of the portal's response. Omitted ones differ each time and are sent anyway.
  const response = await fetch(`http://127.0.0.1:${portal.port}${me}`, { headers: { cookie } })
  const body = (await response.json()) as object
  const headers = Object.fromEntries(
    [...response.headers].filter(
      ([name]) =>
        !['date', 'connection', 'keep-alive', 'content-length', 'content-type'].includes(name)
    )
  )
  const secret = deriveKey(key, 'jwt').toString('hex')
  const token = { secret, headers, body, cookieName: cookie.split('=')[0] }
  const { peers, skipped } = onThisNode(peersOf(token, url))
  for (const [n, peer] of peers.entries()) {
    const { name, file, settings, login, open, least, version } = peer
    const database = login && (await newDatabase(server, `peer_${n}`))
    const served = await serve(name, path.join(import.meta.dirname, 'servers', file), (port) => ({
      BENCH: JSON.stringify({ port, database, person, ...settings })
    }))
    const host = `127.0.0.1:${served.port}`
    const origin = `http://${host}` // better-auth asks for one
    const own = login ? await cookieOf(served.port, login, { origin }) : cookie
    const { ask = () => ({ path: me, cookie: own }) } = peer
    const request = requestOf({ ...ask(own), ...(login && { host }) })
    contenders.push({ served, request, version, least })
    await assertRight(served, request, own, open)
  }
  return skipped
}

/**
 * A caller with the cookie learns who is signed in, and one with a forged cookie does not. Nothing
 * is renewed: the clients would not keep it, and would cause the same work each time.
 */
async function assertRight({ name, port }: Served, request: Buffer, cookie: string, open = false) {
  const real = await responseTo(port, request.toString())
  const forgery = cookie.replaceAll(/[^=; ]{6}(?=;|$)/g, 'forged')
  const forged = await responseTo(port, request.toString().replace(cookie, forgery))
  const tells = (response: string) => response.includes(`"${person.email}"`)
  if (!real.startsWith('HTTP/1.1 200') || !tells(real) || /^set-cookie:/im.test(real)) {
    throw new Error(`${name} does not know the person: ${real}`)
  }
  if (tells(forged) !== open) throw new Error(`${name} takes a forged cookie: ${forged}`)
}

/** Measures in turn over several rounds, so that other load on the machine affects all servers. */
async function measure(contenders: Contender[]) {
  const all = new Map(contenders.map(({ served: { name } }) => [name, [] as ServerLoad[]]))
  for (let turn = -1; turn < rounds; turn++) {
    for (const { served, request } of contenders) {
      const measured = await driveServer(served, [request], turn < 0 ? 2 : seconds)
      progress(
        `${turn < 0 ? 'warming up' : `round ${turn + 1} of ${rounds}`}: ${served.name} ` +
          `${Math.round(measured.perSecond)}/s`
      )
      if (turn >= 0) {
        all.get(served.name)?.push(measured)
      }
    }
  }
  return all
}

function report(contenders: Contender[], all: Map<string, ServerLoad[]>, skipped: string[]) {
  const portal = all.get('portal') ?? []
  /** Compares figures of the same round, in which the machine was equally fast. */
  const ratio = (
    name: string,
    pick: (figures: ServerLoad) => number = ({ perSecond }) => perSecond
  ) => portal.map((own, i) => pick(own) / pick(all.get(name)?.[i] ?? own))
  const table = contenders.map(({ served: { name }, version }) => {
    const figures = all.get(name) ?? []
    const of = (pick: (figure: ServerLoad) => number) => median(figures.map(pick))
    const rates = figures.map(({ perSecond }) => perSecond)
    return {
      name,
      version,
      'requests/s': Math.round(of(({ perSecond }) => perSecond)),
      'spread %': Math.round(((Math.max(...rates) - Math.min(...rates)) / median(rates)) * 100),
      'p50 ms': round(of(({ p50 }) => p50)),
      'p99 ms': round(of(({ p99 }) => p99)),
      'CPU µs': round(of(({ cpu }) => cpu)),
      'asking, of a core': round(of(({ asking }) => asking)),
      'memory MB': Math.round(of(({ memory }) => memory)),
      'portal to it': round(median(ratio(name)))
    }
  })
  console.table(Object.fromEntries(table.map(({ name, ...figures }) => [name, figures])))
  const noisy = table.some((row) => row['spread %'] > 30)
  if (noisy) {
    console.log(
      'The rounds of one differ by more than 30 %: the machine was too busy to tell small ' +
        'differences.'
    )
  }
  const p99 = ratio('same bytes, same headers', (figures) => figures.p99)
  save(
    'session-check',
    [
      ...contenders.slice(1).map(({ served: { name }, least }) => {
        const what = `portal to ${name}`
        return least ? atLeast(what, ratio(name), least) : published(what, ratio(name))
      }),
      atMost('p99 to same bytes, same headers', p99, 2)
    ],
    { connections, rounds, seconds, noisy, skipped, table }
  )
  writeFileSync(
    path.join(results, 'session-check.svg'),
    chart(
      'Session checks a second, 50 connections',
      table.map((row) => ({ label: row.name, value: row['requests/s'] }))
    )
  )
}

async function cookieOf(port: number, url: string, headers: Record<string, string> = {}) {
  const { email, password } = person
  const { headers: sent } = await post(port, url, { email, password }, headers)
  const cookies = sent.getSetCookie()
  if (cookies.length === 0) throw new Error(`${url} set no cookie`)
  return cookies.map((cookie) => cookie.split(';')[0]).join('; ')
}
