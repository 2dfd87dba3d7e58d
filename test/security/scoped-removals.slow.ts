// Takes about 60 s
// Not on PGlite: two instances share a database.
import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { revokeInScope } from '../../src/domain/scopes/members.ts'
import { aCaller, operator, ownApp, testDatabaseUrl } from '../support/app.ts'
import { pooler } from '../support/test-server.ts'
import { aScopedRole, freshScope, granted } from '../support/scopes.ts'

const rounds = 1000

t.test(`after each of ${rounds} removals on one instance, the other says no`, async (t) => {
  const url = await testDatabaseUrl(t)
  const instance = async () =>
    ownApp(t, {}, await openDatabase(url, { poolMax: 5, prepare: pooler === undefined }))
  const [one, two] = [await instance(), await instance()]
  const role = await aScopedRole(one.database, 'users:read')
  const { user, cookie } = await aCaller(two)
  const scope = freshScope()
  const check = async () => {
    const response = await two.inject({
      url: `/api/auth/check?permission=users:read&scope=${scope}`,
      headers: { cookie, 'x-original-method': 'GET' }
    })
    return response.statusCode
  }
  const found: Record<string, number> = {}
  for (let round = 0; round < rounds; round++) {
    await granted(one.database, user, scope, role)
    const before = await Promise.all([check(), check()])
    // Others ask at the same time, and keep what they read.
    const [, ...meanwhile] = await Promise.all([
      revokeInScope(one.db, operator, { scope, userId: user.id, role }),
      check(),
      check()
    ])
    const outcome = `${before.join()} ${await check()}`
    found[outcome] = (found[outcome] ?? 0) + 1
    t.notOk(
      meanwhile.some((status) => ![204, 403, 503].includes(status)),
      'others get a clear response'
    )
  }
  const { '204,204 403': right = 0, ...others } = found
  // A check that is late on a busy machine is 503, and so neither a yes nor a no.
  const late = Object.keys(others).filter((outcome) => !/503/.test(outcome))
  t.same(late, [])
  t.comment(JSON.stringify(found))
  t.ok(right > rounds / 2, `${right} of ${rounds}`)
})
