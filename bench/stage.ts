import { randomBytes } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { openDatabase } from '../db/client.ts'
import { buildApp } from '../src/app.ts'
import { loadConfig } from '../src/config/config.ts'
import { hashSecret } from '../src/domain/sessions/sessions.ts'
import { syncRegistry } from '../src/domain/access/registry.ts'
import { clean, databaseUrl, startPostgres } from '../test/postgres.ts'
import { serve } from './processes.ts'

/** The key of all portals of a stage. */
export const key = randomBytes(32)
const origin = 'http://localhost:3000'

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

const settings = (url: string) => ({
  NODE_ENV: 'production',
  PUBLIC_ORIGIN: origin,
  DATABASE_URL: url,
  SECRET_KEYS: `k1:${key.toString('base64url')}`
})

/** Starts the production build, as `npm start` does. */
export const startPortal = (name: string, url: string, env: Record<string, string> = {}) =>
  serve(
    name,
    path.join(import.meta.dirname, '../dist/src/server.js'),
    (port) => ({
      ...settings(url),
      HOST: '127.0.0.1',
      PORT: String(port),
      SHUTDOWN_DELAY_SECONDS: '0',
      ...env
    }),
    '/health'
  )

/**
 * Adds `count` users with a session each that has just started, and returns the cookies of the
 * first `taken`. All have the same `passwordHash`.
 */
export async function addSessions(
  url: string,
  {
    count,
    taken = count,
    users = count,
    passwordHash = null
  }: { count: number; taken?: number; users?: number; passwordHash?: string | null }
): Promise<string[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const run = randomBytes(8).toString('hex')
  await sql`
    insert into users (id, email, email_normalized, name, password_hash)
    select id, email, email, 'Ada Lovelace', ${passwordHash} from (
      select gen_random_uuid() as id, ${run} || '-' || n || '@example.com' as email from generate_series(0, ${users - 1}::int) as n) as made`
  await sql`insert into user_roles select users.id, roles.id from users, roles where roles.key = 'user' and email_normalized like ${run + '%'}`
  await sql`create temp table people as select row_number() over () - 1 as n, id from users where email_normalized like ${run + '%'}`
  await sql`create unique index on people (n)`
  await sql`
    insert into sessions (id, token_hash, user_id, created_at, expires_at)
    select gen_random_uuid(), sha256(convert_to(secret, 'UTF8')), people.id, at, at + interval '7 days'
    from (select n, date_trunc('second', now()) as at, translate(rtrim(encode(sha256(convert_to(${run} || n, 'UTF8')), 'base64'), '='), '+/', '-_') as secret from generate_series(0, ${count - 1}::int) as n) as made
    join people on people.n = made.n % ${users}`
  const rows = await sql<
    { userId: string; createdAt: Date; expiresAt: Date; tokenHash: Uint8Array; secret: string }[]
  >`
    select sessions.user_id as "userId", sessions.created_at as "createdAt", sessions.expires_at as "expiresAt", token_hash as "tokenHash", secret
    from (select translate(rtrim(encode(sha256(convert_to(${run} || n, 'UTF8')), 'base64'), '='), '+/', '-_') as secret from generate_series(0, ${taken - 1}::int) as n) as made
    join sessions on sessions.token_hash = sha256(convert_to(secret, 'UTF8'))`
  await sql`analyze users, user_roles, sessions`
  await sql.end()
  const app = buildApp(loadConfig({ ...settings(url), LOG_LEVEL: 'silent' }))
  await app.ready()
  const cookies = rows.map(({ secret, ...session }) => {
    if (Buffer.compare(hashSecret(secret), session.tokenHash) !== 0) {
      throw new Error("the secret is not the session's")
    }
    return `__Host-portal_session=${app.sessionTokens.sign(session, secret)}`
  })
  await app.close()
  return cookies
}

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
