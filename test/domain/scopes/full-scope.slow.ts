import { sql } from 'drizzle-orm'
import t from 'tap'
import { scopeLimits } from '../../../db/schema/scopes.ts'
import { findRole } from '../../../src/domain/access/roles.ts'
import { findScope } from '../../../src/domain/scopes/list.ts'
import { aUser, testDatabase } from '../../support/app.ts'
import { aScopedRole, freshScope, granted } from '../../support/scopes.ts'

/** Few enough for the deadline of a statement. */
const batch = 5000

t.test('a scope has at most 100,000 members, each with any number of roles', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const [reader, other] = [await aScopedRole(database), await aScopedRole(database)]
  const { id: roleId } = await findRole(db, reader)
  const [scope, member, late] = [freshScope(), await aUser(database), await aUser(database)]
  await granted(database, member, scope, reader)
  for (let made = 1; made < scopeLimits.members; made += batch) {
    await db.execute(sql`
      with made as (insert into users (id, email, email_normalized, name)
        select gen_random_uuid(), n || '@example.com', n || '@example.com', 'A'
        from generate_series(${made}::int, ${Math.min(made + batch, scopeLimits.members) - 1}::int) n
        returning id)
      insert into scoped_roles (user_id, scope, role_id) select id, ${scope}, ${roleId} from made`)
  }
  await t.rejects(granted(database, late, scope, reader), { code: 'too-many-members' })
  await granted(database, member, scope, other)
  await granted(database, late, freshScope(), reader)
  t.match(await findScope(db, scope), { members: scopeLimits.members })
})
