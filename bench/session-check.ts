import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { deriveKey } from '../src/domain/crypto.ts'
import { openDatabase } from '../db/client.ts'
import { syncRegistry } from '../src/domain/registry.ts'
import { clean, databaseUrl, startPostgres } from '../test/postgres.ts'
import { chart } from './chart.ts'
import { drive } from './load.ts'
import type { Measured } from './load.ts'
import { serve, usage } from './processes.ts'
import type { Served } from './processes.ts'

// What a session check costs, side by side with others: `npm run bench` in this folder. BENCH_ROUNDS and BENCH_SECONDS make it shorter.

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const connections = 50
const [email, password] = ['ada@example.com', 'correct horse battery']
const folder = path.join(os.tmpdir(), 'portal-bench')
const here = import.meta.dirname

interface Contender { served: Served, path: string, cookie: string, host?: string }

await clean(folder)
const server = await startPostgres(folder)
const contenders: Contender[] = []
try {
  await startAll()
  const all = await measure()
  report(all)
} finally {
  for (const { served } of contenders) await served.stop()
  await clean(folder)
}

async function startAll () {
  const url = await newDatabase('portal')
  const database = await openDatabase(url)
  await database.migrate(syncRegistry)
  await database.close()
  const secret = randomBytes(32)
  const portal = await serve('portal', path.join(here, '../dist/src/server.js'), (port) => ({
    HOST: '127.0.0.1', PORT: String(port), PUBLIC_ORIGIN: 'http://localhost:3000', DATABASE_URL: url, SECRET_KEYS: `k1:${secret.toString('base64url')}`, BCRYPT_COST: '10', UV_THREADPOOL_SIZE: '16'
  }), '/health')
  await post(portal.port, '/api/auth/register', { email, password, name: 'Ada Lovelace' })
  const cookie = await cookieOf(portal.port, '/api/auth/login')
  contenders.push({ served: portal, path: '/api/auth/me', cookie })

  // What the portal answers, byte for byte; these three differ with every answer, and are there anyway.
  const answer = await fetch(`http://127.0.0.1:${portal.port}/api/auth/me`, { headers: { cookie } })
  const body = await answer.json() as object
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !['date', 'connection', 'keep-alive', 'content-length', 'content-type'].includes(name)))
  const env = (more: object) => (port: number) => ({ BENCH: JSON.stringify({ port, ...more }) })
  const file = (name: string) => path.join(here, 'servers', name)
  contenders.push({ served: await serve('same bytes, same headers', file('bare.mjs'), env({ body, headers })), path: '/api/auth/me', cookie })
  contenders.push({ served: await serve('bare route', file('bare.mjs'), env({ body, headers: {} })), path: '/api/auth/me', cookie })
  contenders.push({ served: await serve('a query per request', file('query.mjs'), env({ database: url, secret: deriveKey(secret, 'jwt').toString('hex'), headers, cookieName: cookie.split('=')[0] })), path: '/api/auth/me', cookie })

  const auth = await serve('better-auth', file('better-auth.mjs'), env({ database: await newDatabase('better_auth') }))
  const origin = { origin: `http://127.0.0.1:${auth.port}` } // it asks for one
  await post(auth.port, '/api/auth/sign-up/email', { email, password, name: 'Ada Lovelace' }, origin)
  contenders.push({ served: auth, path: '/api/auth/get-session', cookie: await cookieOf(auth.port, '/api/auth/sign-in/email', origin), host: `127.0.0.1:${auth.port}` })

  const express = await serve('Express sessions', file('express.mjs'), env({ database: await newDatabase('express'), email, password }))
  contenders.push({ served: express, path: '/me', cookie: await cookieOf(express.port, '/login') })
}

type Figures = Measured & { cpu: number, memory: number }

/** Each in turn, over several rounds: what the machine does besides hits all of them. */
async function measure () {
  const all = new Map(contenders.map(({ served: { name } }) => [name, [] as Figures[]]))
  for (let round = -1; round < rounds; round++) {
    for (const { served, ...request } of contenders) {
      const before = usage(served)
      const measured = await drive({ port: served.port, ...request, connections, seconds: round < 0 ? 2 : seconds })
      const after = usage(served)
      if (Object.keys(measured.statuses).join() !== '200') throw new Error(`${served.name} answered ${JSON.stringify(measured.statuses)}`)
      process.stderr.write(`${round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`}: ${served.name} ${Math.round(measured.perSecond)}/s\n`)
      if (round >= 0) all.get(served.name)?.push({ ...measured, cpu: (after.cpuSeconds - before.cpuSeconds) / (measured.perSecond * seconds) * 1e6, memory: after.memory })
    }
  }
  return all
}

function report (all: Map<string, Figures[]>) {
  const portal = all.get('portal') ?? []
  const rows = [...all].map(([name, figures]) => {
    const of = (pick: (figure: Figures) => number) => median(figures.map(pick))
    // Of one round each: what slowed the machine slowed both.
    const ratio = median(portal.map((own, i) => own.perSecond / (figures[i]?.perSecond ?? NaN)))
    const rates = figures.map(({ perSecond }) => perSecond)
    return {
      name,
      'requests/s': Math.round(of(({ perSecond }) => perSecond)),
      'spread %': Math.round((Math.max(...rates) - Math.min(...rates)) / median(rates) * 100),
      'p50 ms': round(of(({ p50 }) => p50)),
      'p99 ms': round(of(({ p99 }) => p99)),
      'CPU µs': round(of(({ cpu }) => cpu)),
      'asking, of a core': round(of(({ asking }) => asking)),
      'memory MB': Math.round(of(({ memory }) => memory)),
      'portal to it': round(ratio)
    }
  })
  console.table(Object.fromEntries(rows.map(({ name, ...figures }) => [name, figures])))
  const noisy = rows.some((row) => row['spread %'] > 30)
  if (noisy) console.log('The rounds differ by more than 30 %: the machine was too busy to tell small differences.')
  mkdirSync(path.join(here, 'results'), { recursive: true })
  const machine = { processor: os.cpus()[0]?.model, cores: os.availableParallelism(), node: process.version, platform: `${os.platform()} ${os.arch()}` }
  writeFileSync(path.join(here, 'results/session-check.json'), JSON.stringify({ machine, connections, rounds, seconds, noisy, rows }, null, 2) + '\n')
  writeFileSync(path.join(here, 'results/session-check.svg'), chart('Session checks a second, 50 connections', rows.map((row) => ({ label: row.name, value: row['requests/s'] }))))
}

async function newDatabase (name: string) {
  const { default: postgres } = await import('postgres')
  const admin = postgres(server, { max: 1 })
  await admin`create database ${admin(name)}`
  await admin.end()
  return databaseUrl(server, name)
}

async function post (port: number, url: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${url}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response
}

async function cookieOf (port: number, url: string, headers: Record<string, string> = {}) {
  const [cookie] = (await post(port, url, { email, password }, headers)).headers.getSetCookie()
  if (!cookie) throw new Error(`${url} set no cookie`)
  return cookie.split(';')[0] ?? ''
}

function median (all: number[]) {
  const sorted = all.toSorted((a, b) => a - b)
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? NaN)) / 2
}

function round (value: number) {
  return Number(value.toPrecision(3))
}
