import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { temporaryFolder, testDatabaseUrl } from '../support/app.ts'
import { runner } from './run.ts'

const folder = temporaryFolder(t)
const [from, to] = [await testDatabaseUrl(t), await testDatabaseUrl(t)].map((url) =>
  runner({ DATABASE_URL: url, BCRYPT_COST: '10' })
) as [ReturnType<typeof runner>, ReturnType<typeof runner>]
for (const { ok } of [from, to]) {
  await ok(t, 'role create clerk --name Clerk --scoped')
  await ok(t, 'role create chief members:manage --name Chief --scoped')
}
const fileOf = (name: string, text: string) => {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  return file
}
const scopesOf = async (email: string) =>
  to.json(await to.ok(t, `user show ${email} --json`)).scopes

t.test('an export carries roles in scopes, and an import grants them', async (t) => {
  await from.ok(t, 'import users ' + fileOf('ada.json', '{"email":"ada@a.example","name":"Ada"}'))
  await from.ok(t, 'import users ' + fileOf('bo.json', '{"email":"bo@a.example","name":"Bo"}'))
  for (const membership of ['org:1 ada@a.example clerk', 'org:1 ada@a.example chief']) {
    await from.ok(t, `scope grant ${membership}`)
  }
  await from.ok(t, 'scope grant org:2 ada@a.example clerk')
  const exported = (await from.ok(t, 'export users')).stdout
  const held = [
    { scope: 'org:1', roles: ['chief', 'clerk'] },
    { scope: 'org:2', roles: ['clerk'] }
  ]
  const lines = exported
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.same(
    lines.map(({ scopes }) => scopes),
    [held, undefined]
  )
  await to.ok(t, 'import users ' + fileOf('all.ndjson', exported))
  t.same(await scopesOf('ada@a.example'), held)
  const records = to.json(await to.ok(t, 'activity list --action scope.role-grant --json'))
  t.equal(records.length, 3, 'each is recorded')
})

t.test('a column of CSV has roles in scopes as JSON', async (t) => {
  const scopes = '"[{""scope"":""org:5"",""roles"":[""clerk""]}]"'
  const csv = `email,name,scopes\ncy@a.example,Cy,${scopes}\ndi@a.example,Di,\n`
  await to.ok(t, 'import users ' + fileOf('users.csv', csv))
  t.same(await scopesOf('cy@a.example'), [{ scope: 'org:5', roles: ['clerk'] }])
  t.same(await scopesOf('di@a.example'), [])
})

t.test('a line with a role of the other kind or a deleted scope is rejected', async (t) => {
  await to.ok(t, 'scope grant org:6 cy@a.example clerk')
  await to.ok(t, 'scope delete org:6 --yes')
  const lines = [
    { roles: ['clerk'] },
    { scopes: [{ scope: 'org:7', roles: ['user'] }] },
    { scopes: [{ scope: 'ORG:7', roles: ['clerk'] }] },
    { scopes: [{ scope: 'org:6', roles: ['clerk'] }] }
  ].map((line, n) => JSON.stringify({ email: `bad-${n}@a.example`, name: 'Bad', ...line }))
  for (const option of [' --dry-run', '']) {
    const file = fileOf('bad.ndjson', lines.join('\n'))
    const { code, stderr } = await to.run(`import users ${file}${option}`)
    t.equal(code, 1)
    for (const line of [
      /^line 1: .*roles\/0: The role with this key is held in scopes/m,
      /^line 2: .*scopes\/0\/roles\/0: The role with this key is held everywhere/m,
      /^line 3: .*scopes\/0\/scope: Must look like org:42/m,
      /^line 4: .*deleted less than 90 days ago/m
    ]) {
      t.match(stderr, line)
    }
  }
})
