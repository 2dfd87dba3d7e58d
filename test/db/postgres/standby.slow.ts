import { eq, sql } from 'drizzle-orm'
import postgres from 'postgres'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../../db/client.ts'
import type { Database } from '../../../db/client.ts'
import { isDatabaseUnavailable } from '../../../db/errors.ts'
import { epochs } from '../../../db/schema/epochs.ts'
import { users } from '../../../db/schema/users.ts'
import { bumpUsers } from '../../../src/domain/freshness/epochs.ts'
import { portal } from '../../cli/run.ts'
import {
  aUser,
  onPglite,
  password,
  signedIn,
  ownApp,
  testDatabaseUrl,
  until
} from '../../support/app.ts'
import { serverWithRoles } from '../../support/standby.ts'

t.test(
  'a server in recovery counts as unavailable, even for reads, until it is promoted',
  {
    skip: onPglite && 'it has no standby'
  },
  async (t) => {
    const server = await serverWithRoles(t)
    const app = await ownApp(t, { MIGRATE_ON_START: true }, await openDatabase(server.url))
    const { email } = await aUser(app.database)
    const cookie = await signedIn(app, email)
    const me = async () =>
      (await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode
    const flags = () => app.inject({ method: 'POST', url: '/ofrep/v1/evaluate/flags', payload: {} })
    t.equal(await me(), 200)

    await server.becomeStandby()
    await until(async () => (await app.inject('/health')).statusCode === 503)
    t.same((await app.inject('/health')).json(), { status: 'unavailable', reason: 'database' })
    for (let i = 0; i < 5; i++) t.equal(await me(), 503)
    t.equal((await flags()).statusCode, 503)
    const login = { method: 'POST', url: '/api/auth/login', payload: { email, password } } as const
    t.match((await app.inject(login)).json(), { status: 503, code: 'database-unavailable' })
    await t.rejects(app.db.select().from(users), 'no list comes from it')
    const doctor = await portal(['doctor', '--json'], { env: { DATABASE_URL: server.url } })
    t.match(
      JSON.parse(doctor.stdout).find((each: { check: string }) => each.check === 'database'),
      {
        result: 'problem',
        finding:
          /^cannot be used: it is read-only: a standby.* \(PostgreSQL at 127\.0\.0\.1:\d+\/postgres\)/
      }
    )

    await server.promote()
    await until(async () => (await me()) === 200)
    t.equal((await app.inject(login)).statusCode, 200)
    await until(async () => (await app.inject('/health')).statusCode === 200)
  }
)

/**
 * A database in which the result of `pg_is_in_recovery()` can be set while connections stay open,
 * as when a proxy routes single statements elsewhere.
 */
async function withSwitch(t: Test) {
  const url = await testDatabaseUrl(t)
  const name = new URL(url).pathname.slice(1)
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  t.teardown(() => admin.end())
  await admin.unsafe(`
    create table recovery (state boolean);
    insert into recovery values (false);
    create function public.pg_is_in_recovery() returns boolean language sql volatile as 'select state from public.recovery';
    alter database ${name} set search_path = public, pg_catalog`)
  return { url, admin, recovery: (state: boolean) => admin`update recovery set state = ${state}` }
}

t.test(
  'every session check verifies that the server is not a standby',
  {
    skip: onPglite && 'it has no standby'
  },
  async (t) => {
    const { url, recovery } = await withSwitch(t)
    const { readEpochs, checkDb, close } = await openDatabase(url)
    t.teardown(close)
    const asks = [
      async () => {
        await readEpochs('')
      },
      async () => {
        await checkDb
          .select({ recovery: sql`pg_is_in_recovery()`.as('in_recovery') })
          .from(sql`(select 1) as one`)
      }
    ]
    for (const ask of asks) {
      await ask()
      await recovery(true)
      for (let i = 0; i < 3; i++) {
        const error = await ask().catch((error: unknown) => error)
        t.ok(isDatabaseUnavailable(error), String(error))
      }
      await recovery(false)
      await t.resolves(ask())
    }
  }
)

t.test(
  'requests for principals and flags get 503 from a standby',
  {
    skip: onPglite && 'it has no standby'
  },
  async (t) => {
    const { url, admin, recovery } = await withSwitch(t)
    const database = await openDatabase(url)
    const { checkDb } = database
    // Only these reads reach the standby, because each begins with the next snapshot.
    const snapshots: Database['readEpochs'] = async () => {
      const [row] =
        await admin`select string_agg(value::text, ',' order by scope) as values from epochs`
      return { digest: null, values: row?.values, now: Date.now(), in_recovery: false }
    }
    const app = await ownApp(t, {}, { ...database, checkDb, readEpochs: snapshots })
    const user = await aUser(app.database)
    const cookie = await signedIn(app, user.email)
    const me = async () =>
      (await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode
    const flags = async () =>
      (await app.inject({ method: 'POST', url: '/ofrep/v1/evaluate/flags', payload: {} }))
        .statusCode
    await recovery(true)
    t.same([await me(), await flags()], [503, 503])
    await recovery(false)
    t.same([await me(), await flags()], [200, 200])

    // Another part of the same shard, so that only the shard is read again.
    const neighbour = user.id.replace(/..(?=..$)/, (part) => (part === '00' ? '01' : '00'))
    await app.db.transaction((tx) => bumpUsers(tx, neighbour))
    await recovery(true)
    t.equal(await me(), 503, 'the parts of a shard')
    await recovery(false)
    const loaded = app.principalsLoaded()
    t.equal(await me(), 200)
    t.equal(app.principalsLoaded(), loaded)
  }
)

t.test(
  'a connection that rejected a write as read-only is not reused',
  {
    skip: onPglite && 'it has one connection'
  },
  async (t) => {
    const { db, close } = await openDatabase(await testDatabaseUrl(t), { poolMax: 1 })
    t.teardown(close)
    const pid = async () => {
      const rows = await db.execute(sql`select pg_backend_pid() as pid`)
      return (rows as unknown as { pid: number }[])[0]?.pid
    }
    const before = await pid()
    t.equal(await pid(), before)
    await db.execute(sql`set default_transaction_read_only = on`)
    const write = async () => db.update(epochs).set({ value: 1n }).where(eq(epochs.scope, 0))
    await t.rejects(write(), { cause: { code: '25006' } })
    t.not(await pid(), before)
    await t.resolves(write())
  }
)

t.test('doctor reports that something balances reads', { skip: onPglite }, async (t) => {
  const { url, admin } = await withSwitch(t)
  const server = async () => {
    const { stdout } = await portal(['doctor', '--json'], { env: { DATABASE_URL: url } })
    const findings = JSON.parse(stdout) as { check: string; result: string; finding: string }[]
    return findings.find(({ check }) => check === 'server')
  }
  t.match(await server(), { result: 'ok' })
  // Every second read reaches a standby, except for the one that checks a new connection.
  await admin.unsafe(`
    create sequence turn;
    create or replace function public.pg_is_in_recovery() returns boolean language sql volatile as $$
      select current_query() not like 'select pg_is_in_recovery() as in_recovery%'
        and nextval('public.turn') % 2 = 0 $$`)
  t.match(await server(), {
    result: 'problem',
    finding: /something balances reads: 4 of 8 reads reached a standby$/
  })
})
