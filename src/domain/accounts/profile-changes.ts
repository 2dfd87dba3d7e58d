import type { Db } from '../../../db/engine.ts'
import type { TokenPurpose } from '../../../db/schema/tokens.ts'
import type { UserRow } from '../../../db/schema/users.ts'
import { together } from '../../../db/transaction.ts'
import { authorized } from '../access/authorize.ts'
import { describeChanges, record } from '../activity/record.ts'
import type { Author, SignedInActor } from '../actor.ts'
import { checkAll, DomainError } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { objectKeys } from '../permissions.ts'
import type { SystemPermission } from '../permissions.ts'
import { cleanName } from '../texts.ts'
import { deleteLinkTokens } from '../tokens/tokens.ts'
import { findReserved, requireEmail } from '../users/emails.ts'
import { cleanProfile } from '../users/profiles.ts'
import type { ProfileChanges } from '../users/profiles.ts'
import { findUser, lockUser, writeUser } from '../users/users.ts'
import type { LockedUser, profile } from '../users/users.ts'

/** Requested changes of a user's data. */
export interface Changes {
  email?: string | undefined
  name?: string | undefined
  theme?: UserRow['theme'] | undefined
  profile?: ProfileChanges | undefined
}

/** They would change the account, or are in a mailbox that may no longer be the user's. */
export const linksToAddress: TokenPurpose[] = [
  'restore',
  'email-change',
  'confirm',
  'password-reset',
  'factor-enrolment'
]
type Columns = Partial<
  Pick<LockedUser, 'email' | 'emailNormalized' | 'name' | 'theme' | keyof typeof profile>
>

/**
 * Normalizes changes for storage. Throws a refusal that names every invalid field.
 * @param profileAt JSON Pointer to the profile in the request
 */
export async function cleanChanges(
  { email, name, theme, profile: changes }: Changes,
  profileAt = '/profile'
): Promise<Columns> {
  const [emailNormalized, cleanedName, cleanedProfile] = await checkAll(
    () => (email === undefined ? undefined : requireEmail(email)),
    () => (name === undefined ? undefined : cleanName(name)),
    () => changes && cleanProfile(changes, profileAt)
  )
  return {
    ...(email !== undefined && emailNormalized !== undefined && { email, emailNormalized }),
    ...(cleanedName !== undefined && { name: cleanedName }),
    ...(theme !== undefined && { theme }),
    ...cleanedProfile
  }
}

/** The columns that differ from those of a locked user. */
const changedColumns = (before: LockedUser, columns: Columns) =>
  objectKeys(columns).filter((column) => columns[column] !== before[column])

/**
 * Writes and records the columns of a locked user that differ; false when none does. The caller
 * bumps their scope. Throws `email-taken`.
 */
export async function writeChanges(
  tx: Db,
  by: Author,
  before: LockedUser,
  columns: Columns
): Promise<boolean> {
  const { id } = before
  const changed = changedColumns(before, columns)
  if (changed.length === 0) return false
  // A link that was sent before would change the address back, or is in a mailbox that is no longer
  // the user's.
  const moved = changed.includes('emailNormalized')
  if (moved) await deleteLinkTokens(tx, linksToAddress, { userId: id })
  const writing = writeUser(tx, id, { ...columns, ...(moved && { emailVerifiedAt: null }) })
  if (moved) await writing // it may refuse the address
  // Looked up last: an address that was freed meanwhile let the update wait.
  if (moved && columns.emailNormalized !== undefined) {
    const reserved = await findReserved(tx, [columns.emailNormalized], id)
    if (reserved.size > 0) throw new DomainError('email-taken')
  }
  const shown = changed.filter((column) => column !== 'emailNormalized')
  const details = describeChanges(shown, before, columns)
  await Promise.all([writing, record(tx, by, 'user.update', { userId: id, details })])
  return true
}

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
