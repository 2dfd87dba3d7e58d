import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Database } from '../../../db/client.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { anonymous, password, servicesOf } from '../../support/app.ts'
import { signIn } from '../../support/sign-in.ts'
import { rules } from '../../support/test-config.ts'

/** Services without mail, and logins with the sessions that they start. */
export function loginsOn(database: Database) {
  const { db } = database
  const context = servicesOf(database)
  const login = (email: string, changes = {}) =>
    signIn({ ...context, sessionRules: { ...rules, ...changes } }, anonymous, {
      email,
      password,
      presented: []
    })
  /** The sessions of a user that are not revoked, the latest first. */
  const live = (userId: string) =>
    db
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt)))
      .orderBy(desc(sessions.id))
  return { services: context, login, live }
}
