import { eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/engine.ts'
import { providerAccounts } from '../../../db/schema/provider-accounts.ts'
import { authenticatedAt, sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { isSessionOf } from '../actor.ts'
import type { SignedInActor } from '../actor.ts'
import { randomText } from '../crypto.ts'
import { DomainError } from '../errors.ts'
import {
  byCode,
  byPassword,
  isOneFactorProof,
  joinAmr,
  refuseUnproved
} from '../factors/recent-authentication.ts'
import type { Proof } from '../factors/recent-authentication.ts'
import { spendCode } from '../factors/totp.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { isStoredOfDomains } from '../providers/identity.ts'
import { hashSecret, presentSession, shownSession } from '../sessions/sessions.ts'
import type { SessionRules } from '../sessions/sessions.ts'
import { throttled } from '../throttling/admission.ts'
import { giveBack } from '../throttling/throttles.ts'
import type { Context } from './context.ts'
import { changeOwnUser, confirmOwnUser, findOwnUser } from './own-account.ts'
import { requireProvided } from './session-provider.ts'
import { reportWrongCode } from './second-step.ts'

/**
 * Authenticates again with the password, where `isOneFactorProof` accepts it. Returns the session
 * and its new secret. Throws `wrong-password`, `rate-limited`, `overloaded`, `provider-required`
 * and `reauthentication-required`.
 */
export async function provePassword(context: Context, actor: SignedInActor, password: string) {
  const { db, sessionRules } = context
  const account = await findOwnUser(db, actor)
  // Before the comparison, whose result would reveal whether the password is right.
  if (!(await isOneFactorProof(db, actor, account))) {
    throw await refuseUnproved(db, account.id, { least: 2 })
  }
  const confirmation = { password, action: 'auth.reauthenticate' } as const
  return confirmOwnUser(context, actor, confirmation, ({ charge, lock }) =>
    transaction(db, async (tx) => {
      await lock(tx)
      await giveBack(tx, charge, 'success')
      return raiseSession(tx, sessionRules, actor, byPassword)
    })
  )
}

/**
 * Authenticates again with a code. Returns the session and its new secret. Throws
 * `wrong-code`, `rate-limited` and `second-factor-unreadable`.
 * @param device the device cookie of an earlier login in this browser
 */
export async function proveCode(
  context: Context,
  actor: SignedInActor,
  { code, device }: { code: string; device: string | undefined }
) {
  const { db, buckets, devices, mail, sealing, sessionRules } = context
  const { arrived } = actor
  const account = await findOwnUser(db, actor)
  // Where the password is enough to sign in, a thief who knows it gets any number of devices.
  const nonce = account.secondFactor ? devices.nonceFor(account, device) : undefined
  const counted = {
    wanted: buckets.secondFactor(account.id, nonce),
    known: buckets.known(account.id, actor.ip),
    findUser: async () => account.id,
    arrived
  }
  return throttled(context, counted, async (charge) => {
    const result = await changeOwnUser(context, actor, async (tx, user) => {
      if (await spendCode(tx, sealing, user.id, code)) {
        await giveBack(tx, charge, 'success')
        return raiseSession(tx, sessionRules, actor, byCode)
      }
      await reportWrongCode(tx, mail, actor, user, charge)
      return undefined
    })
    if (!result) throw new DomainError('wrong-code')
    return result
  })
}

/**
 * Stores in the session what was proved, and gives it a new secret. A user who must sign in with a
 * provider raises no session that began without it or with an account of another domain, except by
 * the provider itself. Call it with the user's row locked. Throws `unauthenticated` and
 * `provider-required`.
 */
export async function raiseSession(
  tx: Db,
  rules: SessionRules,
  actor: SignedInActor,
  { amr, assurance, at }: Proof
) {
  const [present] = await tx
    .select({
      amr: sessions.amr,
      assurance: sessions.assurance,
      provider: providerAccounts.provider,
      email: providerAccounts.email,
      speaksForEmail: providerAccounts.speaksForEmail,
      emailNormalized: users.emailNormalized,
      emailVerifiedAt: users.emailVerifiedAt
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(providerAccounts, eq(providerAccounts.id, sessions.providerAccountId))
    .where(isSessionOf(actor))
  if (!present) throw new DomainError('unauthenticated')
  if (!amr.includes('fed')) {
    const { provider, email, speaksForEmail } = present
    const provided = provider !== null && {
      key: provider,
      isOfDomains: isStoredOfDomains(rules.providers, { provider, email, speaksForEmail })
    }
    requireProvided(rules.providers, present, provided || undefined)
  }
  const { session, secret } = await renewSecret(tx, actor, {
    reauthenticatedAt: at
      ? sql`greatest(${authenticatedAt}, least(now(), ${sql.param(at, sessions.createdAt)}))`
      : sql`now()`,
    amr: joinAmr(present.amr.split(' '), amr).join(' '),
    assurance: present.assurance === 2 ? 2 : assurance
  })
  await record(tx, actor, 'auth.reauthenticate', {
    target: { type: 'session', id: session.id },
    details: { amr: [...amr] }
  })
  await bumpUsers(tx, actor.id)
  return { session: shownSession(session, rules), secret }
}

/**
 * Gives the session of the actor a new secret: copies of the old token become invalid (OWASP ASVS
 * 7.2.4), and cannot do the same. Throws `unauthenticated`.
 */
export async function renewSecret(
  tx: Db,
  actor: SignedInActor,
  columns: PgUpdateSetSource<typeof sessions> = {}
) {
  const secret = randomText()
  const [session] = await tx
    .update(sessions)
    .set({
      ...columns,
      tokenHash: hashSecret(secret),
      previousTokenHash: sessions.tokenHash,
      secretReplacedAt: sql`now()`
    })
    .where(isSessionOf(actor))
    .returning(presentSession)
  if (!session) throw new DomainError('unauthenticated')
  return { session, secret }
}
