import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { databaseCode } from '../../../db/errors.ts'
import { userScope } from '../../../db/schema/epochs.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import type { UserRow } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { Actor, SignedInActor } from '../activity/record.ts'
import { requireEmail } from '../users/emails.ts'
import { bump } from '../freshness/epochs.ts'
import { checkAll, emailTaken } from '../errors.ts'
import { requireOtherAdmin } from '../access/last-admin.ts'
import type { SystemPermission, SystemRole } from '../permissions.ts'
import { cleanProfile } from '../users/profiles.ts'
import type { ProfileChanges } from '../users/profiles.ts'
import { requireRevision } from '../revisions.ts'
import type { Expected } from '../revisions.ts'
import { actOn, lockUser, requirePermission } from '../access/rights.ts'
import type { LockedUser } from '../access/rights.ts'
import { revoke } from '../sessions/sessions.ts'
import { cleanName } from '../users/texts.ts'
import { findUser, insertUser, nextVersion, profile, userRevision } from '../users/users.ts'
import type { Services } from './services.ts'

interface UserChanges {
  email?: string | undefined
  name?: string | undefined
  theme?: UserRow['theme'] | undefined
  profile?: ProfileChanges | undefined
  status?: UserRow['status'] | undefined
}

const changeable = {
  email: users.email,
  emailNormalized: users.emailNormalized,
  name: users.name,
  theme: users.theme,
  ...profile
}
type Columns = Partial<Pick<UserRow, keyof typeof changeable>>

type NewUser = UserChanges & { email: string; name: string; password?: string | undefined }
type PasswordServices = Pick<Services, 'db' | 'passwords'>

/**
 * Creates an account for somebody else. Without a password nobody can sign in to it until one is
 * set. Throws `email-taken`, and refusals that name a field.
 */
export const createUser = (services: PasswordServices, actor: Actor, input: NewUser) =>
  addUser(services, actor, input, ['user'])

/** As createUser, with the role `admin`. For the command line only: it checks no right to grant. */
export const createAdmin = (services: PasswordServices, actor: Actor, input: NewUser) =>
  addUser(services, actor, input, ['user', 'admin'])

async function addUser(
  { db, passwords }: PasswordServices,
  actor: Actor,
  { email, password, status = 'active', ...input }: NewUser,
  roles: SystemRole[]
) {
  const [emailNormalized, name, columns] = await checkAll(
    () => requireEmail(email),
    () => cleanName(input.name),
    () => cleanChanges({ theme: input.theme, profile: input.profile }),
    () =>
      password === undefined
        ? undefined
        : passwords.check(password, 'password', { email, name: input.name })
  )
  const passwordHash = password === undefined ? undefined : await passwords.hash(password)
  return transaction(db, async (tx) => {
    await requirePermission(tx, actor, 'users:create')
    const id = await insertUser(
      tx,
      { ...columns, email, emailNormalized, name, status, ...(passwordHash && { passwordHash }) },
      roles
    )
    if (!id) throw emailTaken()
    await record(tx, actor, 'user.create', {
      target: { type: 'user', id },
      details: { email, ...(roles.includes('admin') && { role: 'admin' }) }
    })
    return findUser(tx, id)
  })
}

/** Throws `exceeds-own-permissions` for an address or a status of somebody who has more, `email-taken`, `last-admin`, `precondition-failed`. */
export async function updateUser(
  db: Db,
  actor: Actor,
  {
    id,
    changes: { status, ...changes },
    expected
  }: { id: string; changes: UserChanges; expected?: Expected }
) {
  const columns = await cleanChanges(changes)
  return transaction(db, async (tx) => {
    const { target, requireAuthority } = await actOn(tx, actor, 'users:update', id)
    requireRevision(userRevision(target), expected)
    const newStatus = status !== undefined && status !== target.status ? status : undefined
    if (newStatus || (columns.email !== undefined && columns.email !== target.email)) {
      requireAuthority()
    }

    const changed = await writeChanges(tx, actor, id, columns)
    if (newStatus === 'deactivated') await deactivate(tx, actor, target)
    if (newStatus === 'active') await reactivate(tx, actor, target)
    if (changed || newStatus) await bump(tx, userScope(id))
    return findUser(tx, id)
  })
}

/** What a user may change about themselves, with these permissions. */
const ownSettings = {
  name: 'name:update',
  theme: 'theme:update',
  profile: 'profile:update'
} as const satisfies Partial<Record<keyof UserChanges, SystemPermission>>

type OwnSetting = keyof typeof ownSettings

/** Changes one's own settings. Throws `permission-denied`, and a refusal that names a field. */
export async function updateOwnUser(
  db: Db,
  actor: SignedInActor,
  changes: Pick<UserChanges, OwnSetting>
) {
  const columns = await cleanChanges(changes, '')
  return transaction(db, async (tx) => {
    await lockUser(tx, actor.id)
    for (const setting of Object.keys(changes) as OwnSetting[]) {
      await requirePermission(tx, actor, ownSettings[setting])
    }
    if (await writeChanges(tx, actor, actor.id, columns)) await bump(tx, userScope(actor.id))
    return findUser(tx, actor.id)
  })
}

/** Ends the account and everything of it but the records of what it did. Throws `last-admin`. */
export async function deleteUser(
  db: Db,
  actor: Actor,
  { id, expected }: { id: string; expected?: Expected }
) {
  await transaction(db, async (tx) => {
    const { target, requireAuthority } = await actOn(tx, actor, 'users:delete', id)
    requireRevision(userRevision(target), expected)
    requireAuthority()
    await removeUser(tx, actor, target)
  })
}

/** @param user whom lockUser locked */
export async function removeUser(tx: Db, actor: Actor, user: LockedUser) {
  await requireOtherAdmin(tx, user)
  await tx.delete(users).where(eq(users.id, user.id))
  await record(tx, actor, 'user.delete', {
    target: { type: 'user', id: user.id },
    details: { email: user.email }
  })
  await bump(tx, userScope(user.id))
}

/** @param profileAt where in the request the profile is: refusals point there */
async function cleanChanges(
  { email, name, theme, profile: changes }: Omit<UserChanges, 'status'>,
  profileAt = '/profile'
): Promise<Columns> {
  const [emailNormalized, cleanedName, cleanedProfile] = await checkAll(
    () => (email === undefined ? undefined : requireEmail(email)),
    () => (name === undefined ? undefined : cleanName(name)),
    () => changes && cleanProfile(changes, profileAt)
  )
  return {
    ...(email !== undefined && { email, emailNormalized }),
    ...(name !== undefined && { name: cleanedName }),
    ...(theme !== undefined && { theme }),
    ...cleanedProfile
  }
}

/** Writes and records what differs; false when nothing does. The user is locked, and the caller bumps their scope. Throws `email-taken`. */
export async function writeChanges(
  tx: Db,
  actor: Actor,
  id: string,
  columns: Columns
): Promise<boolean> {
  const [before] = await tx.select(changeable).from(users).where(eq(users.id, id))
  const changed = (Object.keys(columns) as (keyof Columns)[]).filter(
    (column) => columns[column] !== before?.[column]
  )
  if (!before || changed.length === 0) return false
  await tx
    .update(users)
    .set({ ...columns, ...nextVersion })
    .where(eq(users.id, id))
    .catch((error: unknown) => {
      throw databaseCode(error) === '23505' ? emailTaken() : error
    })
  await record(tx, actor, 'user.update', {
    target: { type: 'user', id },
    details: {
      fields: changed.filter((column) => column !== 'emailNormalized'),
      ...(changed.includes('email') &&
        columns.email && { before: { email: before.email }, after: { email: columns.email } })
    }
  })
  return true
}

const setStatus = (tx: Db, id: string, status: UserRow['status']) =>
  tx
    .update(users)
    .set({ status, ...nextVersion })
    .where(eq(users.id, id))

async function reactivate(tx: Db, actor: Actor, user: LockedUser) {
  await setStatus(tx, user.id, 'active')
  await record(tx, actor, 'user.reactivate', { target: { type: 'user', id: user.id } })
}

async function deactivate(tx: Db, actor: Actor, user: LockedUser) {
  await requireOtherAdmin(tx, user)
  await setStatus(tx, user.id, 'deactivated')
  const ended = await revoke(tx, 'deactivated', eq(sessions.userId, user.id))
  await record(tx, actor, 'user.deactivate', {
    target: { type: 'user', id: user.id },
    details: { revoked: ended.length }
  })
}
