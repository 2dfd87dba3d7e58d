import { sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import type { Db } from '../../db/engine.ts'
import {
  unavailableHint,
  databaseCode,
  fromDatabase,
  isDatabaseUnavailable
} from '../../db/errors.ts'
import {
  aUser,
  onPglite,
  signedIn,
  ownApp,
  testDatabase,
  testDatabaseUrl,
  until
} from '../support/app.ts'

if (!onPglite) {
  for (const prepare of [true, false]) {
    t.test(
      `statements with parameters are ${prepare ? '' : 'not '}prepared when DATABASE_PREPARE is ${prepare}`,
      async (t) => {
        const database = await openDatabase(await testDatabaseUrl(t), { poolMax: 1, prepare })
        const app = await ownApp(t, {}, database)
        const user = await aUser(database)
        const cookie = await signedIn(app, user.email)
        const preparedOf = (db: Db) =>
          db.select({ statement: sql<string>`statement` }).from(sql`pg_prepared_statements`)
        const isAmong = async (db: Db, pattern: RegExp) =>
          (await preparedOf(db)).some(({ statement }) => pattern.test(statement))
        const isCheckPrepared = async () => {
          for (let i = 0; i < 2; i++) {
            const me = await app.inject({ url: '/api/auth/me', headers: { cookie } })
            t.equal(me.statusCode, 200)
          }
          return isAmong(database.checkDb, /from "moment" left join "sessions"/)
        }
        // Which of its two connections answers is left to chance.
        if (prepare) await until(isCheckPrepared)
        else t.notOk(await isCheckPrepared(), 'the session check')
        t.equal(
          await isAmong(database.db, /^insert into "sessions"/),
          prepare,
          'what a transaction does'
        )
      }
    )
  }
}

t.test('an error of a statement does not count as an unavailable database', async (t) => {
  const { db } = await testDatabase(t)
  const error = await db.execute(sql`select * from nowhere`).then(
    () => undefined,
    (error: unknown) => error
  )
  t.equal(databaseCode(error), '42P01')
  t.equal(isDatabaseUnavailable(error), false)
})

t.test('a missing socket counts as an unavailable database, a missing file does not', async (t) => {
  const missing = (syscall: string) =>
    new Error('wrapped', {
      cause: fromDatabase(Object.assign(new Error('missing'), { code: 'ENOENT', syscall }))
    })
  t.equal(isDatabaseUnavailable(missing('connect')), true)
  t.equal(isDatabaseUnavailable(missing('open')), false)
})

t.test(
  'an untrusted certificate counts as an unavailable database, and the hint says so',
  async (t) => {
    const error = new Error('wrapped', {
      cause: fromDatabase(
        Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
      )
    })
    t.equal(isDatabaseUnavailable(error), true)
    t.match(unavailableHint(error), /certificate/)
  }
)

t.test('a URL of an unknown engine is rejected', async (t) => {
  await t.rejects(openDatabase('mysql://localhost/x'), { name: 'DatabaseUnusable' })
})
