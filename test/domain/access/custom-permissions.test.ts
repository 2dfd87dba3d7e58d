// Not on PGlite: it needs several connections.

import { eq } from 'drizzle-orm'
import t from 'tap'
import { roles } from '../../../db/schema/roles.ts'
import {
  createPermission,
  deletePermission
} from '../../../src/domain/access/custom-permissions.ts'
import { grantPermission } from '../../../src/domain/access/memberships.ts'
import { findRole } from '../../../src/domain/access/roles.ts'
import { aRole, onPglite, operator, testDatabase, until } from '../../support/app.ts'
import { waitingForLocks } from '../../support/locks.ts'

t.test(
  'deleting a permission also updates the version of a role that was granted it meanwhile',
  { skip: onPglite && 'it has one connection' },
  async (t) => {
    const database = await testDatabase(t)
    const { db } = database
    await createPermission(db, operator, { key: 'reports:read' })
    const key = await aRole(database)
    const before = await findRole(db, key)

    let granting: Promise<string> | undefined
    let settled = false
    const deleting = await db.transaction(async (tx) => {
      await tx.select().from(roles).where(eq(roles.key, 'admin')).for('update')
      const deletion = deletePermission(db, operator, { key: 'reports:read' })
      await until(async () => (await waitingForLocks(db)) === 1)
      granting = grantPermission(db, operator, { role: key, permission: 'reports:read' }).then(
        () => 'granted',
        (error) => error.code
      )
      granting.then(() => {
        settled = true
      })
      await until(async () => settled || (await waitingForLocks(db)) === 2)
      return { deletion }
    })
    await deleting.deletion
    const after = await findRole(db, key)
    t.same(after.permissions, [])
    t.equal(after.version - before.version, (await granting) === 'granted' ? 2 : 0)
  }
)
