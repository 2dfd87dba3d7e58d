// Not on PGlite: it needs several connections.

import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import t from 'tap'
import { facade } from '../../../db/postgres/engine.ts'
import { openConnections } from '../../../db/postgres/pool.ts'
import { jobs } from '../../../db/schema/jobs.ts'
import { parseServerUrl } from '../../../db/url.ts'
import { onPglite, testDatabaseUrl } from '../../support/app.ts'

/** Properties of a client that Drizzle uses without need. */
const optional = ['then', 'toJSON']

t.test(
  'Drizzle uses no part of a postgres.js client that the facade does not have',
  { skip: onPglite && 'PGlite has a client of its own' },
  async (t) => {
    const settings = { max: 2, name: 'portal test', prepare: true }
    const connections = openConnections(parseServerUrl(await testDatabaseUrl(t)), settings)
    t.teardown(() => connections.close())
    const missing = new Set<string>()
    const used = new Set<string>()
    const watch = <T extends object>(target: T): T =>
      new Proxy(target, {
        get(target, name, receiver) {
          if (name in target) used.add(String(name))
          else if (typeof name === 'string' && !optional.includes(name)) missing.add(name)
          const value = Reflect.get(target, name, receiver) as unknown
          if (name !== 'begin') return value
          const begin = value as (work: (tx: object) => Promise<unknown>) => Promise<unknown>
          return (work: (tx: object) => Promise<unknown>) => begin((tx) => work(watch(tx)))
        }
      })
    const deadlines = { statement: 6000, transaction: 6000 }
    const db = drizzle({ client: watch(facade(connections, deadlines, true)) })

    await db.delete(jobs)
    const job = { name: 'a job', beganAt: new Date(1_700_000_000_000) }
    t.same(await db.insert(jobs).values(job).returning(), [job])
    await db.update(jobs).set({ name: 'another' }).where(eq(jobs.name, job.name))
    t.same(await db.select().from(jobs), [{ ...job, name: 'another' }])
    t.match(await db.select({ name: jobs.name }).from(jobs).prepare('one').execute(), [
      { name: 'another' }
    ])
    t.same([...(await db.execute(sql`select ${1}::int as one`))], [{ one: 1 }])
    t.equal(await db.$count(jobs), 1)
    await db.transaction(async (tx) => {
      await tx.delete(jobs)
      t.same([...(await tx.execute(sql`select ${1}::int as one`))], [{ one: 1 }])
      t.same(await tx.select().from(jobs), [])
    })
    t.same(await db.select().from(jobs), [])

    t.same([...missing], [])
    t.same([...used].sort(), ['begin', 'options', 'unsafe'])
  }
)

t.test(
  'when a transaction cannot begin, its first select is the only statement that runs',
  { skip: onPglite && 'PGlite has a client of its own' },
  async (t) => {
    const settings = { max: 1, name: 'portal test', prepare: true }
    const connections = openConnections(parseServerUrl(await testDatabaseUrl(t)), settings)
    t.teardown(() => connections.close())
    const deadlines = { statement: 6000, transaction: 6000 }
    const use: typeof connections.use = (work, ...limits) =>
      connections.use(
        (connection) =>
          work({
            ...connection,
            send: (text, ...rest) =>
              connection.send(
                text.startsWith('begin') ? 'begin isolation level none' : text,
                ...rest
              )
          }),
        ...limits
      )
    const db = drizzle({ client: facade({ ...connections, use }, deadlines, true) })
    const job = { name: 'a job', beganAt: new Date(1_700_000_000_000) }
    for (const read of [true, false]) {
      const failing = db.transaction(async (tx) => {
        if (read) await tx.select().from(jobs)
        await tx.insert(jobs).values(job)
      })
      await t.rejects(failing, /isolation|syntax/)
    }
    t.equal(await db.$count(jobs, eq(jobs.name, job.name)), 0)
  }
)
