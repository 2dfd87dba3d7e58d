// Also on PGlite.

import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eq } from 'drizzle-orm'
import { activity } from '../../db/schema/activity.ts'
import { flags } from '../../db/schema/flags.ts'
import { createRole } from '../../src/domain/access/roles.ts'
import { aUser, operator, testDatabaseUrl } from '../support/app.ts'
import { onOrOff } from '../support/flags.ts'
import { runner, visitor } from './run.ts'

const on = { variant: 'on' }
/** Commands, and a look into the database, of a new portal. */
async function aPortal() {
  const url = await testDatabaseUrl(t)
  return { ...runner({ DATABASE_URL: url }), visit: visitor(url) }
}
type Portal = Awaited<ReturnType<typeof aPortal>>
const fileOf = (...all: object[]) => JSON.stringify({ format: 'portal-flags/1', flags: all })
const flag = (key: string, changes: object = {}) => ({ key, ...onOrOff, ...changes })
const importOf = ({ run }: Portal, input: string, options = '') =>
  run(`import flags - ${options}`.trim(), { input })
const exportOf = async ({ ok }: Portal) => (await ok(t, 'export flags')).stdout
/** The definitions and versions of all flags. */
const flagsOf = ({ visit }: Portal) => visit(({ db }) => db.select().from(flags).orderBy(flags.key))

t.test('flags of every kind are equal after a way to another portal and back', async (t) => {
  const [here, there] = [await aPortal(), await aPortal()]
  for (const { visit } of [here, there]) {
    await visit(({ db }) => createRole(db, operator, { key: 'beta', name: 'B', permissions: [] }))
  }
  const values = [true, 'a "text"\n\u202e', -9e15, { nested: [1, null, { b: '', a: 2 }] }] as const
  const all = Array.from({ length: 20 }, (_, n) => {
    const value = values[n % 4] ?? true
    const split = [
      { variant: 'a', weight: n * 5000 },
      { variant: 'variant-b', weight: 100_000 - n * 5000 }
    ]
    return {
      key: `flag-${String(n).padStart(2, '0')}`,
      type: typeof value,
      description: n % 3 ? `Flag ${n}` : '',
      state: n % 5 ? 'enabled' : 'disabled',
      public: n % 2 === 0,
      permanent: n % 7 === 0,
      variants: { 'variant-b': value, a: value },
      defaultVariant: 'a',
      offVariant: 'variant-b',
      rules: Array.from({ length: n % 4 }, (_, m) => ({
        when: {
          ...(m === 0 && { rolesAny: ['beta'] }),
          ...(m === 1 && { users: [`visitor-${n}`, randomUUID()] }),
          attributes: [{ name: 'age', op: 'gte', values: [n] }]
        },
        serve: m === 2 ? { split } : { variant: 'variant-b' }
      }))
    }
  })
  t.equal((await importOf(here, fileOf(...all))).code, 0)
  const file = await exportOf(here)
  t.same(JSON.parse(file).flags, all)
  t.match(
    file,
    /^\{\n {2}"format": "portal-flags\/1",\n {2}"segments": \[\],\n {2}"flags": \[\n {4}\{\n {6}"key": "flag-00",/
  )
  t.notMatch(file, /createdAt|updatedAt|version/)
  const before = await flagsOf(here)
  t.match(await importOf(there, file, '--json'), { code: 0, stderr: /created 20, updated 0/ })
  const back = await exportOf(there)
  t.equal(back, file)
  t.match(await importOf(here, back), { code: 0, stderr: /20 are the same/ })
  t.same(await flagsOf(here), before, 'also the versions and times of the flags')

  await here.visit(({ db }) => db.delete(flags))
  t.equal((await importOf(here, back)).code, 0)
  const withoutTimes = (all: typeof before) =>
    all.map(({ createdAt, updatedAt, version, ...definition }) => definition)
  t.same(withoutTimes(await flagsOf(here)), withoutTimes(before))
})

t.test('an import creates and changes flags, and a dry run only says so', async (t) => {
  const portal = await aPortal()
  await importOf(portal, fileOf(flag('kept'), flag('old', { state: 'disabled' }), flag('same')))
  const before = await flagsOf(portal)
  const rules = [{ when: {}, serve: on }]
  const file = fileOf(flag('new'), flag('old', { rules }), flag('same'))
  const dry = await importOf(portal, file, '--dry-run --prune')
  t.match(dry, { code: 0, stderr: 'would be created 1, updated 1, deleted 1; 1 are the same' })
  t.equal(dry.stdout, 'create new\nupdate old: state rules\nsame same\ndelete kept\n')
  t.same(await flagsOf(portal), before)
  const keeping = await importOf(portal, file, '--dry-run --keep-state')
  t.equal(keeping.stdout, 'create new\nupdate old: rules\nsame same\n')

  t.match(portal.json(await importOf(portal, file, '--keep-state --json')), [
    { key: 'new', change: 'create', fields: [] },
    { key: 'old', change: 'update', fields: ['rules'] },
    { key: 'same', change: 'same', fields: [] }
  ])
  const after = await flagsOf(portal)
  t.match(
    after.map(({ key, state, version }) => `${key} ${state} ${version}`),
    ['kept enabled 1', 'new enabled 1', 'old disabled 2', 'same enabled 1']
  )
  const records = await portal.visit(({ db }) =>
    db.select().from(activity).where(eq(activity.targetId, 'old')).orderBy(activity.at)
  )
  t.match(records, [
    { action: 'flag.create', actorType: 'cli', details: { key: 'old', version: 1 } },
    {
      action: 'flag.update',
      actorType: 'cli',
      details: { key: 'old', fields: ['rules'], version: 2 }
    }
  ])
})

t.test('each change of an import is a version, and can be restored', async (t) => {
  const portal = await aPortal()
  await importOf(portal, fileOf(flag('a', { permanent: true })))
  await importOf(portal, fileOf(flag('a', { state: 'disabled' })))
  await importOf(portal, fileOf(flag('a', { state: 'disabled' })))
  await importOf(portal, fileOf(), '--prune --yes')
  await importOf(portal, fileOf(flag('a')))
  t.match(portal.json(await portal.ok(t, 'flag history a --json')), [
    { version: 4, change: 'import', fields: [], actorType: 'cli' },
    { version: 3, change: 'delete', definition: null },
    { version: 2, change: 'import', fields: ['state', 'permanent'] },
    { version: 1, change: 'import', fields: [], definition: { permanent: true } }
  ])
  t.match(await flagsOf(portal), [{ version: 4, permanent: false }])
  await portal.ok(t, 'flag restore a 1')
  t.match(await flagsOf(portal), [{ version: 5, permanent: true }])
})

t.test('flags that a file does not have are deleted with --prune, after a question', async (t) => {
  const portal = await aPortal()
  await importOf(portal, fileOf(flag('a'), flag('b'), flag('c')))
  const asked = await importOf(portal, fileOf(flag('b')), '--prune')
  t.match(asked, { code: 2, stderr: /deletes what is not in the file: a, c\./ })
  t.equal((await flagsOf(portal)).length, 3)
  t.equal((await importOf(portal, fileOf(flag('b')), '--prune --yes')).code, 0)
  t.same(
    (await flagsOf(portal)).map(({ key }) => key),
    ['b']
  )
})

t.test('nothing is imported when one flag is refused, and it is named', async (t) => {
  const portal = await aPortal()
  await importOf(portal, fileOf(flag('here')))
  const before = await flagsOf(portal)
  const first = [flag('first'), flag('here', { state: 'disabled' })]
  const rule = (when: object) => ({ rules: [{ when, serve: on }] })
  for (const [last, stderr] of [
    [flag('last', rule({ rolesAny: ['beta'] })), 'last: rules/0/when/rolesAny/0: There is no role'],
    [flag('last', rule({ somethingNew: ['x'] })), 'last: rules/0/when: '],
    [flag('last', { speed: 1 }), /^last: /m],
    [flag('last', { defaultVariant: 'maybe' }), 'last: defaultVariant: There is no variant'],
    [
      flag('last', rule({ appSettings: [{ name: 'limits.x', op: 'gt', values: [1] }] })),
      'last: rules/0/when/appSettings/0/name: SETTINGS_SCHEMA has no app setting'
    ],
    [flag('first'), 'first: key: An earlier one has this key'],
    [flag('Not A Key'), /^Not A Key: key: /m],
    [flag('a\u001b[2J\n'), /^a�\[2J�: key: /m],
    [
      {
        ...flag('here', { type: 'string', defaultVariant: 'x', offVariant: 'x' }),
        variants: { x: '' }
      },
      'here: '
    ]
  ] as const) {
    const result = await importOf(portal, fileOf(...first, last))
    t.match(result, { code: 1, stdout: '', stderr }, JSON.stringify(last))
    t.match(result.stderr, 'Nothing was imported.')
  }
  const other = { ...flag('here'), type: 'string', variants: { on: '', off: '' } }
  t.match(await importOf(portal, fileOf(flag('first'), other)), {
    code: 1,
    stderr: 'here: type: The flag here is of type boolean, which cannot change'
  })
  for (const [input, code] of [
    ['nonsense', 2],
    ['null', 1],
    ['{"flags":[]}', 1],
    ['{"format":"portal-flags/2","flags":[]}', 1]
  ] as const) {
    t.equal((await importOf(portal, input)).code, code, input)
  }
  t.same(await flagsOf(portal), before)
})

t.test('ids in rules that belong to no user here are counted', async (t) => {
  const portal = await aPortal()
  const { id } = await portal.visit((database) => aUser(database))
  const users = [id, randomUUID(), randomUUID(), 'visitor-7']
  const file = fileOf(
    flag('a', { rules: [{ when: { users }, serve: on }] }),
    flag('b', { rules: [{ when: { users: users.slice(0, 2) }, serve: on }] })
  )
  t.match(await importOf(portal, file), {
    code: 0,
    stderr: 'warning: 2 ids in conditions are not those of users here'
  })
  const known = fileOf(flag('a', { rules: [{ when: { users: [id] }, serve: on }] }))
  t.notMatch((await importOf(portal, known)).stderr, 'warning')
})

t.test('a file with too many segments blames the list, and not the first one', async (t) => {
  const portal = await aPortal()
  const segments = Array.from({ length: 201 }, (_, n) => ({
    key: `segment-${n}`,
    when: { rolesAny: ['user'] }
  }))
  const input = JSON.stringify({ format: 'portal-flags/1', flags: [], segments })
  const { code, stderr } = await importOf(portal, input)
  t.not(code, 0)
  t.match(stderr, /^segments: At most 200 entries/m)
  t.notMatch(stderr, 'segment-0')
})
