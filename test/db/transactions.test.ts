import { mock } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { integer, pgTable } from 'drizzle-orm/pg-core'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { databaseCode, isRetryable } from '../../db/errors.ts'
import { users } from '../../db/schema/users.ts'
import { together, transaction } from '../../db/transaction.ts'
import { aUser, onPglite, testDatabase, testDatabaseUrl } from '../support/app.ts'
import { withoutSlack } from '../support/slack.ts'

const database = await testDatabase(t)
const { db } = database
const conflict = (code: string) => Object.assign(new Error('conflict'), { code })

t.test('a transaction with serialization failures runs at most twelve times', async (t) => {
  let runs = 0
  await t.rejects(
    transaction(db, async () => {
      runs += 1
      throw conflict('40001')
    }),
    { code: '40001' }
  )
  t.equal(runs, 12)
})

t.test('a transaction that fails for another reason runs once', async (t) => {
  let runs = 0
  await t.rejects(
    transaction(db, async () => {
      runs += 1
      throw conflict('23505')
    }),
    { code: '23505' }
  )
  t.equal(runs, 1)
})

t.test('a transaction that meets one deadlock succeeds at the second attempt', async (t) => {
  let runs = 0
  t.equal(
    await transaction(db, async () => {
      runs += 1
      if (runs === 1) throw conflict('40P01')
      return 'done'
    }),
    'done'
  )
})

t.test('of statements that are sent together, the one that failed says why', async (t) => {
  const failing = transaction(db, (tx) =>
    Promise.all([
      // Its error takes longer to arrive than that of the statement behind it.
      tx.execute(sql`select 1 / 0`).then(async (rows) => Promise.resolve(rows)),
      tx.execute(sql`select 1`)
    ])
  )
  await t.rejects(
    failing.catch((error: unknown) => Promise.reject(new Error(databaseCode(error)))),
    {
      message: '22012'
    }
  )
})

t.test('a failed transaction is rolled back', async (t) => {
  const user = await aUser(database)
  await t.rejects(
    transaction(database.db, async (tx) => {
      await tx.delete(users)
      throw new Error('no')
    })
  )
  t.match(await database.db.select({ id: users.id }).from(users), [{ id: user.id }])
})

t.test(
  'a serialization failure at COMMIT is retried, and another error there is not',
  async (t) => {
    // The check of a deferred trigger runs with COMMIT. The value of a sequence is not rolled back.
    await db.execute(sql`create table late (code text)`)
    await db.execute(sql`create sequence commits`)
    await db.execute(
      sql.raw(`
    create function fail_once() returns trigger language plpgsql as $$ begin
      if nextval('commits') = 1 then raise 'not now' using errcode = new.code; end if;
      return null;
    end $$`)
    )
    await db.execute(sql`create constraint trigger late after insert on late
    deferrable initially deferred for each row execute function fail_once()`)
    const insert = async (code: string) => {
      await db.execute(sql`alter sequence commits restart`)
      let runs = 0
      const error = await transaction(db, async (tx) => {
        runs += 1
        await tx.execute(sql`insert into late values (${code})`)
      }).then(() => 'none', databaseCode)
      return { runs, error }
    }
    t.same(await insert('40001'), { runs: 2, error: 'none' })
    t.same(await insert('23514'), { runs: 1, error: '23514' })
    t.equal(await db.$count(sql`late`), 1, 'nothing is written twice')
  }
)

t.test('an unsupported feature is not retried', async (t) => {
  const error = await db.execute(sql`select count(*) from users for update`).then(
    () => undefined,
    (reason: unknown) => reason
  )
  t.equal(databaseCode(error), '0A000')
  t.equal(isRetryable(error), false)
})

t.test('no transaction is retried after five seconds', async (t) => {
  withoutSlack(t)
  const now = performance.now.bind(performance)
  let runs = 0
  const clock = mock.method(performance, 'now', () => now() + runs * 2600)
  t.teardown(() => clock.mock.restore())
  await t.rejects(
    transaction(db, async () => {
      runs += 1
      throw conflict('40001')
    }),
    { code: '40001' }
  )
  t.equal(runs, 2)
})

if (!onPglite) {
  for (const level of ['repeatable read', 'serializable']) {
    t.test(
      `a transaction is read committed when the default of the database is ${level}`,
      async (t) => {
        const url = await testDatabaseUrl(t)
        const admin = await openDatabase(url, { poolMax: 1 })
        await admin.db.execute(
          sql.raw(
            `alter database "${new URL(url).pathname.slice(1)}" set default_transaction_isolation = '${level}'`
          )
        )
        await admin.close()
        const current = sql<{
          level: string
        }>`select current_setting('transaction_isolation') as level`
        const { db, close } = await openDatabase(url, { poolMax: 1 })
        t.teardown(close)
        t.match(await transaction(db, (tx) => tx.execute(current)), [{ level: 'read committed' }])
        t.match(await db.execute(current), [{ level }], 'and the default is what it was set to')
      }
    )
  }

  const probe = pgTable('probe', { id: integer('id').primaryKey() })
  const read = (db: Parameters<typeof transaction>[0]) =>
    db.select().from(probe).where(eq(probe.id, 1))
  /** One connection with the prepared statement, and another one for changes. */
  const prepared = async (t: Parameters<typeof testDatabaseUrl>[0]) => {
    const url = await testDatabaseUrl(t)
    const [database, other] = await Promise.all([
      openDatabase(url, { poolMax: 1 }),
      openDatabase(url, { poolMax: 1 })
    ])
    t.teardown(async () => {
      await Promise.all([database.close(), other.close()])
    })
    await other.db.execute(sql`create table probe as select 1 as id`)
    await transaction(database.db, read)
    return { db: database.db, other: other.db }
  }

  t.test('a transaction survives a change of the type of a column that it reads', async (t) => {
    const { db, other } = await prepared(t)
    await other.execute(sql`alter table probe alter column id type bigint`)
    t.match(await transaction(db, read), [{ id: 1 }])
    await other.execute(sql`alter table probe alter column id type integer`)
    t.match(await read(db), [{ id: 1 }], 'outside of a transaction as well')
  })

  t.test('a transaction survives the loss of its prepared statement', async (t) => {
    const { db } = await prepared(t)
    await db.execute(sql`deallocate all`)
    t.match(await transaction(db, read), [{ id: 1 }])
    await db.execute(sql`deallocate all`)
    t.match(await read(db), [{ id: 1 }], 'outside of a transaction as well')
  })
}

t.test('statements that are sent together run in their order', async (t) => {
  const user = await aUser(database)
  const isUser = eq(users.id, user.id)
  const [, [between]] = await transaction(db, (tx) =>
    together(
      async () => {
        await tx.update(users).set({ name: 'First' }).where(isUser)
      },
      () => tx.select({ name: users.name }).from(users).where(isUser),
      () => tx.update(users).set({ name: 'Second' }).where(isUser)
    )
  )
  t.match(between, { name: 'First' })
})

t.test('a statement that waits for BEGIN is not sent once its transaction is over', async (t) => {
  const user = await aUser(database)
  const isUser = eq(users.id, user.id)
  const refused = transaction(db, (tx) =>
    together(
      async () => {
        await tx.update(users).set({ name: 'Late' }).where(isUser)
      },
      () => Promise.reject(new Error('refused'))
    )
  )
  await t.rejects(refused, { message: 'refused' })
  await transaction(db, (tx) => tx.update(users).set({ theme: 'dark' }).where(isUser))
  t.match(await db.select({ name: users.name }).from(users).where(isUser), [
    { name: 'Ada Lovelace' }
  ])
})
