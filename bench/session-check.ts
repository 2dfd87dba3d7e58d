import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { deriveKey } from '../src/domain/crypto.ts'
import { key } from '../test/support/many-sessions.ts'
import { chart } from './chart.ts'
import { atLeast, median, published, results, round, save } from './figures.ts'
import { connections, driveServer, requestOf } from './load.ts'
import type { ServerLoad } from './load.ts'
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
const [email, password] = ['ada@example.com', 'correct horse battery']

interface Contender {
  served: Served
  request: Buffer
}

/** Measures the cost of a session check compared with other servers. */
export const sessionCheck = () =>
  withPostgres(async (server) => {
    const contenders: Contender[] = []
    try {
      await startAll(server, contenders)
      report(await measure(contenders))
    } finally {
      for (const { served } of contenders) await served.stop()
    }
  })

async function startAll(server: string, contenders: Contender[]) {
  const add = (served: Served, cookie: string, path = '/api/auth/me', host?: string) =>
    contenders.push({ served, request: requestOf({ path, cookie, ...(host && { host }) }) })
  const url = await newPortalDatabase(server, 'portal')
  const portal = await startPortal('portal', url)
  await post(portal.port, '/api/auth/register', { email, password, name: 'Ada Lovelace' })
  const cookie = await cookieOf(portal.port, '/api/auth/login')
  add(portal, cookie)

  // The headers of the portal's response. Omitted ones differ each time and are sent anyway.
  const response = await fetch(`http://127.0.0.1:${portal.port}/api/auth/me`, {
    headers: { cookie }
  })
  const body = (await response.json()) as object
  const headers = Object.fromEntries(
    [...response.headers].filter(
      ([name]) =>
        !['date', 'connection', 'keep-alive', 'content-length', 'content-type'].includes(name)
    )
  )
  const start = (name: string, file: string, settings: object) =>
    serve(name, path.join(import.meta.dirname, 'servers', file), (port) => ({
      BENCH: JSON.stringify({ port, ...settings })
    }))
  add(await start('same bytes, same headers', 'bare.mjs', { body, headers }), cookie)
  add(await start('bare route', 'bare.mjs', { body, headers: {} }), cookie)
  const token = {
    secret: deriveKey(key, 'jwt').toString('hex'),
    headers,
    cookieName: cookie.split('=')[0]
  }
  add(await start('stateless token', 'token.mjs', { ...token, body, cache: false }), cookie)
  add(await start('stateless token, cached', 'token.mjs', { ...token, body, cache: true }), cookie)
  add(await start('a query per request', 'query.mjs', { ...token, database: url }), cookie)

  const auth = await start('better-auth', 'better-auth.mjs', {
    database: await newDatabase(server, 'better_auth')
  })
  const origin = { origin: `http://127.0.0.1:${auth.port}` } // it asks for one
  await post(
    auth.port,
    '/api/auth/sign-up/email',
    { email, password, name: 'Ada Lovelace' },
    origin
  )
  add(
    auth,
    await cookieOf(auth.port, '/api/auth/sign-in/email', origin),
    '/api/auth/get-session',
    `127.0.0.1:${auth.port}`
  )

  const express = await start('Express sessions', 'express.mjs', {
    database: await newDatabase(server, 'express'),
    email,
    password
  })
  add(express, await cookieOf(express.port, '/login'), '/me')
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

function report(all: Map<string, ServerLoad[]>) {
  const portal = all.get('portal') ?? []
  /** Compares figures of the same round, in which the machine was equally fast. */
  const ratio = (
    name: string,
    pick: (figures: ServerLoad) => number = ({ perSecond }) => perSecond
  ) => median(portal.map((own, i) => pick(own) / pick(all.get(name)?.[i] ?? own)))
  const rows = [...all].map(([name, figures]) => {
    const of = (pick: (figure: ServerLoad) => number) => median(figures.map(pick))
    const rates = figures.map(({ perSecond }) => perSecond)
    return {
      name,
      'requests/s': Math.round(of(({ perSecond }) => perSecond)),
      'spread %': Math.round(((Math.max(...rates) - Math.min(...rates)) / median(rates)) * 100),
      'p50 ms': round(of(({ p50 }) => p50)),
      'p99 ms': round(of(({ p99 }) => p99)),
      'CPU µs': round(of(({ cpu }) => cpu)),
      'asking, of a core': round(of(({ asking }) => asking)),
      'memory MB': Math.round(of(({ memory }) => memory)),
      'portal to it': round(ratio(name))
    }
  })
  console.table(Object.fromEntries(rows.map(({ name, ...figures }) => [name, figures])))
  const noisy = rows.some((row) => row['spread %'] > 30)
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
      published('portal to same bytes, same headers', ratio('same bytes, same headers')),
      published('portal to a bare route', ratio('bare route')),
      atLeast('portal to a stateless token', ratio('stateless token'), 1.3),
      published('portal to a stateless token, cached', ratio('stateless token, cached')),
      atLeast('portal to a query per request', ratio('a query per request'), 4),
      atLeast('portal to better-auth', ratio('better-auth'), 20),
      atLeast('portal to Express sessions', ratio('Express sessions'), 12),
      {
        what: 'p99 to same bytes, same headers',
        required: 'at most 2',
        measured: String(round(p99)),
        holds: p99 <= 2
      }
    ],
    { connections, rounds, seconds, noisy, rows }
  )
  writeFileSync(
    path.join(results, 'session-check.svg'),
    chart(
      'Session checks a second, 50 connections',
      rows.map((row) => ({ label: row.name, value: row['requests/s'] }))
    )
  )
}

async function cookieOf(port: number, url: string, headers: Record<string, string> = {}) {
  const [cookie] = (await post(port, url, { email, password }, headers)).headers.getSetCookie()
  if (!cookie) throw new Error(`${url} set no cookie`)
  return cookie.split(';')[0] ?? ''
}
