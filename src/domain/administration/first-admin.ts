import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { roles, userRoles } from '../../../db/schema/roles.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { job } from '../actor.ts'
import { randomText } from '../crypto.ts'
import { insertUser } from '../users/users.ts'
import type { Context } from '../sign-in/context.ts'

export const firstAdminEmail = 'admin@portal.localhost'

/**
 * Creates an administrator with a generated password if there is none, and returns the password.
 * Returns undefined if there is one. For development only: production has no default accounts
 * (OWASP ASVS 6.3.2).
 */
export async function createFirstAdmin({
  db,
  passwords
}: Pick<Context, 'db' | 'passwords'>): Promise<string | undefined> {
  if (await hasAdmin(db)) return undefined
  const password = randomText(15)
  const passwordHash = await passwords.hash(password)
  return transaction(db, async (tx) => {
    const admin = {
      email: firstAdminEmail,
      emailNormalized: firstAdminEmail,
      name: 'Administrator',
      passwordHash,
      emailVerifiedAt: sql`now()`
    }
    const id = await insertUser(tx, admin, ['user', 'admin'])
    if (!id) return undefined // created by another server that started at the same time
    await record(tx, job, 'admin.bootstrap', { userId: id, details: { email: firstAdminEmail } })
    return password
  })
}

async function hasAdmin(db: Db) {
  const found = await db
    .select({ id: userRoles.userId })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.roleId))
    .where(eq(roles.key, 'admin'))
    .limit(1)
  return found.length > 0
}
