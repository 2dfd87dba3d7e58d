import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../../db/client.ts'
import { registrations, tokens } from '../../../db/schema/tokens.ts'
import { users } from '../../../db/schema/users.ts'
import { readTime } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import { revertEmail } from '../../../src/domain/accounts/recovery-links.ts'
import { recoverAccount } from '../../../src/domain/accounts/recovery.ts'
import { createRevert } from '../../../src/domain/mail/links.ts'
import { confirmAddress } from '../../../src/domain/sign-in/confirmation.ts'
import { createLinkToken } from '../../../src/domain/tokens/tokens.ts'
import type { LinkPurpose, LinkTokenOwner } from '../../../src/domain/tokens/tokens.ts'
import { anonymous, password, passwords, servicesOf } from '../../support/app.ts'
import { sealing } from '../outbox/parts.ts'

export const newPassword = 'a better horse battery'

/** Services that send mail, and the links in it: they are made, used and looked up. */
export function linksOn(database: Database) {
  const { db } = database
  const services = {
    ...servicesOf(database),
    mail: { sealing, delivers: true, verification: 'optional' as const, signInNotices: true }
  }

  async function aToken(purpose: LinkPurpose, owner: LinkTokenOwner, email: string) {
    const made = await transaction(db, (tx) =>
      createLinkToken(tx, { purpose, owner, email, expiresIn: 3600 })
    )
    if (!made) throw new Error('the owner is gone')
    return made.token
  }
  const ofUser = (purpose: LinkPurpose, { id, email }: { id: string; email: string }) =>
    aToken(purpose, { userId: id }, email)
  /** A link that restores an address, as if it had just been changed. */
  const revertLink = async ({ id, email }: { id: string; email: string }) => {
    const user = { id, email, emailNormalized: email.toLowerCase() }
    const since = await readTime(db)
    return (await createRevert(db, { purpose: 'email-revert', user, since })).token
  }

  /** A registration that waits for its address to be confirmed, with the token of its link. */
  async function aRegistration(email: string, secret = password) {
    const id = randomUUID()
    await db.insert(registrations).values({
      id,
      email,
      emailNormalized: email,
      name: 'Ada',
      passwordHash: await passwords.hash(secret),
      expiresAt: sql`now() + interval '1 hour'`
    })
    return { id, token: await aToken('confirm', { registrationId: id }, email) }
  }

  const confirm = (token: string, secret = password) =>
    confirmAddress(services, anonymous, { token, password: secret, presented: [] })
  const recover = (token: string) => recoverAccount(services, anonymous, { token, newPassword })
  const revert = (token: string) => revertEmail(services, anonymous, { token, newPassword })

  const stateOf = async (id: string) =>
    (
      await db
        .select({ email: users.email, verifiedAt: users.emailVerifiedAt })
        .from(users)
        .where(eq(users.id, id))
    )[0]
  const purposesOf = async (id: string) =>
    (await db.select({ purpose: tokens.purpose }).from(tokens).where(eq(tokens.userId, id)))
      .map(({ purpose }) => purpose)
      .toSorted()

  return {
    services,
    aToken,
    ofUser,
    revertLink,
    aRegistration,
    confirm,
    recover,
    revert,
    stateOf,
    purposesOf
  }
}
