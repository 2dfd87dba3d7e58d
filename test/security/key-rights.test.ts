import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { createPermission } from '../../src/domain/access/custom-permissions.ts'
import { grantPermission, revokePermission } from '../../src/domain/access/memberships.ts'
import { createRole } from '../../src/domain/access/roles.ts'
import { createServiceKey } from '../../src/domain/services/key-creation.ts'
import { createService, grantServiceRole } from '../../src/domain/services/services.ts'
import { onPglite, operator, ownApp, testDatabaseUrl, until } from '../support/app.ts'
import { keyCaller } from '../support/keys.ts'
import { createModel } from './key-rights-model.ts'
import type { Key } from './key-rights-model.ts'

// After each of many random changes by one server or a command, the other one is asked at once what
// a key may do: what its owner may do now, limited to its list. `npm run check -- freshness` does
// 10,000.
const rounds = Number(process.env.FRESHNESS_ROUNDS ?? 15)

const url = await testDatabaseUrl(t)
const one = await ownApp(t, {}, await openDatabase(url, { poolMax: 5 }))
// PGlite allows one process only, so there it is the same server.
const two = onPglite ? one : await ownApp(t, {}, await openDatabase(url, { poolMax: 5 }))
const command = onPglite ? one.database : await openDatabase(url, { poolMax: 2 })
t.teardown(() => command.close())

async function found({ secret }: Key): Promise<string[] | 'refused'> {
  // 503 on a busy machine is neither a yes nor a no.
  const response = await until(async () => {
    const answer = await keyCaller(two, secret).me()
    return answer.statusCode === 503 ? undefined : answer
  })
  return response.statusCode === 401 ? 'refused' : (response.json().permissions as string[])
}

const seed = Number(process.env.KEY_SEED ?? Date.now() % 100_000)
const { keys, expected, changes, pick, begin } = createModel(
  { one: one.database, command, found },
  seed
)

t.test(
  `after each of ${rounds} random changes, a key may do what its owner may now, within its list`,
  { timeout: 1_200_000 },
  async (t) => {
    await begin()
    const kinds = Object.keys(changes)
    const wrong: string[] = []
    let rights = 0
    for (let round = 0; round < rounds && wrong.length < 5; round++) {
      const kind = round < kinds.length ? kinds[round] : pick(kinds)
      await changes[kind ?? '']?.()
      // A changed owner mostly concerns one key; the others must not change.
      const answers = await Promise.all(keys.map(found))
      for (const [n, key] of keys.entries()) {
        const [is, should] = [answers[n], expected(key)]
        if (should !== 'refused') rights += should.length
        if (String(is) !== String(should)) {
          wrong.push(
            `seed ${seed}, round ${round}, ${kind}: ${String(is)} and not ${String(should)}`
          )
        }
      }
    }
    t.same(wrong, [])
    t.ok(rights > 0)
    t.comment(`seed ${seed}`)
  }
)

t.test('of two lists, a change of the owner reaches only what both have', async (t) => {
  const role = 'reader'
  await createRole(one.db, operator, { key: role, name: role, permissions: [] })
  await createPermission(one.db, operator, { key: 'books:read' })
  await createPermission(one.db, operator, { key: 'books:write' })
  for (const permission of ['books:read', 'books:write']) {
    await grantPermission(one.db, operator, { role, permission })
  }
  await createService(one.db, operator, { key: 'library', name: 'Library' })
  await grantServiceRole(one.db, operator, { service: 'library', role })
  const { secret } = await createServiceKey(one.db, operator, {
    service: 'library',
    name: 'A key',
    permissions: ['books:read']
  })
  const rights = async () => (await keyCaller(two, secret).me()).json().permissions
  t.same(await rights(), ['books:read'])
  await revokePermission(one.db, operator, { role, permission: 'books:write' })
  t.same(await rights(), ['books:read'])
  await revokePermission(one.db, operator, { role, permission: 'books:read' })
  t.same(await rights(), [])
  await grantPermission(one.db, operator, { role, permission: 'books:read' })
  t.same(await rights(), ['books:read'])
})
