import { mock } from 'node:test'
import t from 'tap'
import { insertUser } from '../../../src/domain/users/users.ts'
import { freshEmail, testDatabase } from '../../support/app.ts'

t.test('ids of users of the same millisecond are in the order of their creation', async (t) => {
  const { db } = await testDatabase(t)
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.teardown(() => mock.timers.reset())
  const ids: (string | undefined)[] = []
  for (let n = 0; n < 20; n++) {
    const email = freshEmail()
    const user = { email, emailNormalized: email, name: 'Ada Lovelace', passwordHash: null }
    ids.push(await insertUser(db, user, ['user']))
  }
  t.same(ids, ids.toSorted())
  t.equal(new Set(ids).size, 20)
})
