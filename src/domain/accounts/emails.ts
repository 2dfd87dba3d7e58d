import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { tokens } from '../../../db/schema/tokens.ts'
import { users } from '../../../db/schema/users.ts'
import { readTime } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { SignedInActor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { needsEnrolmentToken } from '../factors/enrolment.ts'
import { neededAssurance, requireRecentAuthentication } from '../factors/recent-authentication.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { noteConfirmed } from '../guard/confirmed-share.ts'
import { throttledWithProof } from '../guard/guard.ts'
import type { Presented } from '../guard/guard.ts'
import { createRevert, sendLink } from '../mail/links.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import { findRequired } from '../providers/provider.ts'
import type { Context } from '../sign-in/context.ts'
import { changeOwnUser, confirmOwnUser, findOwnUser } from '../sign-in/own-account.ts'
import { refuseDomain } from '../sign-in/registration.ts'
import { throttled } from '../throttling/admission.ts'
import { giveBack } from '../throttling/throttles.ts'
import { consumeLinkToken } from '../tokens/tokens.ts'
import { normalizeEmail, requireEmail } from '../users/emails.ts'
import { writeUser } from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'
import { writeChanges } from './profile-changes.ts'

/** The address of a user, and the one that they asked to use and have not confirmed yet. */
export async function findEmail(db: Db, { id }: SignedInActor) {
  const [user] = await db
    .select({
      id: users.id,
      email: users.email,
      emailNormalized: users.emailNormalized,
      verifiedAt: users.emailVerifiedAt
    })
    .from(users)
    .where(eq(users.id, id))
  if (!user) throw new DomainError('unauthenticated')
  const [change] = await findChanges(db, user)
  return { email: user.email, verified: user.verifiedAt !== null, pending: change?.email ?? null }
}

/**
 * The links to addresses that the user has asked to use and not confirmed, the newest first. Other
 * links of this purpose confirm the current address, also in another spelling.
 */
async function findChanges(
  db: Db,
  { id, emailNormalized }: Pick<LockedUser, 'id' | 'emailNormalized'>
) {
  const links = await db
    .select({ hash: tokens.hash, email: tokens.email })
    .from(tokens)
    .where(
      and(
        eq(tokens.userId, id),
        eq(tokens.purpose, 'email-change'),
        gt(tokens.expiresAt, sql`now()`)
      )
    )
    .orderBy(desc(tokens.createdAt))
  return links.filter(({ email }) => normalizeEmail(email ?? '') !== emailNormalized)
}

async function cancelChanges(tx: Db, actor: SignedInActor, user: LockedUser) {
  const changes = await findChanges(tx, user)
  if (changes.length === 0) return
  const hashes = changes.map(({ hash }) => hash)
  await tx.delete(tokens).where(inArray(tokens.hash, hashes))
  await record(tx, actor, 'user.email-change-cancel', { userId: user.id })
}

interface AddressChange extends Presented {
  email: string
  currentPassword?: string
}

/**
 * Changes the address of the actor. Where mail is sent, the change waits until it is confirmed from
 * the new address, and a registered address gets the same response. The current address cancels a
 * pending change. Throws `wrong-password`, `reauthentication-required`, `no-second-factor`,
 * `domain-refused`, `challenge-required`, `rate-limited`, a refusal that names `email`, and
 * without mail `email-taken`.
 */
export async function changeEmail(
  context: Context,
  actor: SignedInActor,
  { email, currentPassword, ...presented }: AddressChange
) {
  const { db, mail, buckets } = context
  const emailNormalized = requireEmail(email)
  const present = await findOwnUser(db, actor)
  requireOwnDomain(context, present, emailNormalized)
  const own = present.emailNormalized === emailNormalized
  if (!own) refuseDomain(context, emailNormalized)
  const confirmation = { password: currentPassword, action: 'user.update' } as const
  await confirmOwnUser(context, actor, confirmation, async (confirmed) => {
    const { charge, arrived, lock } = confirmed
    const work = () =>
      transaction(db, async (tx) => {
        const user = await lock(tx)
        requireOwnDomain(context, user, emailNormalized)
        await requireFactorFirst(tx, user)
        if (mail && emailNormalized !== user.emailNormalized) {
          await sendLink(tx, mail, 'email-change', user, email)
          await record(tx, actor, 'user.email-change-request', { userId: user.id })
        } else {
          await cancelChanges(tx, actor, user)
          const changed = await writeChanges(tx, actor, user, { email, emailNormalized })
          if (changed) await bumpUsers(tx, user.id)
        }
        await giveBack(tx, charge, 'success')
      })
    const asking = { ...presented, purpose: 'email-change', email: emailNormalized } as const
    if (mail && !own) return throttledWithProof(context, actor, asking, work)
    // Without mail the response reveals whether an account has the address, as in a registration.
    const wanted = mail ? buckets.ownMail(actor.ip, emailNormalized) : buckets.register(actor.ip)
    return throttled(context, { wanted, arrived, findUser: async () => actor.id }, work)
  })
  return findEmail(db, actor)
}

/**
 * Sends the link for the current address again. Throws `mail-off`, `email-verified`,
 * `challenge-required` and `rate-limited`.
 */
export async function requestVerification(
  context: Context,
  actor: SignedInActor,
  presented: Presented
) {
  const { db, mail } = context
  if (!mail) throw new DomainError('mail-off')
  const { email, verified } = await findEmail(db, actor)
  if (verified) throw new DomainError('email-verified')
  const asked = normalizeEmail(email) ?? ''
  const asking = { ...presented, purpose: 'confirmation', email: asked } as const
  await throttledWithProof(context, actor, asking, () =>
    changeOwnUser(context, actor, async (tx, user) => {
      if (user.emailVerifiedAt) throw new DomainError('email-verified')
      await sendLink(tx, mail, 'email-verify', user)
    })
  )
}

/**
 * The token for the first factor is sent to the address, so the address does not change before
 * there is a factor: a thief with the password would send the token to themselves.
 */
async function requireFactorFirst(tx: Db, user: LockedUser) {
  if (await needsEnrolmentToken(tx, user)) throw new DomainError('no-second-factor')
}

/**
 * Confirms the address that a link was sent to, and makes it the actor's when it is a new one. The
 * old address gets a link to revert that. If the account needs a second factor by now, the password
 * that the link was asked for with is not enough. A user without a language gets `locale`, the one
 * of the browser: until the address is confirmed, the browser may be a stranger's. Throws
 * `invalid-token`, also for links of other users, `no-second-factor`, `reauthentication-required`
 * and `email-taken`: the link stays valid after the last three.
 */
export async function confirmEmail(
  context: Pick<Context, 'buckets' | 'db' | 'mail' | 'providers' | 'sessionRules'>,
  actor: SignedInActor,
  { token, locale }: { token: string; locale?: string | undefined }
) {
  await changeOwnUser(context, actor, async (tx, user) => {
    const { email } = await consumeLinkToken(tx, 'email-change', token, user.id)
    const emailNormalized = normalizeEmail(email ?? '')
    if (email === null || emailNormalized === undefined) throw new DomainError('invalid-token')
    if (emailNormalized === user.emailNormalized) {
      await record(tx, actor, 'user.email-verify', { userId: user.id })
    } else {
      requireOwnDomain(context, user, emailNormalized)
      await requireFactorFirst(tx, user)
      if ((await neededAssurance(tx, user)) === 2) {
        await requireRecentAuthentication(tx, actor, user, 2)
      }
      await writeChanges(tx, actor, user, { email, emailNormalized })
      await reportChange(tx, context.mail, actor, user)
    }
    await writeUser(tx, user.id, {
      emailVerifiedAt: sql`now()`,
      ...(locale !== undefined && { locale: sql`coalesce(${users.locale}, ${locale})` })
    })
    await bumpUsers(tx, user.id)
    await noteConfirmed(tx, context.buckets, user.id)
  })
  return findEmail(context.db, actor)
}

/**
 * An organization that manages the addresses of a domain decides who has one. Throws
 * `managed-by-provider`.
 */
function requireOwnDomain(
  { providers }: Pick<Context, 'providers'>,
  user: Pick<LockedUser, 'emailNormalized'>,
  emailNormalized: string
) {
  if (emailNormalized === user.emailNormalized) return
  const isManaged = [user.emailNormalized, emailNormalized].some((each) =>
    findRequired(providers, each)
  )
  if (isManaged) throw new DomainError('managed-by-provider')
}

/** Notifies the old address, with a link to restore it. */
async function reportChange(tx: Db, mail: Context['mail'], actor: SignedInActor, user: LockedUser) {
  if (!user.emailVerifiedAt) return
  const since = await readTime(tx)
  await notify(tx, mail, user, {
    kind: 'email-changed',
    ...(await createRevert(tx, { purpose: 'email-revert', user, since })),
    ...factsOf(actor)
  })
}
