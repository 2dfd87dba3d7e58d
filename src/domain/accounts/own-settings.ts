import type { Db } from '../../../db/engine.ts'
import { together } from '../../../db/transaction.ts'
import { authorized } from '../access/authorize.ts'
import { describeChanges, record } from '../activity/record.ts'
import type { SignedInActor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { objectKeys } from '../permissions.ts'
import type { SystemPermission } from '../permissions.ts'
import { findUser, lockUser, writeUser } from '../users/users.ts'
import { changedColumns, cleanChanges } from './profile-changes.ts'
import type { Changes } from './profile-changes.ts'

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
  const needed: SystemPermission[] = objectKeys(changes).map((setting) => ownSettings[setting])
  const lock = (tx: Db) => lockUser(tx, actor.id)
  return authorized(db, actor, needed, lock, async (tx, by, user) => {
    if (!user) throw new DomainError('user-not-found')
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
