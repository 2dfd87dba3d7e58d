// Not on PGlite: it needs a server that refuses connections and statements.

import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import t from 'tap'
import type { Test } from 'tap'
import { onPglite } from '../support/app.ts'
import { delayingProxy } from '../support/delaying-proxy.ts'
import { emptyDatabaseUrl } from '../support/empty-database.ts'
import { databaseUrl, dropDatabase } from '../support/postgres.ts'
import { testServer } from '../support/test-server.ts'
import { examined } from './doctor-run.ts'
import { portal } from './run.ts'

const skip = onPglite && 'needs a server'

t.test('doctor names why it cannot connect, with the words of the server', { skip }, async (t) => {
  const { url, finding, client } = await examined(t)
  const suffix = randomBytes(6).toString('hex')
  const roles = { full: 'connection limit 0', stopped: 'nologin' }
  for (const [name, option] of Object.entries(roles)) {
    await client.unsafe(
      `create role ${name}_${suffix} login; alter role ${name}_${suffix} ${option}`
    )
    t.teardown(() => client.unsafe(`drop role ${name}_${suffix}`))
  }
  const as = (role: string) => {
    const target = new URL(url)
    target.username = `${role}_${suffix}`
    return target.href
  }
  for (const [given, expected, todo] of [
    [`${url}?sslmode=require`, /^cannot be used: it has no TLS/, /ssl = on/],
    [`${url}?sslmode=verify-full`, /^cannot be used: it has no TLS/, /ssl = on/],
    [
      `${url}?nonsense=1`,
      /it refuses a parameter.*: unrecognized configuration parameter "nonsense"/,
      /ignore_startup/
    ],
    [
      `${url}?work_mem=much`,
      /it refuses a parameter.*: invalid value for parameter "work_mem"/,
      /Remove/
    ],
    [as('full'), /it has no connections left.*: too many connections for role/, /CONNECTION LIMIT/],
    [
      as('stopped'),
      /rejects the user.*: role "stopped_.*" is not permitted to log in/,
      /DATABASE_URL/
    ],
    [databaseUrl(url, `none_${suffix}`), /no database with this name/, /create the database/]
  ] as const) {
    t.match(
      await finding('database', { DATABASE_URL: given }),
      { result: 'problem', finding: expected, todo },
      given.replace(/^.*@/, '')
    )
  }
  t.match(await finding('database', { DATABASE_URL: `${url}?sslmode=allow` }), { result: 'ok' })
  t.match(await portal(['user', 'list'], { env: { DATABASE_URL: `${url}?sslmode=require` } }), {
    code: 5,
    stderr: /it has no TLS, which sslmode asks for\. Set ssl = on/
  })
})

t.test('doctor says how far away the database is', { skip }, async (t) => {
  const { url, finding } = await examined(t)
  t.match(await finding('distance'), { finding: /^a round trip to the database takes \d+ ms$/ })
  const way = await delayingProxy(t, url)
  way.move(150)
  t.match(await finding('distance', { DATABASE_URL: way.url }), {
    result: 'warning',
    finding: /takes 1[5-9]\d ms$|takes [2-9]\d\d ms$/,
    todo: /^Move the portal near its database/
  })
})

/** A database without a schema, in this encoding. */
async function encoded(t: Test, encoding: string) {
  const { url } = await testServer()
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  t.teardown(() => admin.end())
  const name = `test_${randomBytes(8).toString('hex')}`
  await admin.unsafe(
    `create database ${name} encoding '${encoding}' lc_collate 'C' lc_ctype 'C' template template0`
  )
  t.teardown(() => dropDatabase(admin, name))
  return databaseUrl(url, name)
}

t.test('migrate refuses a database that cannot hold every name', { skip }, async (t) => {
  const { finding } = await examined(t)
  t.match(await finding('encoding'), { result: 'ok' })
  for (const encoding of ['LATIN1', 'SQL_ASCII', 'WIN1252']) {
    const env = { DATABASE_URL: await encoded(t, encoding) }
    const client = postgres(env.DATABASE_URL, { max: 1 })
    const journals = () => client`select nspname from pg_namespace where nspname = 'drizzle'`
    const refused = {
      code: 5,
      stderr: new RegExp(`encoding is ${encoding}.*CREATE DATABASE \\w+ OWNER \\w+ ENCODING 'UTF8'`)
    }
    t.match(await portal(['migrate'], { env }), refused)
    t.same(await journals(), [], 'untouched')
    // Version 0.1 accepted it.
    await client.unsafe(
      'create schema drizzle; create table drizzle.__drizzle_migrations ' +
        '(id serial primary key, hash text not null, created_at bigint)'
    )
    t.match(await portal(['migrate'], { env }), refused)
    t.match(await finding('encoding', env), {
      result: 'problem',
      finding: `the encoding is ${encoding}, and names of users need UTF8`
    })
    await client.end()
  }
})

t.test(
  'a search_path that leads nowhere is named by migrate and by doctor',
  { skip },
  async (t) => {
    const { url, client, finding } = await examined(t)
    const empty = await emptyDatabaseUrl(t)
    t.match(
      await portal(['migrate'], { env: { DATABASE_URL: `${empty}?search_path=elsewhere` } }),
      {
        code: 5,
        stderr: /search_path \(elsewhere\) names no schema that exists/
      }
    )
    await client.unsafe('create schema other')
    const [{ name } = {}] = await client`select current_user as name`
    for (const [path, words] of [
      ['elsewhere', /^search_path \(elsewhere\) hides the tables, which are in public$/],
      ['other', /^search_path \(other\) hides the tables, which are in public$/]
    ] as const) {
      const given = { DATABASE_URL: `${url}?search_path=${path}` }
      const found = await finding('search path', given)
      t.match(found, { result: 'problem', finding: words })
      t.match(found?.todo, `ALTER ROLE ${name} SET search_path = public`)
      t.match(await portal(['migrate'], { env: given }), {
        code: 5,
        stderr: /hides the tables, which are in public/
      })
    }
    t.match(await finding('search path'), { result: 'ok', finding: 'leads to the schema public' })
  }
)

t.test(
  'doctor finds that changes cannot be stored, and leaves nothing behind',
  { skip },
  async (t) => {
    const { client, finding } = await examined(t)
    t.match(await finding('storage'), { result: 'ok' })
    t.same(await client`select relname from pg_class where relname = 'portal_storage'`, [])
    await client.unsafe(`create function fail() returns event_trigger language plpgsql as $$
    begin raise exception using errcode = '53100',
      message = 'could not extend file "base/5/16": No space left on device'; end $$;
    create event trigger fail on ddl_command_start when tag in ('CREATE TABLE')
      execute function fail()`)
    t.match(await finding('storage'), {
      result: 'problem',
      finding: /^changes cannot be stored: its disk is full: could not extend file .*\(53100\)$/,
      todo: /^Free space on the disk of PostgreSQL/
    })
    t.match(await finding('epochs'), { result: 'ok' }, 'the other checks go on')
  }
)
