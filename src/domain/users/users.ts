import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/engine.ts'
import { databaseCode } from '../../../db/errors.ts'
import { uuidForm } from '../../../db/schema/columns.ts'
import { roles, userRoles } from '../../../db/schema/roles.ts'
import type { Assurance } from '../../../db/schema/sessions.ts'
import { profileFieldNames, users } from '../../../db/schema/users.ts'
import type { ProfileField, UserRow } from '../../../db/schema/users.ts'
import { idAt } from '../crypto.ts'
import { DomainError } from '../errors.ts'
import type { SystemRole } from '../permissions.ts'
import { findReserved, normalizeEmail } from './emails.ts'

// Raw SQL: Drizzle omits table names in single-table selects, so `id` would be ambiguous.
// JSON: postgres.js cannot parse arrays with `fetch_types: false`.
/**
 * The keys of the roles `r` that meet a condition, and of their permissions, by the rows `held` of
 * a table that says who has which role.
 */
export function keysHeld(table: SQL, isOwn: SQL) {
  const held = sql`from ${table} held join roles r on r.id = held.role_id`
  return {
    roles: (condition: SQL) =>
      sql<
        string[]
      >`to_json(array(select r.key ${held} where ${isOwn} and ${condition} order by 1))`,
    permissions: (condition: SQL) => sql<string[]>`to_json(array(
      select distinct rp.permission_key ${held}
        join role_permissions rp on rp.role_id = held.role_id
      where ${isOwn} and ${condition} order by 1))`
  }
}

const everywhere = keysHeld(sql`user_roles`, sql`held.user_id = users.id`)

/** The keys of all roles of a user. */
export const roleKeys = everywhere.roles(sql`true`)

function rightsOf({ roles, permissions }: ReturnType<typeof keysHeld>, assurance: SQL) {
  const counts = sql`(not r.requires_second_factor or ${assurance} = 2)`
  return {
    roles: roles(counts),
    suspendedRoles: roles(sql`not ${counts}`),
    permissions: permissions(counts)
  }
}

const user = {
  id: users.id,
  email: users.email,
  emailVerified: sql<boolean>`(users.email_verified_at is not null)`,
  name: users.name,
  theme: users.theme,
  status: users.status,
  roles: roleKeys,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt
}

/** The columns of a user with all roles, whatever a session proves, for a select from `users`. */
const currentUser = { ...user, permissions: everywhere.permissions(sql`true`) }

/**
 * The columns of a user in a session: a role that requires a second factor counts only if the
 * assurance is 2.
 * @param assurance of the session, as SQL
 */
export function currentUserIn(assurance: SQL) {
  return { ...currentUser, ...rightsOf(everywhere, assurance) }
}

/** The rights that a user has in one scope, besides those everywhere. */
export interface ScopedRights {
  roles: string[]
  suspendedRoles: string[]
  permissions: string[]
}

/** The columns of `ScopedRights`, by the rule of `currentUserIn`. */
export function scopedRightsOf(userId: SQL, scope: SQL, assurance: SQL) {
  const isOwn = sql`held.user_id = ${userId} and held.scope = ${scope}`
  return rightsOf(keysHeld(sql`scoped_roles`, isOwn), assurance)
}

const rolesAnywhere = sql`(select ur.role_id from user_roles ur where ur.user_id = users.id
  union all select sr.role_id from scoped_roles sr where sr.user_id = users.id)`

/** With those of all scopes: who can sign in as the user has them. */
const permissionsAnywhere = sql<string[]>`to_json(array(
  select distinct rp.permission_key from role_permissions rp
  where rp.role_id in ${rolesAnywhere} order by 1))`

/** The roles everywhere and in all scopes that do not count, by the rule of `currentUserIn`. */
export const suspendedAnywhere = (assurance: SQL) => sql<string[]>`to_json(array(
  select r.key from roles r where r.requires_second_factor and ${assurance} <> 2
    and r.id in ${rolesAnywhere} order by 1))`

/** Whether somebody with these rights has a role in the scope, even one that does not count now. */
export const isMember = ({ roles, suspendedRoles }: ScopedRights) =>
  roles.length + suspendedRoles.length > 0

/** Whether the user has an authenticator app or a passkey. */
const hasFactor = sql`(exists (select from totp where totp.user_id = users.id)
  or exists (select from passkeys where passkeys.user_id = users.id))`

/**
 * `currentUserIn` for an API key. A factor role counts only while the user has a factor, whatever
 * is stored: sessions end when a factor is removed, and keys live for up to a year.
 * @param assurance of the key, as SQL
 */
export const currentUserForKey = (assurance: SQL) => currentUserIn(assuranceOfKey(assurance))

/** The assurance that counts for a key, for a select from `users`. */
export const assuranceOfKey = (assurance: SQL) =>
  sql<Assurance>`(case when ${assurance} = 2 and ${hasFactor} then 2 else 1 end)`

export const profile = Object.fromEntries(
  profileFieldNames.map((field) => [field, users[field]])
) as Pick<typeof users, ProfileField>

/** The columns of a user as shown to administrators. */
export const anyUser = {
  ...user,
  profile,
  secondFactor: users.secondFactor,
  lastLoginAt: users.lastLoginAt,
  deleteAt: users.deleteAt,
  version: users.version
}

/**
 * The number of roles is part of the revision, because deleting a role does not change the versions
 * of its members, of which there may be a million.
 */
export const userRevision = (user: { version: number; roles: string[] }) =>
  `${user.version}.${user.roles.length}`

/** The columns of a user that a mail to them needs. */
export const recipient = {
  id: users.id,
  email: users.email,
  emailVerifiedAt: users.emailVerifiedAt,
  name: users.name,
  locale: users.locale,
  timeZone: users.timeZone
}

/** For a change that invalidates the known devices, and every sign-in that is under way. */
export const nextCredentials = { credentialVersion: sql`${users.credentialVersion} + 1` }

/**
 * Writes columns of a user, who gets a new version. Call it without columns when the roles of the
 * user change. Throws `email-taken`.
 */
export async function writeUser(tx: Db, id: string, columns: PgUpdateSetSource<typeof users> = {}) {
  await tx
    .update(users)
    .set({ ...columns, version: sql`${users.version} + 1`, updatedAt: sql`now()` })
    .where(eq(users.id, id))
    .catch((error: unknown) => {
      throw databaseCode(error) === '23505' ? new DomainError('email-taken') : error
    })
}

export async function findUser(db: Db, id: string) {
  const [user] = await db.select(anyUser).from(users).where(eq(users.id, id))
  if (!user) throw new DomainError('user-not-found')
  return { ...user, revision: userRevision(user) }
}

/** The id of a user named by id or e-mail address on the command line. Throws `user-not-found`. */
export async function findUserId(db: Db, who: string): Promise<string> {
  const isId = uuidForm.test(who)
  const [found] = await db
    .select({ id: users.id })
    .from(users)
    .where(isId ? eq(users.id, who) : eq(users.emailNormalized, normalizeEmail(who) ?? ''))
  if (!found) throw new DomainError('user-not-found')
  return found.id
}

/** A user as shown to themselves in a session of this assurance. */
export async function findCurrentUser(db: Db, id: string, assurance: Assurance = 1) {
  const columns = currentUserIn(sql`${assurance}::int`)
  const [user] = await db.select(columns).from(users).where(eq(users.id, id))
  return user
}

export type CurrentUser = NonNullable<Awaited<ReturnType<typeof findCurrentUser>>>

interface NewUser extends Partial<Omit<typeof users.$inferInsert, 'emailVerifiedAt'>> {
  /** By the database's clock. */
  emailVerifiedAt?: SQL
  email: string
  emailNormalized: string
  name: string
}

/**
 * Returns the id of the new user, or undefined when the address is registered, or kept for an
 * account that had it. The unique index decides, so that only one of several concurrent requests
 * succeeds.
 */
export async function insertUser(tx: Db, user: NewUser, roleKeys: SystemRole[]) {
  const at = new Date()
  const [made] = await tx
    .insert(users)
    .values({ ...user, id: idAt(at), createdAt: at, updatedAt: at })
    .onConflictDoNothing()
    .returning({ id: users.id })
  if (!made) return undefined
  // After the insertion, which waits for a change that frees the address.
  if ((await findReserved(tx, [user.emailNormalized])).size > 0) {
    await tx.delete(users).where(eq(users.id, made.id))
    return undefined
  }
  const granted = await tx
    .select({ id: roles.id })
    .from(roles)
    .where(inArray(roles.key, roleKeys))
    .orderBy(asc(roles.id))
  await tx.insert(userRoles).values(granted.map((role) => ({ userId: made.id, roleId: role.id })))
  return made.id
}

/**
 * Locks a user until the transaction ends, and returns the current state, or undefined when there
 * is no such user. The permissions are those of the roles everywhere and in all scopes. For an
 * administrator the role `admin` is locked as well, so that of two transactions that would remove
 * the last administrators, the second sees the change of the first.
 */
export async function lockUser(tx: Db, id: string) {
  const isId = eq(users.id, id)
  const [locked, [user]] = await Promise.all([
    tx.select({ id: users.id }).from(users).where(isId).for('no key update'),
    // A second statement, because after waiting for the lock the first one would see the old roles.
    tx
      .select({
        ...currentUser,
        permissions: permissionsAnywhere,
        ...profile,
        ...recipient,
        emailNormalized: users.emailNormalized,
        version: users.version,
        credentialVersion: users.credentialVersion,
        secondFactor: users.secondFactor,
        lastLoginAt: users.lastLoginAt,
        deleteAt: users.deleteAt
      })
      .from(users)
      .where(isId)
  ])
  if (locked.length === 0) return undefined
  if (user?.roles.includes('admin')) await lockAdmins(tx)
  return user
}

export async function lockByEmail(tx: Db, emailNormalized: string) {
  const isTheirs = eq(users.emailNormalized, emailNormalized)
  const [found] = await tx.select({ id: users.id }).from(users).where(isTheirs)
  const user = found && (await lockUser(tx, found.id))
  // The address may have been changed while this waited.
  return user?.emailNormalized === emailNormalized ? user : undefined
}

/**
 * Updates the row without changing it, instead of only locking it. A transaction on a snapshot
 * would not see the change of the other administrator after waiting for a lock, but it fails after
 * waiting for an update.
 */
const lockAdmins = (tx: Db) =>
  tx.update(roles).set({ version: roles.version }).where(eq(roles.key, 'admin'))

export type LockedUser = NonNullable<Awaited<ReturnType<typeof lockUser>>>

/**
 * When the account of a user who has planned to delete it is due. Null for everybody else: only the
 * user's own plan has a date, so nobody restores an account that an operator has deactivated.
 */
export const plannedDeletion = ({ status, deleteAt }: Pick<UserRow, 'status' | 'deleteAt'>) =>
  status === 'deactivated' ? deleteAt : null

/** Whether the user can sign in, or could after restoring the account. */
export const isPresent = (user: Pick<UserRow, 'status' | 'deleteAt'>) =>
  user.status === 'active' || plannedDeletion(user) !== null
