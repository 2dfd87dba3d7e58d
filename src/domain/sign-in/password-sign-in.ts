import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { record, recordFailure } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { byPassword } from '../factors/recent-authentication.ts'
import { sendLink } from '../mail/links.ts'
import type { Recipient } from '../outbox/enqueue.ts'
import { refuseManaged } from '../providers/provider.ts'
import type { SessionToken } from '../sessions/sessions.ts'
import { isIncapable, throttled } from '../throttling/admission.ts'
import { isOf } from '../throttling/devices.ts'
import { charge, giveBack, giveBackAfterError } from '../throttling/throttles.ts'
import type { Charge } from '../throttling/throttles.ts'
import { requireEmail } from '../users/emails.ts'
import { isPresent, plannedDeletion, recipient } from '../users/users.ts'
import type { Context } from './context.ts'
import { refusePending } from './restoration.ts'
import { startSession } from './start-session.ts'

interface SignInInput {
  email: string
  password: string
  /** The device cookie of an earlier login in this browser. */
  device?: string | undefined
  /** The verified session tokens of the request. The login replaces their sessions. */
  presented: SessionToken[]
  /** Whether to restore an account whose deletion is planned. */
  restore?: boolean | undefined
}

/**
 * Starts a session, or a pending login when a second factor is needed. Returns the session with its
 * user, its secret and the content of the device cookie. Throws the same `invalid-credentials`
 * after the same work for an unknown e-mail address, a wrong password and a deactivated user;
 * `rate-limited`, for unknown addresses as well; `email-unverified` and `deletion-pending`, only
 * with the right password;
 * `provider-required`, for every address of a domain; and `overloaded`.
 */
export async function signIn(context: Context, actor: Actor, input: SignInInput) {
  const { db, passwords, buckets, attempts, devices } = context
  const { arrived } = actor
  const emailNormalized = requireEmail(input.email)
  refuseManaged(context.providers, emailNormalized)
  const find = () => findAccount(db, emailNormalized)
  // Under load most attempts are rejected, which must be cheap.
  const claim = devices.read(input.device)
  if (!claim) passwords.assertRoom()
  const claimed = claim && (await attempts.lookUpInTurn(Buffer.from(claim.id), find))
  const known =
    claim && claimed && isOf(claim, claimed) ? { device: claim.nonce, account: claimed } : undefined
  if (!known) passwords.assertRoom()
  const counted = {
    wanted: buckets.login(emailNormalized, actor.ip, known?.device),
    known: known && buckets.known(known.account.id, actor.ip),
    findUser: async () => (await find())?.id,
    arrived
  }
  return throttled(context, counted, async (paid, requireTime) => {
    // Does not reuse `claimed`, so that unknown and known addresses take the same number of reads.
    const account = known ? known.account : await find()
    const present = account !== undefined && isPresent(account)
    const matches = await passwords.verify(
      input.password,
      present ? account.passwordHash : undefined,
      known ? 'known' : 'others'
    )
    if (!account) throw await refuse(db, actor, account, 'unknown-account')
    if (!present) throw await refuse(db, actor, account, 'deactivated')
    if (!matches) throw await refuse(db, actor, account, 'wrong-password')

    requireTime()
    const deleteAt = plannedDeletion(account)
    if (deleteAt && !input.restore) {
      throw await refusePending(context, actor, { account, deleteAt, paid })
    }
    if (context.mail?.verification === 'required' && !account.emailVerifiedAt) {
      throw await refuseUnverified(context, actor, { account, paid })
    }
    const started = await transaction(db, (tx) =>
      startSession(tx, context, asUser(actor, account), {
        account,
        proof: byPassword,
        presented: input.presented,
        charge: paid,
        rpId: context.passkeys?.rpId,
        restores: input.restore,
        onNewDevice: known ? undefined : { method: 'password' }
      })
    )
    if (!started) throw await refuse(db, actor, account, 'changed-meanwhile')
    await refreshHash(context, account, input.password, requireTime)
    return started.session ? { ...started, device: devices.issue(account, known?.device) } : started
  })
}

type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

async function findAccount(db: Db, emailNormalized: string) {
  const [account] = await db
    .select({
      ...recipient,
      emailNormalized: users.emailNormalized,
      status: users.status,
      deleteAt: users.deleteAt,
      passwordHash: users.passwordHash,
      credentialVersion: users.credentialVersion
    })
    .from(users)
    .where(eq(users.emailNormalized, emailNormalized))
  return account
}

/**
 * Records the failure and returns the refusal. Only addresses of existing accounts are recorded.
 */
async function refuse(db: Db, actor: Actor, account: Account | undefined, reason: string) {
  const details = { email: account?.email }
  await recordFailure(db, actor, 'auth.login', { reason, userId: account?.id, details })
  return new DomainError('invalid-credentials')
}

/** `provider`: the key of the one with which they sign in, and need no password. */
type Unconfirmed = Recipient & { emailNormalized: string; provider?: string }

/**
 * Sends the link to confirm the address, unless too much mail was sent there, and returns the
 * refusal. Only a right password or passkey leads here, so nobody else learns that there is an
 * account.
 */
export async function refuseUnverified(
  { db, buckets, mail }: Context,
  actor: Actor,
  { account, paid }: { account: Unconfirmed; paid: Charge }
) {
  const mailing = await charge(db, buckets.mail(actor, 'confirmation', account.emailNormalized))
  const refused = transaction(db, async (tx) => {
    if (mail && mailing) await sendLink(tx, mail, 'confirm', account)
    await record(tx, actor, 'auth.login', {
      outcome: 'failure',
      reason: 'email-unverified',
      userId: account.id,
      details: { email: account.email }
    })
    await giveBack(tx, paid, 'success')
  })
  await refused.catch(async (error: unknown) => {
    if (mailing) await giveBackAfterError(db, mailing, 'refused')
    throw error
  })
  return new DomainError('email-unverified')
}

/**
 * Replaces a hash of an older cost or form, which is only possible while the password is known. The
 * session exists by now, so under overload the next login renews it.
 */
async function refreshHash(
  { db, passwords }: Pick<Context, 'db' | 'passwords'>,
  { id, passwordHash }: Account,
  password: string,
  requireTime: () => void
) {
  if (!passwordHash || !passwords.isOutdated(password, passwordHash)) return
  try {
    requireTime()
    const renewed = await passwords.hash(password)
    requireTime()
    await transaction(db, (tx) =>
      tx
        .update(users)
        .set({ passwordHash: renewed })
        .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash)))
    )
  } catch (error) {
    if (!isIncapable(error)) throw error
  }
}
