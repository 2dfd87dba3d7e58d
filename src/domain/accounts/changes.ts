import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import type { TokenPurpose } from '../../../db/schema/tokens.ts'
import { users } from '../../../db/schema/users.ts'
import type { UserRow } from '../../../db/schema/users.ts'
import { describeChanges } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import type { Author } from '../actor.ts'
import { checkAll } from '../domain-error.ts'
import { emailTaken } from '../errors.ts'
import { keysOf } from '../keys-of.ts'
import { deleteLinkTokens } from '../tokens/tokens.ts'
import { requireEmail } from '../users/emails.ts'
import { cleanProfile } from '../users/profiles.ts'
import type { ProfileChanges } from '../users/profiles.ts'
import { findReserved } from '../users/reserved-emails.ts'
import { cleanName } from '../texts.ts'
import { profile, writeUser } from '../users/users.ts'

/** Requested changes of a user's data. */
export interface Changes {
  email?: string | undefined
  name?: string | undefined
  theme?: UserRow['theme'] | undefined
  profile?: ProfileChanges | undefined
}

const changeable = {
  email: users.email,
  emailNormalized: users.emailNormalized,
  name: users.name,
  theme: users.theme,
  ...profile
}
/** They would change the account, or are in a mailbox that may no longer be the user's. */
export const linksToAddress: TokenPurpose[] = [
  'restore',
  'email-change',
  'confirm',
  'password-reset',
  'factor-enrolment'
]
type Columns = Partial<Pick<UserRow, keyof typeof changeable>>

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

/**
 * Writes and records the columns that differ; false when none does. The caller has locked the user,
 * and bumps their scope. Throws `email-taken`.
 */
export async function writeChanges(
  tx: Db,
  by: Author,
  id: string,
  columns: Columns
): Promise<boolean> {
  const [before] = await tx.select(changeable).from(users).where(eq(users.id, id))
  const changed = keysOf(columns).filter((column) => columns[column] !== before?.[column])
  if (!before || changed.length === 0) return false
  // A link that was sent before would change the address back, or is in a mailbox that is no longer
  // the user's.
  const moved = changed.includes('emailNormalized')
  if (moved) await deleteLinkTokens(tx, linksToAddress, { userId: id })
  await writeUser(tx, id, { ...columns, ...(moved && { emailVerifiedAt: null }) })
  // Looked up last: an address that was freed meanwhile let the update wait.
  if (moved && columns.emailNormalized !== undefined) {
    const reserved = await findReserved(tx, [columns.emailNormalized], id)
    if (reserved.size > 0) throw emailTaken()
  }
  await record(tx, by, 'user.update', {
    userId: id,
    details: describeChanges(
      changed.filter((column) => column !== 'emailNormalized'),
      before,
      columns
    )
  })
  return true
}
