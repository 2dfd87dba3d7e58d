import type { Db } from '../../../db/engine.ts'
import { together } from '../../../db/transaction.ts'
import { changeAs } from '../access/rights.ts'
import { describeChanges } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import type { SignedInActor } from '../actor.ts'
import { userNotFound } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { keysOf } from '../keys-of.ts'
import type { SystemPermission } from '../permissions.ts'
import { lockUser } from '../users/lock.ts'
import { findUser, writeUser } from '../users/users.ts'
import { changedColumns, cleanChanges } from './changes.ts'
import type { Changes } from './changes.ts'

/** The permission that a user needs to change each of their own settings. */
const ownSettings = {
  name: 'name:update',
  theme: 'theme:update',
  profile: 'profile:update'
} as const satisfies Partial<Record<keyof Changes, SystemPermission>>

type OwnSetting = keyof typeof ownSettings

/** Changes the actor's own settings. Throws `permission-denied`, and refusals that name a field. */
export async function updateOwnUser(
  db: Db,
  actor: SignedInActor,
  changes: Pick<Changes, OwnSetting>
) {
  const columns = await cleanChanges(changes, '')
  const needed: SystemPermission[] = keysOf(changes).map((setting) => ownSettings[setting])
  const lock = (tx: Db) => lockUser(tx, actor.id)
  return changeAs(db, actor, needed, lock, async (tx, by, user) => {
    if (!user) throw userNotFound()
    const { id } = user
    const changed = changedColumns(user, columns)
    if (changed.length === 0) return findUser(tx, id)
    const details = describeChanges(changed, user, columns)
    const [, , updated] = await together(
      () => writeUser(tx, id, columns),
      () => record(tx, by, 'user.update', { userId: id, details }),
      () => findUser(tx, id),
      () => bumpUsers(tx, id)
    )
    return updated
  })
}
