import { eq, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import type { FactorMethod } from '../../../db/schema/second-factors.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import type { UserRow } from '../../../db/schema/users.ts'
import { ofSeconds } from '../../../db/time.ts'
import { together } from '../../../db/transaction.ts'
import { record, recordAll } from '../activity/record.ts'
import type { UserActor } from '../actor.ts'
import { randomText } from '../crypto.ts'
import { findMethods } from '../factors/enrolment.ts'
import { beginPendingLogin } from '../factors/pending-logins.ts'
import type { Proof } from '../factors/recent-authentication.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { watchSignIn } from '../mail/unfinished-sign-ins.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import type { MailService, Recipient, SignInMethod } from '../outbox/enqueue.ts'
import { countRecent } from '../outbox/list.ts'
import { revokePresented } from '../sessions/revocation.ts'
import { hashSecret, presentSession, revokeOverLimit, shownSession } from '../sessions/sessions.ts'
import type { SessionToken, ShownSession } from '../sessions/sessions.ts'
import { giveBack } from '../throttling/throttles.ts'
import type { Charge } from '../throttling/throttles.ts'
import { findCurrentUser, plannedDeletion, recipient } from '../users/users.ts'
import type { CurrentUser } from '../users/users.ts'
import type { Context } from './context.ts'
import { cancelDeletion } from './restoration.ts'
import { linkByAddress, requireProvided } from './session-provider.ts'
import type { SessionProvider } from './session-provider.ts'

/** A new session, or a pending login for a user who needs a second factor. */
type SignIn = NewSession | FactorDue
export interface NewSession {
  user: CurrentUser
  session: ShownSession
  /** In the token only. */
  secret: string
  login?: never
}
export interface FactorDue {
  login: {
    /** In the login cookie only. */
    secret: string
    expiresAt: Date
    methods: FactorMethod[]
  }
  session?: never
  user?: never
  secret?: never
}

interface SignInAttempt {
  account: Pick<UserRow, 'id' | 'credentialVersion'>
  proof: Proof
  /** The verified session tokens of the request. The new session replaces theirs. */
  presented: SessionToken[]
  /** Returned when the sign-in is complete. */
  charge: Charge
  /** The provider account that it began with. */
  provided?: SessionProvider | undefined
  /** RP ID: only its passkeys are offered as a second factor. */
  rpId?: string | undefined
  /** Whether the user restores an account whose deletion is planned. */
  restores?: boolean | undefined
  /** How the user signs in on a device that is new to the account, which a mail then tells them. */
  onNewDevice?: SignInMeans | undefined
  /** Whether a mail reports that the second factor did not follow, as it does on a new device. */
  isWatched?: boolean
}

/** The method that a sign-in began with: the mail says how to end it. */
interface SignInMeans {
  method: SignInMethod
  /** Name of the provider. */
  provider?: string
}

/**
 * Every session begins here, so that no way to sign in bypasses the second factor: without it, a
 * user who needs one gets a pending login instead. An account is restored, and a provider account
 * linked by its address, with the session: not before the second factor. Undefined when the account
 * was deactivated, its deletion was planned or its password changed since `account` was read.
 * Throws `provider-required` for a user who must sign in with a provider, and did not; and, with a
 * provider account to link, `provider-account-taken` and `too-many-providers`.
 */
export async function startSession(
  tx: Db,
  { mail, sessionRules: rules }: Pick<Context, 'mail' | 'sessionRules'>,
  actor: UserActor,
  { account, proof, presented, charge, provided, rpId, restores, ...device }: SignInAttempt
): Promise<SignIn | undefined> {
  const [locked] = await tx
    .select({
      ...recipient,
      status: users.status,
      deleteAt: users.deleteAt,
      credentialVersion: users.credentialVersion,
      lastLoginAt: users.lastLoginAt,
      secondFactor: users.secondFactor,
      emailNormalized: users.emailNormalized
    })
    .from(users)
    .where(eq(users.id, account.id))
    .for('no key update')
  if (locked?.credentialVersion !== account.credentialVersion) return undefined
  const isRestored = restores === true && plannedDeletion(locked) !== null
  if (locked.status !== 'active' && !isRestored) return undefined
  requireProvided(rules.providers, locked, provided)
  if (locked.secondFactor && proof.assurance < 2) {
    const login = await beginPendingLogin(tx, account, charge, provided)
    // A thief who has only the password gets no further, and no login would be recorded.
    await record(tx, actor, 'auth.second-factor-due', { userId: account.id })
    const { expiresAt } = login
    if (device.onNewDevice ?? device.isWatched) {
      await watchSignIn(tx, mail, actor, { account, expiresAt })
    }
    return { login: { ...login, methods: await findMethods(tx, account.id, { rpId }) } }
  }

  if (isRestored) await cancelDeletion(tx, mail, actor, locked)
  if (provided?.link) {
    const { accountId: id, link } = provided
    const { providers = [] } = rules
    await linkByAddress(tx, { mail, providers }, actor, { user: locked, id, link })
  }
  const secret = randomText()
  const lifetime = Math.min(rules.absoluteSeconds, provided?.sessionSeconds ?? Infinity)
  const replaced = await revokePresented(tx, 'replaced', presented)
  const [[session], overLimit] = await together(
    () =>
      tx
        .insert(sessions)
        .values({
          id: uuid(),
          tokenHash: hashSecret(secret),
          userId: account.id,
          expiresAt: sql`now() + ${ofSeconds(lifetime)}`,
          ip: actor.ip,
          userAgent: actor.userAgent,
          amr: proof.amr.join(' '),
          assurance: proof.assurance,
          reauthenticatedAt:
            proof.at && sql`least(now(), ${sql.param(proof.at, sessions.createdAt)})`,
          providerAccountId: provided?.accountId ?? null
        })
        .returning(presentSession),
    () => revokeOverLimit(tx, account.id, rules)
  )
  if (!session) throw new Error('a session was inserted and not returned')
  const inSession = { ...actor, sessionId: session.id }

  const ended = overLimit.map(({ id }) => ({ target: { type: 'session' as const, id } }))
  const bumped = [...replaced, ...overLimit].map((ended) => ended.userId)
  if (ended.length > 0) await recordAll(tx, inSession, 'session.limit', ended)
  const login = {
    target: { type: 'session' as const, id: session.id },
    details: {
      amr: [...proof.amr],
      replaced: replaced.length || undefined,
      provider: provided?.key
    }
  }
  const [user] = await together(
    () => findCurrentUser(tx, account.id, proof.assurance),
    () =>
      tx
        .update(users)
        .set({ lastLoginAt: sql`now()` })
        .where(eq(users.id, account.id)),
    () => record(tx, inSession, 'auth.login', login),
    () => device.onNewDevice && reportNewDevice(tx, mail, actor, locked, device.onNewDevice),
    () => giveBack(tx, charge, 'success'),
    () => bumpUsers(tx, ...(isRestored ? [account.id] : []), ...bumped)
  )
  if (!user) throw new Error('a user was locked and not found')
  return { user, session: shownSession(session, rules), secret }
}

/** In 24 hours. A program that keeps no cookies comes from a new device each time. */
const mostDeviceNotices = 10

/** Not for the first sign-in of an account, which always comes from a new device. */
async function reportNewDevice(
  tx: Db,
  mail: MailService | undefined,
  actor: UserActor,
  account: Recipient & { lastLoginAt: Date | null },
  means: SignInMeans
) {
  if (!mail?.signInNotices || !account.lastLoginAt) return
  if ((await countRecent(tx, account.id, 'new-device')) >= mostDeviceNotices) return
  await notify(tx, mail, account, { kind: 'new-device', ...means, ...factsOf(actor) })
}
