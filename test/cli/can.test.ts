import t from 'tap'
import { aUser, testDatabaseUrl } from '../support/app.ts'
import { runner, visitor } from './run.ts'

const env = { DATABASE_URL: await testDatabaseUrl(t) }
const visit = visitor(env.DATABASE_URL)
const { run, ok, json } = runner(env)

t.test('user can says which role gives or withholds a permission', async (t) => {
  await visit((database) => aUser(database, 'ada@example.com'))
  await ok(t, 'permission create invoices:read')
  await ok(t, 'role create accountant invoices:read --name Accountant')
  await ok(t, 'role update accountant --second-factor required')
  const can = (args: string) => ok(t, `user can ada@example.com ${args}`)
  t.same(json(await can('invoices:read --json')), {
    permission: 'invoices:read',
    granted: false,
    grantedBy: [],
    withheldBy: [],
    assurance: 1,
    status: 'active'
  })
  await ok(t, 'user grant ada@example.com accountant')
  t.match(json(await can('invoices:read --json')), { granted: false, withheldBy: ['accountant'] })
  t.match(json(await can('invoices:read --assurance 2 --json')), {
    granted: true,
    grantedBy: ['accountant'],
    withheldBy: []
  })
  const { stdout } = await can('profile:read')
  t.match(stdout, /^granted +true$/m)
  t.match(stdout, /^granted by +user$/m)

  await ok(t, 'user deactivate ada@example.com')
  t.match(json(await can('profile:read --json')), { granted: false, status: 'deactivated' })
  t.match(await run('user can ada@example.com nothing:here'), {
    code: 3,
    stderr: /No such permission/
  })
  t.match(await run('user can nobody@example.com profile:read'), {
    code: 3,
    stderr: /No such user/
  })
})
