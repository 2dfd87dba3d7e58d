import t from 'tap'
import { asJson } from '../../src/commands/output.ts'
import { aUser, testDatabaseUrl } from '../support/app.ts'
import { openDatabase } from '../../db/client.ts'
import { users } from '../../db/schema/users.ts'
import { runner } from './run.ts'

const evil = 'a\u009b31mred\u007f\u202egnp.exe\u2066'
const control = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

t.test('JSON for a terminal escapes what would control it, and is the same JSON', async (t) => {
  const value = { [evil]: [evil, 'Zoë "x" \\'] }
  t.notMatch(asJson(value), control)
  t.same(JSON.parse(asJson(value)), value)
  t.same(JSON.parse(asJson(value, 2)), value)
})

t.test('lists and exports in JSON do not control a terminal', async (t) => {
  const url = await testDatabaseUrl(t)
  const database = await openDatabase(url)
  await aUser(database)
  await database.db.update(users).set({ name: evil })
  await database.close()
  const { ok } = runner({ DATABASE_URL: url })
  for (const command of ['user list --json', 'export users']) {
    const { stdout } = await ok(t, command)
    t.notMatch(stdout, control, command)
    t.match(stdout, String.raw`a\u009b31mred\u007f\u202egnp.exe\u2066`, command)
  }
})
