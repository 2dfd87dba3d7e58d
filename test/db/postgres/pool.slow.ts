import { setImmediate } from 'node:timers/promises'
import { asc, eq, sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import type { Db } from '../../../db/engine.ts'
import { isDatabaseUnavailable } from '../../../db/errors.ts'
import { epochs } from '../../../db/schema/epochs.ts'
import { onPglite, testDatabase, testDatabaseUrl, until } from '../../support/app.ts'
import { withoutSlack } from '../../support/slack.ts'
import { stoppableProxy } from '../../support/stoppable-proxy.ts'

t.test(
  'silently lost connections are replaced, and waiting for a connection is bounded',
  { skip: onPglite && 'it is in the process' },
  async (t) => {
    withoutSlack(t)
    const way = await stoppableProxy(t, await testDatabaseUrl(t))
    const database = await openDatabase(way.url, { poolMax: 2 })
    t.teardown(() => database.close())
    const one = () => database.db.execute(sql`select 1`)
    await Promise.all([one(), one(), one()])

    way.stop()
    const all = Array.from({ length: 1200 }, () =>
      one().then(
        () => 'answered',
        (error: unknown) => (isDatabaseUnavailable(error) ? 'away' : String(error))
      )
    )
    await setImmediate()
    t.equal(database.load(), 1000)
    let settled = 0
    for (const each of all) {
      each.then(() => {
        settled++
      })
    }
    await setImmediate()
    t.equal(settled, 200, 'those over the limit are refused at once')
    t.same(new Set(await Promise.all(all)), new Set(['away']))
    t.equal(database.load(), 0)

    // The proxy stays stopped, so only connections opened later can get through.
    way.forget()
    await until(
      async () =>
        await one().then(
          () => true,
          () => false
        )
    )
    t.same(
      await database.db
        .select({ value: epochs.scope })
        .from(epochs)
        .orderBy(asc(epochs.scope))
        .limit(1),
      [{ value: 0 }]
    )
    t.match(
      await database.db.execute(sql`select timestamptz '2026-01-01 00:00:00Z' as at`),
      [{ at: String }],
      'a new connection leaves times to Drizzle, as the first did'
    )
  }
)

t.test(
  'a hanging statement does not delay other statements',
  { skip: onPglite && 'it has one connection' },
  async (t) => {
    const database = await testDatabase(t)
    const { db } = database
    const lock = async (key: number) => {
      await db.execute(sql`select pg_advisory_lock(${key}), pg_advisory_unlock(${key})`)
    }
    await Promise.all([lock(1), lock(1), lock(1)]) // prepared on connections that are then idle
    let hung: Promise<unknown> | undefined
    await db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(2)`)
      hung = lock(2)
      await until(
        async () =>
          (
            (await db.execute(
              sql`select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`
            )) as unknown[]
          ).length === 1
      )
      await t.resolves(Promise.all(Array.from({ length: 100 }, (_, i) => lock(10 + i))))
    })
    await hung
  }
)

t.test(
  'a transaction whose connection is lost writes nothing, and the next one gets a new connection',
  { skip: onPglite && 'it is in the process' },
  async (t) => {
    const { db } = await testDatabase(t)
    const written = () => db.select().from(epochs).where(eq(epochs.scope, 77))
    const cut = (pid: unknown) => db.execute(sql`select pg_terminate_backend(${pid}::int)`)
    const ways: [string, (tx: Db, pid: unknown) => Promise<unknown>][] = [
      [
        'while a statement runs',
        (tx) => tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
      ],
      [
        'between two statements',
        async (tx, pid) => {
          await cut(pid)
          await until(
            async () =>
              (
                (await db.execute(
                  sql`select 1 from pg_stat_activity where pid = ${pid}::int`
                )) as unknown[]
              ).length === 0
          )
          await tx.insert(epochs).values({ scope: 77, value: 2n })
        }
      ],
      [
        'while others wait behind the statement',
        (tx) => {
          const last = tx.execute(
            sql`select pg_terminate_backend(pg_backend_pid()) where ${1}::int = 1`
          )
          return Promise.all([
            last,
            ...[2n, 3n].map((value) => tx.insert(epochs).values({ scope: 77, value }))
          ])
        }
      ]
    ]
    for (const [when, way] of ways) {
      await t.rejects(
        db
          .transaction(async (tx) => {
            const [row] = (await tx.execute(sql`select pg_backend_pid() as pid`)) as unknown as {
              pid: number
            }[]
            await tx.insert(epochs).values({ scope: 77, value: 1n })
            await way(tx, row?.pid)
          })
          .catch((error: unknown) => {
            throw isDatabaseUnavailable(error) ? new Error('away') : error
          }),
        { message: 'away' },
        when
      )
      t.same(await written(), [])
      await db.transaction(async (tx) => {
        await tx.insert(epochs).values({ scope: 77, value: 1n })
      })
      t.equal((await written()).length, 1)
      await db.delete(epochs).where(eq(epochs.scope, 77))
    }
  }
)

t.test('a transaction that ignores a failed statement is not committed', async (t) => {
  const { db } = await testDatabase(t)
  await t.rejects(
    db.transaction(async (tx) => {
      await tx.execute(sql`select 1 / 0`).catch(() => {})
    })
  )
  await t.resolves(db.execute(sql`select 1`))
})

t.test('a statement issued after the end of its transaction is rejected', async (t) => {
  const { db } = await testDatabase(t)
  let left: Db | undefined
  await db.transaction(async (tx) => {
    left = tx
  })
  await t.rejects(async () => await left?.execute(sql`select 1`))
})

t.test(
  'the responding one of two hosts is found, in either order',
  { skip: onPglite && 'it has no hosts' },
  async (t) => {
    const url = await testDatabaseUrl(t)
    withoutSlack(t)
    const silent = await stoppableProxy(t, url)
    silent.stop()
    const [there, away] = [new URL(url).host, new URL(silent.url).host]
    for (const hosts of [
      [there, away],
      [away, there]
    ]) {
      const both = `${url.replace(there, hosts.join(','))}?target_session_attrs=primary`
      const database = await openDatabase(both, { poolMax: 2 })
      t.teardown(() => database.close())
      await t.resolves(
        until(
          async () =>
            await database.readEpochs('').then(
              () => true,
              () => false
            )
        )
      )
      await t.resolves(
        until(
          async () =>
            await database.db.execute(sql`select 1`).then(
              () => true,
              () => false
            )
        )
      )
    }
  }
)
