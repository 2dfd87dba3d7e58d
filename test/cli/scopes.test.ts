// Also on PGlite.

import t from 'tap'
import { aUser, testDatabaseUrl } from '../support/app.ts'
import { runner, visitor } from './run.ts'

const url = await testDatabaseUrl(t)
const { run, ok, json } = runner({ DATABASE_URL: url, BCRYPT_COST: '10' })
const visit = visitor(url)
const [ada, grace] = await visit(async (database) => [await aUser(database), await aUser(database)])
await ok(t, 'role create clerk --name Clerk --scoped')
await ok(t, 'role create chief members:manage --name Chief --scoped')

const rolesOf = async (scope: string) =>
  json(await ok(t, `scope members ${scope} --json`)).map(
    ({ user, roles }: { user: { email: string }; roles: { key: string }[] }) => [
      user.email,
      ...roles.map(({ key }) => key)
    ]
  )

t.test('roles in a scope are granted, listed and revoked', async (t) => {
  await ok(t, `scope grant org:1 ${ada.email} clerk`)
  await ok(t, `scope grant org:1 ${ada.email} chief`)
  await ok(t, `scope grant org:1 ${ada.email} clerk`)
  t.match(json(await ok(t, `scope grant org:1 ${grace.id} clerk --json`)), {
    ...{ scope: 'org:1', userId: grace.id, role: 'clerk' }
  })
  await ok(t, `scope grant org:2 ${ada.email} clerk`)
  t.same(await rolesOf('org:1'), [
    [ada.email, 'chief', 'clerk'],
    [grace.email, 'clerk']
  ])
  t.match((await ok(t, 'scope members org:1')).stdout, /^EMAIL +NAME +ROLES +ID\n/)
  t.match((await ok(t, `user show ${ada.email}`)).stdout, 'org:1 (chief, clerk), org:2 (clerk)')
  t.same(json(await ok(t, `user show ${ada.email} --json`)).scopes, [
    { scope: 'org:1', roles: ['chief', 'clerk'] },
    { scope: 'org:2', roles: ['clerk'] }
  ])
  await ok(t, `scope revoke org:1 ${ada.email} chief`)
  t.same(await rolesOf('org:1'), [
    [ada.email, 'clerk'],
    [grace.email, 'clerk']
  ])
})

t.test('an operator is told what is wrong with a scope, a role or a user', async (t) => {
  await ok(t, `scope grant org:3 ${ada.email} clerk`)
  for (const [args, code, stderr] of [
    [`scope grant ORG:1 ${ada.email} clerk`, 2, /scope: Must look like org:42/],
    ['scope members org:1.', 2, /scope: Must look like org:42/],
    ['scope members org:none', 3, /Nobody has a role in this scope/],
    [`scope grant org:3 ${ada.email} user`, 4, /held everywhere/],
    [`scope grant org:3 ${ada.email} no-such`, 3, /role/],
    ['scope grant org:3 nobody@example.com clerk', 3, /user/],
    ['scope delete org:none --yes', 3, /Nobody has a role in this scope/],
    ['scope delete org:3', 2, /members: 1/]
  ] as const) {
    t.match(await run(args), { code, stderr }, args)
  }
})

t.test('a deleted scope has no members, and cannot be used again', async (t) => {
  await ok(t, `scope grant org:4 ${ada.email} clerk`)
  t.same(json(await ok(t, 'scope delete org:4 --yes --json')), { deleted: 'org:4' })
  t.match(await run('scope members org:4'), { code: 3 })
  t.match(await run(`scope grant org:4 ${ada.email} clerk`), { code: 4, stderr: /90 days/ })
})
