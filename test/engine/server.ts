import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import type { Sql } from 'postgres'
import { openDatabase } from '../../db/client.ts'
import { databaseCode, unavailableHint } from '../../db/errors.ts'
import { findLoadBalancer } from '../../db/server-info.ts'
import { InvalidUrl, parseServerUrl } from '../../db/url.ts'
import { databaseUrl, dropDatabase } from '../support/postgres.ts'

/** Why the check does not begin, for people. It has no password. */
export class Unusable extends Error {}

export type Server = Awaited<ReturnType<typeof openServer>>

/** @throws Unusable when this server, database or role cannot be used */
export async function openServer(url: string) {
  const { redact } = check(url)
  const admin = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 10, backoff: false })
  /** Begins the name of every database that this run creates. */
  const prefix = `engine_${randomBytes(4).toString('hex')}_`
  try {
    const whyNoClone = await refuseUnlessEmpty(admin)
      .then(() => tryCreating(admin, prefix))
      .catch((error: unknown) => {
        if (error instanceof Unusable) throw error
        const reason = `${unavailableHint(error)} (${databaseCode(error) ?? 'no code'})`
        throw new Unusable(`The server cannot be used: ${reason}.`)
      })
    return {
      url,
      admin,
      prefix,
      canClone: whyNoClone === undefined,
      redact,
      facts: {
        ...(await readFacts(admin, url)),
        'create database … template': whyNoClone ?? 'supported'
      },
      async close() {
        const left = await admin<{ name: string }[]>`
          select datname as name from pg_database where datname like ${prefix.replaceAll('_', '\\_') + '%'}`
        for (const { name } of left) await dropDatabase(admin, name)
        await admin.end({ timeout: 5 })
      }
    }
  } catch (error) {
    await admin.end({ timeout: 1 })
    throw error
  }
}

/** The function replaces the password in a text, however it is encoded. */
function check(url: string) {
  try {
    const { hosts, password = '' } = parseServerUrl(url)
    if (hosts.length !== 1) throw new Unusable('The URL must name one server.')
    const raw = /:\/\/[^:@/]*:([^@/]*)@/.exec(url)?.[1] ?? ''
    const secrets = [raw, password, process.env.PGPASSWORD ?? ''].filter((each) => each !== '')
    const redact = (text: string) =>
      secrets.reduce((text, secret) => text.replaceAll(secret, '(password)'), text)
    return { redact }
  } catch (error) {
    if (error instanceof InvalidUrl) throw new Unusable(`The URL ${error.message}.`)
    throw error
  }
}

async function refuseUnlessEmpty(admin: Sql) {
  const [standby] = await admin`select 1 where pg_is_in_recovery()`
  if (standby) throw new Unusable('The server is a standby: name the primary.')
  const [table] = await admin`
    select 1 from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema', 'crdb_internal', 'pg_extension')
    limit 1`
  if (table) {
    throw new Unusable(
      'The database is not empty. Name one without tables, such as postgres, on a server that nobody ' +
        'else needs meanwhile: the check creates its own databases.'
    )
  }
}

/** @returns undefined when a database can be created from another one, otherwise why not */
async function tryCreating(admin: Sql, prefix: string) {
  const [one, other] = [`${prefix}one`, `${prefix}other`]
  await admin`create database ${admin(one)}`.catch((error: unknown) => {
    throw databaseCode(error) === '42501'
      ? new Unusable('The role may not create databases. Run: ALTER ROLE … CREATEDB;')
      : error
  })
  try {
    await admin`create database ${admin(other)} template ${admin(one)}`
    await dropDatabase(admin, other)
  } catch (error) {
    return `not supported, each database of a test is migrated (${databaseCode(error)})`
  } finally {
    await dropDatabase(admin, one)
  }
}

const settings = [
  'server_version',
  'default_transaction_isolation',
  'max_connections',
  'server_encoding',
  'synchronous_commit',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'yb_enable_read_committed_isolation',
  'yb_effective_transaction_isolation_level'
]

/** An engine may lack any of these. */
async function readFacts(admin: Sql, url: string) {
  const ask = async (query: string) => {
    const rows = await admin.unsafe(query).catch((error: unknown) => databaseCode(error) ?? 'error')
    return typeof rows === 'string' ? rows : rows.map((row) => Object.values(row).join(' ')).join()
  }
  const facts: Record<string, string> = { version: await ask('select version()') }
  for (const name of settings) facts[name] = await ask(`show ${name}`)
  facts['in recovery'] = await ask('select pg_is_in_recovery()')
  facts.role = await ask(
    "select case when rolsuper then 'superuser' else 'no superuser' end from pg_roles where rolname = current_user"
  )
  facts.extensions = await ask('select extname, extversion from pg_extension order by 1')
  facts['pg_trgm available'] = await ask(
    "select default_version from pg_available_extensions where name = 'pg_trgm'"
  )
  facts['server processes of ten statements on one connection'] = String(
    await countProcesses(admin)
  )
  const database = await openDatabase(url, { poolMax: 4, prepare: false })
  try {
    facts['balances reads'] = (await findLoadBalancer(database.db)) ?? 'no sign of it'
  } finally {
    await database.close()
  }
  return facts
}

/** More than one is a sign of a pooler in transaction mode. */
async function countProcesses(admin: Sql) {
  const pids = new Set<unknown>()
  for (let i = 0; i < 10; i++) {
    const [row] = await admin`select pg_backend_pid() as pid`.catch(() => [{ pid: 'unknown' }])
    pids.add(row?.pid)
  }
  return pids.size
}

export const urlOf = ({ url, prefix }: Server, name: string) => databaseUrl(url, prefix + name)
