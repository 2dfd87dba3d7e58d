import { eq } from 'drizzle-orm'
import t from 'tap'
import { roles } from '../../../db/schema/roles.ts'
import { findRequirements } from '../../../src/domain/factors/enrolment.ts'
import { findMemberFactors } from '../../../src/domain/factors/list.ts'
import { listUsers } from '../../../src/domain/users/list.ts'
import { aUser, testApp } from '../../support/app.ts'
import { aScopedRole, freshScope, granted } from '../../support/scopes.ts'
import { anAppFor } from '../../support/second-factors.ts'

const app = await testApp(t)
const { db, database } = app

t.test('users with a role in scopes are its members, each once', async (t) => {
  const role = await aScopedRole(database)
  await db.update(roles).set({ requiresSecondFactor: true }).where(eq(roles.key, role))
  const [withFactor, without] = [await aUser(database), await aUser(database)]
  await anAppFor(app, withFactor)
  for (const user of [withFactor, withFactor, without]) {
    await granted(database, user, freshScope(), role)
  }
  const requirements = await findRequirements(db)
  t.match(
    requirements.find((each) => each.role === role),
    { members: 2, withFactor: 1 },
    'doctor warns'
  )
  const factors = await findMemberFactors(db, { role, limit: 10 })
  t.match(factors, [{ email: withFactor.email }])
  t.equal(factors.length, 1)
  const { items } = await listUsers(db, { role, limit: 10, sort: 'email' })
  t.same(items.map(({ id }) => id).sort(), [withFactor.id, without.id].sort())
})
