import { existsSync, readFileSync } from 'node:fs'
import postgres from 'postgres'
import type { Sql } from 'postgres'
import { openDatabase } from '../../db/client.ts'
import { syncRegistry } from '../../src/domain/access/registry.ts'
import { urlOf } from './server.ts'
import type { Server } from './server.ts'

const rows = 20_000
/** The error of a statement about a table that a test has created. */
const missingTable = '42P01'

/**
 * The plan of each statement that the tests of this run have sent, in a database with some data.
 * @param file the statements, one in JSON a line
 */
export async function plans(server: Server, file: string) {
  if (!existsSync(file)) {
    return { passed: false, summary: 'no test has run, so no statement is known', errors: [] }
  }
  const statements = readStatements(file)
  await server.admin`create database ${server.admin(`${server.prefix}plans`)}`
  const url = urlOf(server, 'plans')
  const database = await openDatabase(url, { poolMax: 1 })
  await database.migrate(syncRegistry)
  await database.close()
  const client = postgres(url, { max: 1, prepare: false, onnotice: () => {}, fetch_types: false })
  try {
    await fill(client)
    const explained = []
    for (const [n, { sql, params }] of statements.entries()) {
      if (n % 50 === 0) process.stderr.write(`${n} of ${statements.length} statements\n`)
      const result = await explain(client, sql, params)
      if (result.code !== missingTable) explained.push({ sql, ...result })
    }
    const failed = explained.filter(({ code }) => code !== undefined)
    return {
      passed: failed.length === 0,
      summary: `${explained.length} statements, ${failed.length} without a plan`,
      errors: failed.slice(0, 10).map(({ sql, plan }) => `${plan}\n${sql}`),
      plans: explained
    }
  } finally {
    await client.end()
  }
}

/** The statements with a plan, one of each form: lists of parameters differ in length. */
function readStatements(file: string) {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const all = lines.map((line) => JSON.parse(line) as { sql: string; params: unknown[] })
  const forms = new Map<string, (typeof all)[number]>()
  for (const each of all.filter(({ sql }) =>
    /^\s*(select|with|insert|update|delete)\b/i.test(sql)
  )) {
    const form = each.sql.replace(/\$\d+/g, '$').replace(/(\(?\$\)?, ?)+/g, '')
    if (!forms.has(form)) forms.set(form, each)
  }
  return [...forms.values()].sort((one, other) => (one.sql < other.sql ? -1 : 1))
}

async function explain(client: Sql, sql: string, params: unknown[]) {
  try {
    const found = await client.unsafe(`explain ${sql}`, params as never[])
    return { plan: found.map((row) => Object.values(row)[0] as string).join('\n') }
  } catch (error) {
    const { code = 'unknown', message } = error as { code?: string; message: string }
    return { plan: `${code}: ${message}`, code }
  }
}

/** Enough rows of the large tables that an index is worth its use. */
async function fill(client: Sql) {
  await client.unsafe(`
    insert into users (id, email, email_normalized, name)
    select gen_random_uuid(), n || '@example.com', n || '@example.com', 'Person ' || n
    from generate_series(1, ${rows}) as n`)
  await client.unsafe(`
    insert into sessions (id, token_hash, user_id, expires_at)
    select gen_random_uuid(), decode(md5(email), 'hex'), id, now() + interval '1 day' from users`)
  await client.unsafe(`
    insert into activity (id, action, outcome, actor_type, actor_id, source)
    select gen_random_uuid(), 'auth.login', 'success', 'user', id, 'api' from users`)
  for (const table of ['users', 'sessions', 'activity']) await client.unsafe(`analyze ${table}`)
}
