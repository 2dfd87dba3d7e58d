// Also on PGlite.

import t from 'tap'
import { aUser, testDatabaseUrl } from '../support/app.ts'
import { runner, visitor } from './run.ts'

const url = await testDatabaseUrl(t)
const { run, ok, json } = runner({ DATABASE_URL: url, BCRYPT_COST: '10' })
const visit = visitor(url)
const [ann, bob] = await visit(async (database) => [await aUser(database), await aUser(database)])
const when = async (key: string) => json(await ok(t, `segment show ${key} --json`)).when

t.test('a segment of users grows and shrinks by one', async (t) => {
  const created = json(await ok(t, `segment create pilots --user ${ann.email} --json`))
  t.match(created, { key: 'pilots', when: { users: [ann.id] }, usedBy: [] })
  t.match((await ok(t, `segment add-user pilots ${bob.email}`)).stderr, /lists 2 users\./)
  t.match((await ok(t, `segment add-user pilots ${bob.id}`)).stderr, /lists 2 users\./, 'once')
  t.same(await when('pilots'), { users: [ann.id, bob.id] })
  t.match((await ok(t, `segment remove-user pilots ${ann.email}`)).stderr, /lists 1 user\./)
  t.match(await run(`segment remove-user pilots ${bob.email}`), {
    code: 2,
    stderr: /last user, without whom the other conditions would decide alone/
  })
  t.same(await when('pilots'), { users: [bob.id] })
  t.match(await run('segment add-user pilots nobody@example.com'), { code: 3 })
})

t.test(
  'a user is not added to a segment that lists none, which would exclude others',
  async (t) => {
    await ok(t, 'segment create admins --role admin --role user --description Staff')
    t.same(await when('admins'), { rolesAny: ['admin', 'user'] })
    t.match(await run(`segment add-user admins ${ann.email}`), {
      code: 2,
      stderr: /The segment lists no users/
    })
    t.same(await when('admins'), { rolesAny: ['admin', 'user'] })
  }
)

t.test('segments are listed, changed, compared, restored and deleted', async (t) => {
  const conditions = { attributes: [{ name: 'country', op: 'in', values: ['DE'] }] }
  const file = JSON.stringify({ key: 'german', when: conditions })
  await ok(t, 'segment create --file -', { input: file })
  const change = JSON.stringify({ when: { rolesAny: ['admin'] }, description: 'Was German' })
  await ok(t, 'segment update german --file -', { input: change })
  t.match((await ok(t, 'segment list')).stdout, /^german +rolesAny +0 +\d{4}-/m)
  t.match((await ok(t, 'segment diff german')).stdout, /^\+ {3}"description": "Was German"$/m)
  t.match((await ok(t, 'segment history german')).stdout, /^2 .+ update +description when$/m)
  await ok(t, 'segment restore german 1')
  t.same(await when('german'), conditions)

  const flag = {
    key: 'named',
    type: 'boolean',
    variants: { on: true, off: false },
    defaultVariant: 'off',
    offVariant: 'off',
    rules: [{ when: { segmentsAny: ['german'] }, serve: { variant: 'on' } }]
  }
  await ok(t, 'flag create --file -', { input: JSON.stringify(flag) })
  t.match(await run('segment delete german --yes'), {
    code: 4,
    stderr: /Rules of flags name this segment: named\./
  })
  t.match((await ok(t, 'segment list')).stdout, /^german +attributes +1 /m)
  await ok(t, 'flag delete named --yes')
  t.same(json(await ok(t, 'segment delete german --yes --json')), { deleted: 'german' })
  t.match((await ok(t, 'flag list --deleted')).stdout, /^segment +german /m)
  t.match(json(await ok(t, 'segment restore german --json')), { when: conditions })
})

t.test('what a command refuses says why', async (t) => {
  t.match(await run('segment create'), { code: 2, stderr: /either a key or --file/ })
  t.match(await run('segment create nobody'), { code: 2, stderr: /when/ })
  t.match(await run('segment create x --role no-such-role'), {
    code: 2,
    stderr: /no role with this key/
  })
  t.match(await run('segment show nobody'), { code: 3, stderr: /This segment does not exist/ })
  t.match(await run('segment create --role admin --file -', { input: '{}' }), {
    code: 2,
    stderr: /cannot be combined with --file/
  })
})
