import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { epochs, scopeCount } from '../../db/schema/epochs.ts'
import { bumpAll } from '../../src/domain/freshness/epochs.ts'
import { aUser, onPglite, signedIn, ownApp, testDatabaseUrl, until } from '../support/app.ts'

/** Holds every connection of the main pool until the returned function is called. */
async function fillPool(
  t: Test,
  url: string,
  app: Awaited<ReturnType<typeof ownApp>>,
  poolMax: number
) {
  const holder = postgres(url, { max: 1, onnotice: () => {} })
  t.teardown(() => holder.end())
  await holder`select pg_advisory_lock(1)`
  const held = Array.from({ length: poolMax * 3 }, () =>
    app.db.execute(sql`select pg_advisory_xact_lock_shared(1)`).then(
      () => 'done',
      () => 'given up'
    )
  )
  await until(async () => {
    const waiting = await holder`select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    return waiting.length === poolMax
  })
  return async () => {
    await holder`select pg_advisory_unlock(1)`
    await Promise.all(held)
  }
}

t.test(
  'a full pool neither delays session checks, even of changed users, nor fails health',
  {
    skip: onPglite && 'it has one connection'
  },
  async (t) => {
    const url = await testDatabaseUrl(t)
    const app = await ownApp(t, {}, await openDatabase(url, { poolMax: 2 }))
    const elsewhere = await openDatabase(url, { poolMax: 1 })
    t.teardown(() => elsewhere.close())
    const { email } = await aUser(app.database)
    const cookie = await signedIn(app, email)
    const me = async () =>
      (await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode
    t.equal(await me(), 200)

    const release = await fillPool(t, url, app, 2)
    const loaded = app.principalsLoaded()
    const { reads } = app.freshnessTotals
    await bumpAll(elsewhere.db)
    t.equal(await me(), 200)
    t.equal(app.principalsLoaded(), loaded + 1, 'the user was read again')
    // A sweep may wait as well.
    t.ok(app.database.load() >= 6, 'while the pool was full')
    // More checks than the number of failures that make it unavailable.
    await until(() => app.freshnessTotals.reads > reads + 6)
    t.equal((await app.inject('/health')).statusCode, 200)
    await release()
  }
)

t.test('a scope added by a newer release has no effect', async (t) => {
  const app = await ownApp(t)
  const { email } = await aUser(app.database)
  const cookie = await signedIn(app, email)
  await app.db.insert(epochs).values({ scope: scopeCount, value: 1n })
  await bumpAll(app.db)
  t.equal((await app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode, 200)
  const flags = await app.inject({ method: 'POST', url: '/ofrep/v1/evaluate/flags', payload: {} })
  t.equal(flags.statusCode, 200)
})
