import t from 'tap'
import { v7 as uuid } from 'uuid'
import { openDatabase } from '../../db/client.ts'
import { users } from '../../db/schema/users.ts'
import { updateUser } from '../../src/domain/administration/users.ts'
import {
  anonymous,
  aUser,
  operator,
  password,
  servicesOf,
  testDatabaseUrl
} from '../support/app.ts'
import { signIn } from '../support/sign-in.ts'
import { portal, runner } from './run.ts'

const url = await testDatabaseUrl(t)
const env = { DATABASE_URL: url }
const { ok, json } = runner(env)

// PGlite allows one process at a time.
const database = await openDatabase(url)
const ada = await aUser(database, 'ada@one.example')
const { session } = await signIn(servicesOf(database), anonymous, {
  email: ada.email,
  password,
  presented: []
})
await updateUser({ db: database.db, mail: undefined }, operator, {
  id: ada.id,
  changes: { name: 'Ada King' }
})
const made = Array.from({ length: 1002 }, (_, n) => ({
  id: uuid(),
  email: `user${n}@two.example`,
  emailNormalized: `user${n}@two.example`,
  name: 'Somebody with a rather long name'
}))
await database.db.insert(users).values(made)
await database.close()

const lines = (text: string) => text.trimEnd().split(/\r?\n/)

t.test('a truncated list is reported on stderr, for tables and for JSON', async (t) => {
  const table = await ok(t, 'user list')
  t.equal(lines(table.stdout).length, 51)
  t.match(table.stderr, /^50 shown, and there are more: use --all/)
  const machine = await ok(t, 'user list --json --limit 3')
  t.equal(json(machine).length, 3)
  t.match(machine.stderr, /^3 shown, and there are more/)
  t.match((await ok(t, 'permission list --limit 5')).stderr, /^5 shown, and there are more/)
  t.equal((await ok(t, 'session list')).stderr, '')
  t.equal((await ok(t, 'session list --limit 1')).stderr, '', 'exactly the requested number')
  t.match(
    (await ok(t, 'user list --q two.example --sort name --limit 1000')).stderr,
    /^1000 shown, and there are more/
  )
})

t.test('--all prints every row once, and nothing on stderr', async (t) => {
  const machine = await ok(t, 'user list --all --json')
  t.equal(machine.stderr, '')
  t.equal(new Set(json(machine).map((user: { id: string }) => user.id)).size, 1003)
  const table = await ok(t, 'user list --all --sort email')
  t.equal(lines(table.stdout).length, 1004)
  t.match(
    lines(table.stdout)[1],
    /^ada@one\.example +Ada King +active +user +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
  )
})

t.test('a search finds the domain or any other part of an e-mail address', async (t) => {
  const found = async (q: string) =>
    json(await ok(t, `user list --json --q ${q}`)).map((user: { email: string }) => user.email)
  t.same(await found('@one.example'), ['ada@one.example'])
  t.same(await found('ser1001@T'), ['user1001@two.example'])
})

t.test(
  'sessions are listed with the e-mail address of the user, records with the name of the target',
  async (t) => {
    t.match(lines((await ok(t, 'session list')).stdout), [
      /^USER +LAST SEEN +ENDED +FACTORS +IP +ID$/,
      /^ada@one\.example /
    ])
    t.match(json(await ok(t, 'session list --json')), [
      { id: session.id, userId: ada.id, userEmail: 'ada@one.example' }
    ])
    const records = await ok(t, 'activity list --target ada@one.example --action user.update')
    t.match(lines(records.stdout), [
      /^TIME +ACTION +OUTCOME +ACTOR +TARGET +IP +DETAILS$/,
      / user\.update +success .* ada@one\.example .* name="[^"]+"→"[^"]+"$/
    ])
    t.match(json(await ok(t, 'activity list --action user.update --json')), [
      { targetId: ada.id, targetName: 'ada@one.example' }
    ])
    const [found] = json(await ok(t, 'activity list --action user.update --json'))
    const { targetName, ...stored } = found
    t.same(json(await ok(t, `activity show ${found.id} --json`)), stored)
    t.match((await ok(t, `session show ${session.id}`)).stdout, `id             ${session.id}`)
    t.match(await portal(['session', 'show', '1'], { env }), { code: 2, stderr: /looks like/ })
    t.match(await portal(['activity', 'show', ada.id], { env }), { code: 3 })
    t.match(
      json(await ok(t, 'activity summary --target ada@one.example --action user.update --json')),
      { items: [{ action: 'user.update', count: 1, occurrences: 1 }] }
    )
    t.match(json(await ok(t, 'activity summary --json')), { bucket: 'day', items: [{}, {}] })
    t.match(
      (await ok(t, 'activity summary --bucket hour')).stdout,
      /^START +ACTION +OUTCOME +COUNT +OCCURRENCES\n[^]*auth\.register +success +1 +1$/m
    )
  }
)

t.test('tables fit a terminal of 80 columns without breaking ids', async (t) => {
  for (const args of ['activity list', 'user show ada@one.example']) {
    const { code, stdout } = await portal(args.split(' '), { env, terminal: true, columns: 80 })
    t.equal(code, 0, args)
    t.same(
      lines(stdout).filter((line) => line.length > 80),
      [],
      args
    )
  }
  t.match(
    (await portal(['session', 'list'], { env, terminal: true, columns: 100 })).stdout,
    new RegExp(` ${session.id}\r\n`)
  )
})
