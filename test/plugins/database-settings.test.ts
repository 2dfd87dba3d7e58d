// Not on PGlite: a server has settings for its databases, roles and connections.

import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import {
  aUser,
  freshEmail,
  onPglite,
  ownApp,
  password,
  signedIn,
  testDatabaseUrl
} from '../support/app.ts'
import { databaseUrl } from '../support/postgres.ts'
import { captureLog } from '../support/log-capture.ts'
import { pooler, testServer } from '../support/test-server.ts'

const skip = onPglite && 'needs a server'

/** An application whose connections begin with these settings of the database. */
async function withSettings(t: Test, settings: Record<string, string>) {
  const url = await testDatabaseUrl(t)
  const client = postgres(databaseUrl((await testServer()).url, new URL(url).pathname.slice(1)), {
    max: 1
  })
  const [{ name } = {}] = await client`select current_database() as name`
  for (const [setting, value] of Object.entries(settings)) {
    await client.unsafe(`alter database ${name} set ${setting} = '${value}'`)
  }
  await client.end()
  const database = await openDatabase(url, { prepare: pooler === undefined })
  return ownApp(t, {}, database)
}

t.test('settings of the database do not change what the portal reads', { skip }, async (t) => {
  for (const settings of [
    { datestyle: 'German' },
    { datestyle: 'SQL, DMY' },
    { datestyle: 'Postgres, MDY', intervalstyle: 'iso_8601', timezone: 'Asia/Kathmandu' },
    { client_encoding: 'LATIN1' },
    { bytea_output: 'escape' }
  ] as Record<string, string>[]) {
    await t.test(JSON.stringify(settings), async (t) => {
      const app = await withSettings(t, settings)
      const bytes = Buffer.from([0, 39, 65, 92, 127, 128, 255])
      const [row] = await app.db
        .select({ bytes: sql`${bytes}::bytea` })
        .from(sql`(select 1) as one`)
      t.same(row?.bytes, bytes)
      const email = freshEmail()
      const before = Date.now()
      const registered = await app.inject({
        method: 'POST',
        url: '/api/auth/register',
        payload: { email, password, name: 'Ōsaka 東京' }
      })
      t.equal(registered.statusCode, 201, registered.body)
      const cookie = await signedIn(app, email)
      const me = await app.inject({ url: '/api/auth/me', headers: { cookie } })
      t.match(me.json(), { user: { name: 'Ōsaka 東京' } })
      const { createdAt } = me.json<{ user: { createdAt: string } }>().user
      t.ok(Math.abs(Date.parse(createdAt) - before) < 60_000, createdAt)
      const sessions = await app.inject({ url: '/api/user/sessions', headers: { cookie } })
      t.equal(sessions.statusCode, 200, sessions.body)
    })
  }
})

t.test('a full disk refuses changes in its own words, and reads go on', { skip }, async (t) => {
  const { log, output } = captureLog()
  const url = await testDatabaseUrl(t)
  const app = await ownApp(t, {}, await openDatabase(url), log)
  const { email } = await aUser(app.database)
  const cookie = await signedIn(app, email)
  const client = postgres(url, { max: 1, onnotice: () => {} })
  t.teardown(() => client.end())
  const fail = async (code: string, sentence: string) =>
    client.unsafe(`create or replace function fail() returns trigger language plpgsql as $$
      begin raise exception using errcode = '${code}', message = '${sentence}'; end $$;
      create or replace trigger fail before insert or update on users execute function fail()`)
  const rename = () =>
    app.inject({
      method: 'PUT',
      url: '/api/user/name',
      headers: { cookie },
      payload: { name: 'Ada Byron' }
    })
  for (const [code, sentence, cause, detail] of [
    [
      '53100',
      'could not extend file "base/5/16": No space left on device',
      'disk-full',
      /no room to save changes/
    ],
    ['53200', 'out of memory', 'out-of-memory', /too busy/],
    ['53300', 'too many connections for role "portal"', 'too-many-connections', /too busy/]
  ] as const) {
    await fail(code, sentence)
    const refused = await rename()
    t.match(refused.json(), { status: 503, code: 'database-unavailable', detail }, code)
    const line = output()
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each) as { msg: string; err?: object })
      .findLast(({ msg }) => msg === 'database-unavailable')
    t.match(line?.err, { code, cause, sentence })
    const me = await app.inject({ url: '/api/auth/me', headers: { cookie } })
    t.match(me.json(), { user: { name: 'Ada Lovelace' } }, 'reads go on, and nothing is stored')
    t.equal((await app.inject('/health')).statusCode, 200)
  }
  await client`drop trigger fail on users`
  t.equal((await rename()).statusCode, 200)
})

t.test('the log has no sentence of the server that may quote a user', async (t) => {
  const { log, output } = captureLog()
  const secret = randomBytes(8).toString('hex')
  const raised = Object.assign(new Error(`character ${secret} has no equivalent`), {
    code: '22P05',
    severity: 'ERROR'
  })
  log.error({ err: raised }, 'request failed')
  const line = JSON.parse(output()) as { err: object }
  t.match(line.err, { code: '22P05' })
  t.notMatch(output(), secret)
})
