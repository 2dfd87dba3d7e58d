import type { Db } from '../../../db/engine.ts'
import { changeAs } from '../access/rights.ts'
import type { SignedInActor } from '../actor.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { keysOf } from '../keys-of.ts'
import type { SystemPermission } from '../permissions.ts'
import { lockUser } from '../users/lock.ts'
import { findUser } from '../users/users.ts'
import { cleanChanges, writeChanges } from './changes.ts'
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
  return changeAs(db, actor, needed, lock, async (tx, by) => {
    if (await writeChanges(tx, by, actor.id, columns)) await bumpUsers(tx, actor.id)
    return findUser(tx, actor.id)
  })
}
