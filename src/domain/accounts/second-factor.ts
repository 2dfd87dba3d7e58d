import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { passkeys } from '../../../db/schema/passkeys.ts'
import { totp } from '../../../db/schema/second-factors.ts'
import { users } from '../../../db/schema/users.ts'
import { record } from '../activity/record.ts'
import type { SignedInActor } from '../actor.ts'
import { unauthenticated } from '../errors.ts'
import { findRequiringRoles } from '../factors/enrolment.ts'
import { noSecondFactor, secondFactorRequired } from '../factors/errors.ts'
import { factorsOf } from '../factors/methods.ts'
import { requireRecentAuthentication } from '../factors/recent-authentication.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from '../factors/recovery-codes.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { notify, factsOf } from '../mail/notices.ts'
import { deleteLinkTokens } from '../tokens/tokens.ts'
import type { LockedUser } from '../users/lock.ts'
import { nextCredentials, writeUser } from '../users/users.ts'
import { changeSelf } from '../sign-in/confirmed-identity.ts'
import type { Services } from '../sign-in/services.ts'

/** How a user signs in. */
export async function findSecurity(db: Db, { id }: Pick<SignedInActor, 'id'>) {
  const [found] = await db
    .select({
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
      emailVerified: sql<boolean>`${users.emailVerifiedAt} is not null`,
      secondFactor: users.secondFactor,
      since: totp.confirmedAt
    })
    .from(users)
    .leftJoin(totp, eq(totp.userId, users.id))
    .where(eq(users.id, id))
  if (!found) throw unauthenticated()
  const { since, ...own } = found
  return {
    ...own,
    totp: since && { since },
    passkeys: await db.$count(passkeys, eq(passkeys.userId, id)),
    recoveryCodesLeft: await countRecoveryCodes(db, id),
    requiredByRoles: await findRequiringRoles(db, id)
  }
}

/**
 * Requires a second factor for signing in with the password. Known devices become unknown: a thief
 * who knows the password may have registered some, and could use up their shared limit. Links
 * to change the address end, because the password alone may have been enough to ask for them.
 * Returns the account for a new device cookie, or undefined when it was required before. Call it
 * with the user locked.
 */
export async function requireSecondFactor(tx: Db, user: LockedUser) {
  if (user.secondFactor) return undefined
  await deleteLinkTokens(tx, ['email-change'], { userId: user.id })
  await writeUser(tx, user.id, { secondFactor: true, ...nextCredentials })
  return { id: user.id, credentialVersion: user.credentialVersion + 1 }
}

/**
 * Sets whether signing in with the password requires a second factor. Returns the content of a new
 * device cookie when it does from now on. Throws `reauthentication-required`, `no-second-factor`
 * and `second-factor-required`.
 */
export async function setSecondFactor(
  services: Services,
  actor: SignedInActor,
  { required }: { required: boolean }
) {
  const { devices, mail, passkeys: rules } = services
  return changeSelf(services, actor, async (tx, user) => {
    if (user.secondFactor === required) return undefined
    await requireRecentAuthentication(tx, actor, user)
    const usable = await factorsOf(tx, user.id, { rpId: rules?.rpId })
    if (required && usable.length === 0) throw noSecondFactor()
    if (!required && (await findRequiringRoles(tx, user.id)).length > 0) {
      throw secondFactorRequired()
    }
    const account = required ? await requireSecondFactor(tx, user) : undefined
    if (!required) await writeUser(tx, user.id, { secondFactor: false })
    await record(tx, actor, 'user.second-factor', { userId: user.id, details: { required } })
    const kind = required ? 'second-factor-required' : 'second-factor-removed'
    await notify(tx, mail, user, { kind, ...factsOf(actor) })
    await bumpUsers(tx, user.id)
    return account && devices.issue(account)
  })
}

/**
 * Replaces the recovery codes, and returns the new ones. Throws `no-second-factor` and
 * `reauthentication-required`.
 */
export const renewRecoveryCodes = (services: Services, actor: SignedInActor) =>
  changeSelf(services, actor, async (tx, user) => {
    if ((await factorsOf(tx, user.id)).length === 0) throw noSecondFactor()
    await requireRecentAuthentication(tx, actor, user, 2)
    await record(tx, actor, 'user.recovery-codes', { userId: user.id })
    await notify(tx, services.mail, user, { kind: 'recovery-codes-renewed', ...factsOf(actor) })
    return replaceRecoveryCodes(tx, user.id)
  })
