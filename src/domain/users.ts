import { eq, inArray, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../db/client.ts'
import { roles, userRoles } from '../../db/schema/roles.ts'
import { users } from '../../db/schema/users.ts'
import { transaction } from '../../db/transaction.ts'
import { asUser, record } from './activity.ts'
import type { Actor } from './activity.ts'
import { requireEmail } from './emails.ts'
import { emailTaken } from './errors.ts'
import type { Passwords } from './passwords.ts'
import type { SystemRole } from './permissions.ts'
import { cleanName } from './texts.ts'

/** The user as the signed-in person sees them: the columns of a select from `users`. */
export const currentUser = {
  id: users.id,
  email: users.email,
  name: users.name,
  theme: users.theme,
  status: users.status,
  // Plain SQL: in a select from one table Drizzle drops the table names of columns, and "id" would be anybody's.
  roles: sql<string[]>`array(
    select r.key from user_roles ur join roles r on r.id = ur.role_id
    where ur.user_id = users.id order by 1)`,
  permissions: sql<string[]>`array(
    select distinct rp.permission_key from user_roles ur join role_permissions rp on rp.role_id = ur.role_id
    where ur.user_id = users.id order by 1)`,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt
}

interface NewUser { email: string, emailNormalized: string, name: string, passwordHash: string }

/**
 * Makes an account with the role `user` and nobody signed in. Throws `email-taken`, and refusals that name a field.
 * The hash is computed before the address is looked at: a taken one costs the same time.
 */
export async function registerUser (db: Db, passwords: Passwords, actor: Actor, input: { email: string, password: string, name: string }) {
  const emailNormalized = requireEmail(input.email)
  const name = cleanName(input.name)
  passwords.check(input.password, 'password')
  const passwordHash = await passwords.hash(input.password)

  const user = await transaction(db, async (tx) => {
    const made = await insertUser(tx, { email: input.email, emailNormalized, name, passwordHash }, ['user'])
    if (made) await record(tx, asUser(actor, made), 'auth.register', { target: { type: 'user', id: made.id } })
    else await record(tx, actor, 'auth.register', { outcome: 'failure', reason: 'email-taken', details: { email: input.email } })
    return made
  })
  if (!user) throw emailTaken()
  return user
}

/** The new user, or undefined when the address is taken: the unique index decides, so that of many at once one wins. */
export async function insertUser (tx: Db, user: NewUser, roleKeys: SystemRole[]) {
  const [made] = await tx.insert(users).values({ id: uuid(), ...user }).onConflictDoNothing().returning({ id: users.id })
  if (!made) return undefined
  const granted = await tx.select({ id: roles.id }).from(roles).where(inArray(roles.key, roleKeys))
  await tx.insert(userRoles).values(granted.map((role) => ({ userId: made.id, roleId: role.id })))
  return findCurrentUser(tx, made.id)
}

export async function findCurrentUser (db: Db, id: string) {
  const [user] = await db.select(currentUser).from(users).where(eq(users.id, id))
  return user
}
