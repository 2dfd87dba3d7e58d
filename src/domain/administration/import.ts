import { inArray } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { roles, userRoles } from '../../../db/schema/roles.ts'
import { users } from '../../../db/schema/users.ts'
import type { UserRow } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { recordAll } from '../activity/record.ts'
import type { CommandLine } from '../actor.ts'
import { invalidFields } from '../domain-error.ts'
import { HashRefusal, storedForm } from '../passwords/foreign-forms.ts'
import { requireEmail } from '../users/emails.ts'
import { cleanProfile } from '../users/profiles.ts'
import type { ProfileChanges } from '../users/profiles.ts'
import { findReserved } from '../users/reserved-emails.ts'
import { cleanName } from '../texts.ts'

/** A user in an import or export. */
interface TransferredUser {
  email: string
  name: string
  emailVerified?: boolean
  passwordHash?: string
  theme?: UserRow['theme']
  profile?: ProfileChanges
  status?: UserRow['status']
  roles?: string[]
  createdAt?: string
}

type NewUser = typeof users.$inferInsert & { roles: string[] }

/** What becomes of passwords. By default, a line whose hash is not accepted is rejected. */
export interface PasswordChoice {
  passwords?: boolean
  dropUnsafeHashes?: boolean
}

/** Converts a line into rows. Throws a refusal that names the invalid fields. */
export function prepareUser(
  { profile, roles = [], createdAt, emailVerified, passwordHash, ...user }: TransferredUser,
  knownRoles: ReadonlyMap<string, string>,
  choice: PasswordChoice = {}
): NewUser {
  const unknown = roles.findIndex((key) => !knownRoles.has(key))
  if (unknown >= 0) {
    throw invalidFields({
      pointer: `/roles/${unknown}`,
      code: 'unknown-role',
      message: 'There is no role with this key'
    })
  }
  const now = new Date()
  const at = createdAt === undefined ? now : new Date(createdAt)
  if (at > now) {
    throw invalidFields({
      pointer: '/createdAt',
      code: 'out-of-range',
      message: 'Must not be in the future'
    })
  }
  return {
    ...user,
    passwordHash:
      passwordHash === undefined ? null : acceptHash(() => storedForm(passwordHash), choice),
    ...(profile && cleanProfile(profile, '/profile')),
    id: uuid({ msecs: Math.max(0, at.getTime()) }), // an id has no times before 1970
    createdAt: at,
    name: cleanName(user.name),
    emailNormalized: requireEmail(user.email),
    ...(emailVerified && { emailVerifiedAt: now }),
    roles: [...new Set(['user', ...roles])]
  }
}

/** The hash, or undefined for a user who is imported without one. Throws a refusal. */
export function acceptHash(
  read: () => string,
  { passwords = true, dropUnsafeHashes = false }: PasswordChoice
): string | undefined {
  if (!passwords) return undefined
  try {
    return read()
  } catch (error) {
    if (!(error instanceof HashRefusal)) throw error
    const { code, message } = error
    if (dropUnsafeHashes && code === 'unsafe-hash') return undefined
    throw invalidFields({ pointer: '/passwordHash', code, message })
  }
}

export async function roleIds(db: Db): Promise<ReadonlyMap<string, string>> {
  return new Map(
    (await db.select({ key: roles.key, id: roles.id }).from(roles)).map(({ key, id }) => [key, id])
  )
}

/**
 * Stores the users whose e-mail address is free, in one transaction, and returns their number. New
 * users have no sessions, so no scope is bumped.
 */
export async function importUsers(
  db: Db,
  actor: CommandLine,
  { users: batch, knownRoles }: { users: NewUser[]; knownRoles: ReadonlyMap<string, string> }
): Promise<number> {
  if (batch.length === 0) return 0
  return transaction(db, async (tx) => {
    const inserted = await tx
      .insert(users)
      .values(batch.map(({ roles, ...user }) => user))
      .onConflictDoNothing()
      .returning({ id: users.id, email: users.emailNormalized })
    const emails = inserted.map(({ email }) => email)
    const reserved = await findReserved(tx, emails)
    const kept = inserted.filter(({ email }) => reserved.has(email)).map(({ id }) => id)
    if (kept.length > 0) await tx.delete(users).where(inArray(users.id, kept))
    const made = new Set(inserted.map(({ id }) => id))
    const created = batch.filter(({ id }) => made.has(id) && !kept.includes(id))
    if (created.length === 0) return 0
    await tx
      .insert(userRoles)
      .values(
        created.flatMap(({ id, roles }) =>
          roles.map((key) => ({ userId: id, roleId: knownRoles.get(key) ?? '' }))
        )
      )
    await recordAll(
      tx,
      actor,
      'user.create',
      created.map(({ id, email, roles }) => ({
        userId: id,
        details: { email, ...(roles.includes('admin') && { role: 'admin' }) }
      }))
    )
    return created.length
  })
}

/** The addresses among these that are registered, or kept for an account that had them. */
export async function takenEmails(db: Db, normalized: string[]): Promise<Set<string>> {
  if (normalized.length === 0) return new Set()
  const registered = await db
    .select({ email: users.emailNormalized })
    .from(users)
    .where(inArray(users.emailNormalized, normalized))
  const reserved = await findReserved(db, normalized)
  return new Set([...registered.map(({ email }) => email), ...reserved.keys()])
}
