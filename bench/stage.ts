import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import type { Row } from 'postgres'
import { openDatabase } from '../db/client.ts'
import { syncRegistry } from '../src/domain/access/registry.ts'
import { settings } from '../test/support/many-sessions.ts'
import { clean, databaseUrl, startPostgres } from '../test/support/postgres.ts'
import { root } from '../test/support/root.ts'
import { serve } from './processes.ts'

/** Runs PostgreSQL with its default settings during the work. */
export async function withPostgres(
  work: (server: string) => Promise<void>,
  settings: string[] = []
) {
  const folder = path.join(os.tmpdir(), 'portal-bench')
  await clean(folder)
  const server = await startPostgres(folder, [
    'fsync=on',
    'synchronous_commit=on',
    'full_page_writes=on',
    ...settings
  ])
  try {
    await work(server)
  } finally {
    await clean(folder)
  }
}

/** The first value that a query returns, which has the name `count`. */
export async function countOf(query: PromiseLike<readonly Row[]>) {
  const [row] = await query
  return Number((row as { count?: number } | undefined)?.count)
}

export async function newDatabase(server: string, name: string) {
  const admin = postgres(server, { max: 1 })
  await admin`create database ${admin(name)}`
  await admin.end()
  return databaseUrl(server, name)
}

/** An empty, migrated database for the portal. */
export async function newPortalDatabase(server: string, name: string) {
  const url = await newDatabase(server, name)
  const database = await openDatabase(url)
  await database.migrate(syncRegistry)
  await database.close()
  return url
}

const unit = readFileSync(path.join(root, 'deploy/portal@.service'), 'utf8')
const [, options = ''] = /^ExecStart=node (.*)dist\/src\/server\.js$/m.exec(unit) ?? []

/** Starts the production build, as systemd does. */
export const startPortal = (
  name: string,
  url: string,
  env: Record<string, string> = {},
  node = process.execPath
) =>
  serve(
    name,
    path.join(root, 'dist/src/server.js'),
    (port) => ({
      ...settings(url),
      HOST: '127.0.0.1',
      PORT: String(port),
      SHUTDOWN_DELAY_SECONDS: '0',
      ...env
    }),
    { node, nodeOptions: options.split(' ').filter(Boolean), path: '/health' }
  )

export async function post(
  port: number,
  url: string,
  body: object,
  headers: Record<string, string> = {}
) {
  const response = await fetch(`http://127.0.0.1:${port}${url}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response
}

export const progress = (text: string) => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`)
}
