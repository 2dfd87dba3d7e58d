import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { activity } from '../../../db/schema/activity.ts'
import { providerAccounts } from '../../../db/schema/provider-accounts.ts'
import { roles, userRoles } from '../../../db/schema/roles.ts'
import { totp } from '../../../db/schema/second-factors.ts'
import { endedScopeDays, endedScopes } from '../../../db/schema/scopes.ts'
import { services } from '../../../db/schema/services.ts'
import { users, userSettings } from '../../../db/schema/users.ts'
import { ofDays } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import { lockRole } from '../access/roles.ts'
import { recordAll } from '../activity/record.ts'
import type { CommandLine } from '../actor.ts'
import { DomainError, invalidFields } from '../errors.ts'
import { writeMembership } from '../scopes/members.ts'
import type { Sealing } from '../sealing.ts'
import { findReserved, normalizeEmail } from '../users/emails.ts'
import type { ImportReferences, NewUser } from './import-lines.ts'

/** @param scoped whether those that are held in scopes, instead of everywhere */
export async function readRoleIds(db: Db, scoped = false): Promise<ImportReferences['roles']> {
  const { key, id } = roles
  const found = await db.select({ key, id }).from(roles).where(eq(roles.scoped, scoped))
  return new Map(found.map((each) => [each.key, each.id]))
}

/**
 * The outcome of a line: a new user, one who exists, or nothing, with the reason. `existing` is
 * the id of the user who has the address; undefined for an address that is only kept for somebody.
 * `isProved`: it is the same person for all that is known. Anybody can register with an address.
 */
export type Verdict = 'new' | { existing: string | undefined; isProved: boolean } | DomainError

interface Account {
  id: string
  /** Whether its address is confirmed, or an import created it for this address. */
  isProved: boolean
}

/** Accounts by address; ids and provider accounts of users. */
interface Taken {
  accounts: Map<string, Account>
  keys: Set<string>
}
export const nothingTaken = (): Taken => ({ accounts: new Map(), keys: new Set() })

const accountKey = ({ issuer, subject }: { issuer: string; subject: string }) =>
  `${issuer} ${subject}`

/**
 * Judges each line of a batch by what is stored and by the lines before it.
 * @param before what earlier batches take, for a dry run
 */
export async function judgeUsers(
  db: Db,
  batch: NewUser[],
  before = nothingTaken()
): Promise<Verdict[]> {
  if (batch.length === 0) return []
  const emails = batch.map(({ user }) => user.emailNormalized)
  const ids = batch.map(({ user }) => user.id)
  const accounts = batch.flatMap(({ providers }) => providers)
  const stored = await readTaken(db, { emails, ids, accounts })
  const reserved = await findReserved(db, emails)
  const found = await db.select({ id: services.id }).from(services).where(inArray(services.id, ids))
  const ofServices = new Set(found.map(({ id }) => id))
  const ended = await findEnded(db, batch)
  const has = (key: string) => stored.keys.has(key) || before.keys.has(key)
  return batch.map(({ user, providers, scoped }) => {
    const { id, emailNormalized: email } = user
    const account = stored.accounts.get(email) ?? before.accounts.get(email)
    if (account) return { existing: account.id, isProved: account.isProved || account.id === id }
    if (reserved.has(email)) return { existing: undefined, isProved: true }
    if (has(id)) return alreadyUsed('/id', 'Another user has this id')
    if (ofServices.has(id)) return alreadyUsed('/id', 'A service has this id')
    const owned = providers.findIndex((account) => has(accountKey(account)))
    if (owned >= 0) {
      return alreadyUsed(`/providers/${owned}/subject`, 'Another user has this account')
    }
    if (scoped.some(({ scope }) => ended.has(scope))) return new DomainError('scope-ended')
    before.accounts.set(email, { id, isProved: true })
    for (const key of [id, ...providers.map(accountKey)]) before.keys.add(key)
    return 'new'
  })
}

/** The scopes of these users that were deleted lately. */
async function findEnded(db: Db, batch: NewUser[]) {
  const named = new Set(batch.flatMap(({ scoped }) => scoped.map(({ scope }) => scope)))
  if (named.size === 0) return named
  const { scope, endedAt } = endedScopes
  const isRecent = sql`${endedAt} > now() - ${ofDays(endedScopeDays)}`
  const wanted = sql`${scope} in (
    select jsonb_array_elements_text(${JSON.stringify([...named])}::text::jsonb))`
  const found = await db.select({ scope }).from(endedScopes).where(and(wanted, isRecent))
  return new Set(found.map((each) => each.scope))
}

async function readTaken(
  db: Db,
  { emails, ids, accounts }: { emails: string[]; ids: string[]; accounts: NewUser['providers'] }
) {
  const { accounts: found, keys } = nothingTaken()
  const stored = await db
    .select({
      id: users.id,
      email: users.emailNormalized,
      isVerified: sql<boolean>`${users.emailVerifiedAt} is not null`
    })
    .from(users)
    .where(or(inArray(users.emailNormalized, emails), inArray(users.id, ids)))
  const unconfirmed = stored.filter(({ isVerified }) => !isVerified).map(({ id }) => id)
  const imported = await findImported(db, unconfirmed)
  for (const { id, email, isVerified } of stored) {
    found.set(email, { id, isProved: isVerified || imported.get(id) === email })
    keys.add(id)
  }
  for (const account of await findAccounts(db, accounts)) keys.add(accountKey(account))
  return { accounts: found, keys }
}

/**
 * The addresses for which these users were created, as the audit trail has them: nobody registered
 * with one, but the user may have changed it since.
 */
async function findImported(db: Db, ids: string[]) {
  if (ids.length === 0) return new Map<string, string | undefined>()
  const rows = await db
    .select({ id: activity.targetId, details: activity.details })
    .from(activity)
    .where(
      and(
        inArray(activity.targetId, ids),
        eq(activity.action, 'user.create'),
        eq(activity.actorType, 'cli')
      )
    )
  return new Map(rows.map(({ id, details }) => [id, normalizeEmail(details.email ?? '')]))
}

const alreadyUsed = (pointer: string, message: string) =>
  invalidFields({ pointer, code: 'already-used', message })

async function findAccounts(db: Db, accounts: NewUser['providers']) {
  if (accounts.length === 0) return []
  // One parameter: a batch may have thousands of accounts.
  const wanted = JSON.stringify(accounts.map(({ issuer, subject }) => ({ issuer, subject })))
  const { issuer, subject } = providerAccounts
  return db
    .select({ issuer, subject })
    .from(providerAccounts)
    .where(
      sql`(${issuer}, ${subject}) in (
        select each.issuer, each.subject
        from jsonb_to_recordset(${wanted}::text::jsonb) as each(issuer text, subject text))`
    )
}

/**
 * Stores users who were judged to be new, in one transaction, and returns those that were stored:
 * not those whose address or id was taken meanwhile. New users have no sessions, so no scope is
 * bumped. Throws as `writeMembership` does, and `provider-account-taken` when somebody links such
 * an account at the same moment.
 */
export async function importUsers(
  db: Db,
  actor: CommandLine,
  {
    users: batch,
    roles: roleIds,
    sealing
  }: { users: NewUser[]; roles: ImportReferences['roles']; sealing: Sealing }
): Promise<NewUser[]> {
  if (batch.length === 0) return []
  return transaction(db, async (tx) => {
    const inserted = await tx
      .insert(users)
      .values(batch.map(({ user }) => user))
      .onConflictDoNothing()
      .returning({ id: users.id, email: users.emailNormalized })
    const reserved = await findReserved(
      tx,
      inserted.map(({ email }) => email)
    )
    const kept = inserted.filter(({ email }) => reserved.has(email)).map(({ id }) => id)
    if (kept.length > 0) await tx.delete(users).where(inArray(users.id, kept))
    const made = new Set(inserted.map(({ id }) => id))
    const created = batch.filter(({ user }) => made.has(user.id) && !kept.includes(user.id))
    if (created.length === 0) return []
    const granted = created.flatMap(({ user, roles }) =>
      roles.map((key) => ({ userId: user.id, roleId: roleIds.get(key) ?? '' }))
    )
    for (const some of chunksOf(granted)) await tx.insert(userRoles).values(some)
    await addFactorsAndProviders(tx, sealing, created)
    const documents = created.flatMap(({ user, settings }) =>
      settings.map((each) => ({ ...each, userId: user.id, version: 1 }))
    )
    if (documents.length > 0) await tx.insert(userSettings).values(documents)
    await recordAll(
      tx,
      actor,
      'user.create',
      created.map((line) => ({ userId: line.user.id, details: grantsOf(line) }))
    )
    await grantScopes(tx, actor, created)
    return created
  })
}

/** In the order of the scopes, because each is locked, and another import may name the same. */
async function grantScopes(tx: Db, actor: CommandLine, created: NewUser[]) {
  const all = created.flatMap(({ user, scoped }) =>
    scoped.map(({ scope, role }) => ({ user: { id: user.id }, scope, key: role }))
  )
  for (const { key, ...membership } of all.toSorted((a, b) => (a.scope < b.scope ? -1 : 1))) {
    const role = await lockRole(tx, key, 'share')
    if (!role) throw new DomainError('role-not-found')
    await writeMembership(tx, actor, { ...membership, role })
  }
}

/** The details of the record of an imported user: what the user has from the beginning. */
function grantsOf({ user, roles, providers, settings, totp: secret }: NewUser) {
  const { email, status } = user
  const grantedRoles = roles.filter((key) => key !== 'user')
  return {
    email,
    ...(grantedRoles.length > 0 && { grantedRoles }),
    ...(providers.length > 0 && { providers: providers.map(({ provider }) => provider) }),
    ...(secret && { secondFactor: true }),
    ...(settings.length > 0 && { parts: settings.map(({ part }) => part) }),
    ...(status !== undefined && status !== 'active' && { status })
  }
}

/** A statement has at most 65,535 parameters, and a row here at most seven. */
const rowsAtOnce = 5000

function* chunksOf<T>(rows: T[]) {
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    yield rows.slice(start, start + rowsAtOnce)
  }
}

async function addFactorsAndProviders(tx: Db, sealing: Sealing, created: NewUser[]) {
  const accounts = created.flatMap(({ user, providers }) =>
    providers.map((account) => ({ ...account, id: uuid(), userId: user.id }))
  )
  for (const some of chunksOf(accounts)) {
    const added = await tx
      .insert(providerAccounts)
      .values(some)
      .onConflictDoNothing()
      .returning({ id: providerAccounts.id })
    if (added.length < some.length) throw new DomainError('provider-account-taken')
  }
  const secrets = created.flatMap(({ user, totp: secret }) =>
    secret
      ? { userId: user.id, secret: sealing.seal('totp', user.id, secret), confirmedAt: new Date() }
      : []
  )
  if (secrets.length > 0) await tx.insert(totp).values(secrets)
}
