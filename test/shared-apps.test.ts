import { mock } from 'node:test'
import { getTableName, sql } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../db/schema/activity.ts'
import { flags } from '../db/schema/flags.ts'
import { outbox } from '../db/schema/outbox.ts'
import { roles } from '../db/schema/roles.ts'
import { users } from '../db/schema/users.ts'
import { createFlag } from '../src/domain/flags/flags.ts'
import { findUser } from '../src/domain/users/users.ts'
import { aCaller, aRole, operator, ownApp, testApp } from './support/app.ts'
import { emptyApp, filled } from './support/empty-app.ts'
import { aFlag } from './support/flags.ts'

t.test('tests of the same configuration share an application, and no others', async (t) => {
  const [one, two] = [await testApp(t), await testApp(t)]
  const closed = await testApp(t, { REGISTRATION: 'closed' })
  t.equal(one.server, two.server)
  t.not(one.server, closed.server)
  t.not(one.server, (await ownApp(t)).server)
  t.equal(closed.config.REGISTRATION, 'closed')
})

t.test('a shared application outlives the test that started it', async (t) => {
  const changes = { PRODUCT_NAME: 'Outliving' }
  let server: object | undefined
  await t.test('first', async (t) => {
    ;({ server } = await testApp(t, changes))
    t.ok(server)
  })
  const app = await testApp(t, changes)
  t.equal(app.server, server)
  t.equal((await app.inject('/health')).statusCode, 200)
})

t.test('a change of a shared application is refused with what to do', async (t) => {
  const app = await testApp(t)
  const refused = (what: string) => ({
    message: `Other tests share this application: ${what} is refused. Use ownApp(t).`
  })
  t.throws(() => app.listen(), refused('app.listen'))
  t.throws(() => app.close(), refused('app.close'))
  t.throws(() => app.addHook('onSend', async () => {}), refused('app.addHook'))
  t.throws(() => app.database.close(), refused('app.database.close'))
  t.throws(() => {
    app.context.mail = undefined
  }, refused('app.context.mail'))
  t.throws(() => {
    app.config.REGISTRATION = 'closed'
  }, refused('app.config.REGISTRATION'))
  t.throws(() => {
    if (app.context.mail) app.context.mail.verification = 'required'
  }, refused('app.context.mail.verification'))
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  await t.rejects(testApp(t), refused('starting it with mocked timers'))
})

t.test('an empty application is used by one test at a time, which finds nothing', async (t) => {
  const changes = { PRODUCT_NAME: 'Emptied' }
  await t.test('first', async (t) => {
    const [one, two] = [await emptyApp(t, changes), await emptyApp(t, changes)]
    t.not(one.server, two.server)
    const { user } = await aCaller(one, await aRole(one.database, 'users:read'))
    await createFlag(one.db, operator, aFlag())
    t.ok(await findUser(one.db, user.id))
  })
  const app = await emptyApp(t, changes)
  for (const table of [users, flags, outbox, activity]) t.equal(await app.db.$count(table), 0)
  t.same((await app.db.select({ key: roles.key }).from(roles)).map(({ key }) => key).sort(), [
    'admin',
    'user'
  ])
})

t.test(
  'every table without a foreign key is emptied, or keeps what tests do not add',
  async (t) => {
    const { db } = await emptyApp(t)
    const rows = await db.select({ name: sql<string>`c.relname::text` }).from(sql`pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_constraint where conrelid = c.oid and contype = 'f')`)
    const kept = ['epoch_parts', 'epochs', 'jobs', 'permissions', 'roles']
    const known = Object.values(filled).map((table) => getTableName(table))
    t.same(rows.map(({ name }) => name).sort(), [...kept, ...known].sort())
  }
)
