// Also on PGlite.

import t from 'tap'
import { flags, segments } from '../../db/schema/flags.ts'
import { testDatabaseUrl } from '../support/app.ts'
import { onOrOff } from '../support/flags.ts'
import { runner, visitor } from './run.ts'

async function aPortal() {
  const url = await testDatabaseUrl(t)
  return { ...runner({ DATABASE_URL: url }), visit: visitor(url) }
}
type Portal = Awaited<ReturnType<typeof aPortal>>
const segment = (key: string, ...users: string[]) => ({ key, description: '', when: { users } })
const naming = (key: string, ...segmentsAny: string[]) => ({
  key,
  ...onOrOff,
  rules: [{ when: { segmentsAny }, serve: { variant: 'on' } }]
})
const fileOf = (segments: object[], flags: object[]) =>
  JSON.stringify({ format: 'portal-flags/1', segments, flags })
const importOf = ({ run }: Portal, input: string, options = '') =>
  run(`import flags - ${options}`.trim(), { input })
const stateOf = ({ visit }: Portal) =>
  visit(async ({ db }) => ({
    segments: await db.select().from(segments).orderBy(segments.key),
    flags: await db.select().from(flags).orderBy(flags.key)
  }))

t.test('segments move with the flags that name them', async (t) => {
  const [here, there] = [await aPortal(), await aPortal()]
  const file = fileOf([segment('a', 'ann'), segment('b', 'bob')], [naming('x', 'a', 'b')])
  t.match(await importOf(here, file, '--dry-run'), {
    code: 0,
    stdout: 'create segment a\ncreate segment b\ncreate x\n'
  })
  t.same(await stateOf(here), { segments: [], flags: [] })
  t.equal((await importOf(here, file)).code, 0)
  const { stdout } = await here.ok(t, 'export flags')
  t.same(JSON.parse(stdout).segments, JSON.parse(file).segments)
  t.equal((await importOf(there, stdout)).code, 0)
  t.equal((await there.ok(t, 'export flags')).stdout, stdout)
  const before = await stateOf(here)
  t.match(await importOf(here, stdout), { code: 0, stderr: /3 are the same/ })
  t.same(await stateOf(here), before)
})

t.test('an import changes segments, each change a version, and deletes with --prune', async (t) => {
  const portal = await aPortal()
  await importOf(portal, fileOf([segment('a', 'ann'), segment('old', 'bob')], [naming('x', 'old')]))
  const next = fileOf([segment('a', 'eve')], [naming('x', 'a')])
  const plan = 'update segment a: when\nupdate x: rules\ndelete segment old\n'
  t.equal((await importOf(portal, next, '--dry-run --prune')).stdout, plan)
  t.match(await importOf(portal, next, '--prune --yes'), { code: 0, stderr: /deleted 1/ })
  t.match(await stateOf(portal), {
    segments: [{ key: 'a', version: 2, when: { users: ['eve'] } }],
    flags: [{ key: 'x', version: 2 }]
  })
  t.match(portal.json(await portal.ok(t, 'segment history a --json')), [
    { version: 2, change: 'import', fields: ['when'] },
    { version: 1, change: 'import' }
  ])
})

t.test('nothing is imported when a segment is refused or missing', async (t) => {
  const portal = await aPortal()
  await importOf(portal, fileOf([segment('here', 'ann')], [naming('x', 'here')]))
  const before = await stateOf(portal)
  const unknownRole = { ...segment('last'), when: { rolesAny: ['no-such-role'] } }
  for (const [file, options, stderr] of [
    [fileOf([segment('a', 'ann'), unknownRole], []), '', 'last: when/rolesAny/0: There is no role'],
    [fileOf([segment('a', 'ann')], [naming('y', 'gone')]), '', 'y: rules/0/when/segmentsAny/0: '],
    [fileOf([segment('a', 'ann'), segment('a', 'bob')], []), '', 'a: key: An earlier one has'],
    [fileOf([segment('a')], []), '', /^a: when\/users: /m],
    [fileOf([], [naming('x', 'here')]), '--prune --yes', 'x: rules/0/when/segmentsAny/0: ']
  ] as const) {
    for (const dry of ['', '--dry-run']) {
      const result = await importOf(portal, file, `${options} ${dry}`.trim())
      t.match(result, { code: 1, stderr }, file)
      t.match(result.stderr, 'Nothing was imported.')
    }
  }
  t.same(await stateOf(portal), before)
})
