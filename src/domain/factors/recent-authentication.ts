import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import type { ReauthenticationMethod } from '../../../db/schema/second-factors.ts'
import { authenticatedAt, sessions } from '../../../db/schema/sessions.ts'
import type { Assurance } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { ofSeconds } from '../../../db/time.ts'
import { isSessionOf } from '../actor.ts'
import type { Actor, SignedInActor } from '../actor.ts'
import { cannotReauthenticate, DomainError } from '../errors.ts'
import { findProviderKeys } from '../providers/accounts.ts'
import type { LockedUser } from '../users/users.ts'
import { factorsOf, findRequiringRoles } from './enrolment.ts'

type Account = Pick<LockedUser, 'id' | 'secondFactor'>

/** Seconds for which an authentication is recent. */
export const recentSeconds = 600
/** Seconds by which the clock of a database may be behind that of the one before a failover. */
export const aheadSeconds = 60

/**
 * The assurance that changes of the account need. 2 where the account needs a second factor to sign
 * in, or a role of the user requires one and there is one: otherwise a thief with the password
 * could replace it with their own.
 */
export async function neededAssurance(db: Db, { id, secondFactor }: Account): Promise<Assurance> {
  if (secondFactor) return 2
  const isRequired = (await findRequiringRoles(db, id)).length > 0
  return isRequired && (await factorsOf(db, id)).length > 0 ? 2 : 1
}

/**
 * Requires that the user has authenticated in this session in the last ten minutes, with a second
 * factor where `neededAssurance` says so. Call it in the transaction of the change that depends on
 * it, with the user locked, so that the state at that moment decides. Throws `unauthenticated`, and
 * `reauthentication-required`, which lists how the user can authenticate again.
 */
export async function requireRecentAuthentication(
  tx: Db,
  actor: SignedInActor,
  user: Account,
  given?: Assurance
) {
  const least = given ?? (await neededAssurance(tx, user))
  const [session] = await tx
    .select({
      recent: sql<boolean>`${authenticatedAt} > now() - ${ofSeconds(recentSeconds)}
        and ${authenticatedAt} < now() + ${ofSeconds(aheadSeconds)}`,
      assurance: sessions.assurance
    })
    .from(sessions)
    .where(isSessionOf(actor))
  if (!session) throw new DomainError('unauthenticated')
  if (session.recent && session.assurance >= least) return
  throw await refuseUnproved(tx, user.id, { least, proved: session.assurance })
}

/**
 * An operator who acts on their own account must have authenticated recently, as for their own
 * settings: otherwise a thief with the session, the password or a key of theirs could take the
 * account over. Throws `reauthentication-required`.
 */
export async function requireProofIfOwn(tx: Db, actor: Actor, target: Account) {
  if (actor.keyId !== undefined && actor.id === target.id) throw cannotReauthenticate()
  if (isSelf(actor, target)) await requireRecentAuthentication(tx, actor, target)
}

const isSelf = (actor: Actor, { id }: { id: string }): actor is SignedInActor =>
  actor.type === 'user' && actor.id === id && actor.sessionId !== undefined

/**
 * Whether one factor, such as the password, is accepted as authentication in this session. It is
 * not if the account needs a second factor, because a thief may have the first, nor if the session
 * has assurance 2, here or from a provider: it would make an old authentication with two factors
 * look recent. The removal of the last factor lowers it, so that the password is enough then.
 */
export async function isOneFactorProof(db: Db, actor: SignedInActor, user: Account) {
  if ((await neededAssurance(db, user)) === 2) return false
  const hasProvedTwo = and(isSessionOf(actor), eq(sessions.assurance, 2))
  return (await db.$count(sessions, hasProvedTwo)) === 0
}

/**
 * Returns the refusal `reauthentication-required`, with the methods of this user.
 * @param input.least assurance that is needed
 * @param input.proved assurance of the session
 * @param input.maxAge seconds for which an authentication is recent
 */
export async function refuseUnproved(
  db: Db,
  userId: string,
  { least, proved, maxAge = recentSeconds }: Proofs
) {
  const factors = await factorsOf(db, userId)
  const counts = least === 1 && proved !== 2
  const { withPassword, email } = await findOwn(db, userId)
  const methods: ReauthenticationMethod[] =
    counts && withPassword ? ['password', ...factors] : [...factors]
  const keys = await findProviderKeys(db, userId)
  if (keys.length === 0) {
    return new DomainError('reauthentication-required', {
      reauthentication: { methods, maxAge, email }
    })
  }
  const isAlone = !withPassword && factors.length === 0
  return new DomainError('reauthentication-required', {
    reauthentication: {
      methods: [...methods, 'provider'],
      maxAge,
      email,
      providers: { keys, needsTwo: !counts, isAlone }
    }
  })
}

interface Proofs {
  least: Assurance
  proved?: Assurance | undefined
  maxAge?: number | undefined
}

async function findOwn(db: Db, userId: string) {
  const [user] = await db
    .select({
      passwordHash: users.passwordHash,
      email: users.emailNormalized,
      emailVerifiedAt: users.emailVerifiedAt
    })
    .from(users)
    .where(eq(users.id, userId))
  return {
    withPassword: typeof user?.passwordHash === 'string',
    email: user?.emailVerifiedAt ? user.email : undefined
  }
}

/** The methods proved in a session, in the words of RFC 8176, and the number of factors. */
export interface Proof {
  amr: readonly string[]
  assurance: Assurance
  /** When it was proved, if not in this request. */
  at?: Date | undefined
}

export const byPassword: Proof = { amr: ['pwd'], assurance: 1 }
export const byTotp: Proof = { amr: ['pwd', 'otp', 'mfa'], assurance: 2 }
/** A code in a session that exists already. */
export const byCode: Proof = { amr: ['otp', 'mfa'], assurance: 2 }
/** RFC 8176 has no word for a recovery code. */
export const byRecoveryCode: Proof = { amr: ['pwd', 'mfa'], assurance: 2 }

/**
 * A passkey is two factors: the device, and what unlocks it.
 * @param deviceType `single`: the key cannot leave the device
 */
export const byPasskey = (deviceType: 'single' | 'multi'): Proof => ({
  amr: [deviceType === 'single' ? 'hwk' : 'swk', 'user', 'mfa'],
  assurance: 2
})

/**
 * An account at a provider (`fed`, from the list of methods of Microsoft: RFC 8176 has no word for
 * it).
 * @param hasTwo whether the provider has proved two factors
 * @param at when, if the user did not have to authenticate for this request
 */
export const byProvider = (hasTwo: boolean, at?: Date): Proof =>
  hasTwo ? { amr: ['fed', 'mfa'], assurance: 2, at } : { amr: ['fed'], assurance: 1, at }

/** The second step of a sign-in with a provider did not take the password. */
export const afterProvider = ({ amr, assurance }: Proof): Proof => ({
  amr: ['fed', ...amr.filter((word) => word !== 'pwd')],
  assurance
})

const order = ['pwd', 'fed', 'otp', 'hwk', 'swk', 'user', 'mfa']

/** The words of both, each once, in a fixed order. */
export const joinAmr = (one: readonly string[], other: readonly string[]) =>
  order.filter((word) => one.includes(word) || other.includes(word))
