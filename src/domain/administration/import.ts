import { inArray, or, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { providerAccounts } from '../../../db/schema/provider-accounts.ts'
import { roles, userRoles } from '../../../db/schema/roles.ts'
import { totp } from '../../../db/schema/second-factors.ts'
import { userSettings } from '../../../db/schema/user-settings.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { recordAll } from '../activity/record.ts'
import type { CommandLine } from '../actor.ts'
import { DomainError, invalidFields } from '../domain-error.ts'
import { providerAccountTaken } from '../providers/errors.ts'
import type { Sealing } from '../sealing.ts'
import { findReserved } from '../users/reserved-emails.ts'
import type { Known, NewUser } from './import-lines.ts'

export const readRoleIds = async (db: Db): Promise<Known['roles']> =>
  new Map(
    (await db.select({ key: roles.key, id: roles.id }).from(roles)).map(({ key, id }) => [key, id])
  )

/** What becomes of a line: a new user, one who exists, or nothing, with the reason. */
export type Verdict = 'new' | { existing: string | undefined } | DomainError

const accountKey = ({ issuer, subject }: { issuer: string; subject: string }) =>
  `${issuer} ${subject}`

/**
 * Judges each line of a batch by what is stored and by the lines before it. `existing` is the id of
 * the user who has the address; undefined for an address that is only kept for somebody.
 * @param before addresses, ids and provider accounts of earlier batches, for a dry run
 */
export async function judgeUsers(
  db: Db,
  batch: NewUser[],
  before = new Map<string, string>()
): Promise<Verdict[]> {
  if (batch.length === 0) return []
  const emails = batch.map(({ user }) => user.emailNormalized)
  const ids = batch.map(({ user }) => user.id)
  const accounts = batch.flatMap(({ providers }) => providers)
  const taken = new Map(before)
  const stored = await db
    .select({ id: users.id, email: users.emailNormalized })
    .from(users)
    .where(or(inArray(users.emailNormalized, emails), inArray(users.id, ids)))
  for (const { id, email } of stored) {
    taken.set(email, id)
    taken.set(id, id)
  }
  for (const account of await findAccounts(db, accounts)) {
    taken.set(accountKey(account), account.userId)
  }
  const reserved = await findReserved(db, emails)
  return batch.map(({ user, providers }) => {
    const { id, emailNormalized: email } = user
    if (taken.has(email) || reserved.has(email)) return { existing: taken.get(email) }
    if (taken.has(id)) return alreadyUsed('/id', 'Another user has this id')
    const owned = providers.findIndex((account) => taken.has(accountKey(account)))
    if (owned >= 0) {
      return alreadyUsed(`/providers/${owned}/subject`, 'Another user has this account')
    }
    for (const key of [email, id, ...providers.map(accountKey)]) {
      taken.set(key, id)
      before.set(key, id)
    }
    return 'new'
  })
}

const alreadyUsed = (pointer: string, message: string) =>
  invalidFields({ pointer, code: 'already-used', message })

async function findAccounts(db: Db, accounts: NewUser['providers']) {
  if (accounts.length === 0) return []
  const wanted = accounts.map(({ issuer, subject }) => sql`(${issuer}, ${subject})`)
  const { issuer, subject, userId } = providerAccounts
  return db
    .select({ issuer, subject, userId })
    .from(providerAccounts)
    .where(sql`(${issuer}, ${subject}) in (${sql.join(wanted, sql`, `)})`)
}

/**
 * Stores users who were judged to be new, in one transaction, and returns those that were stored:
 * not those whose address or id was taken meanwhile. New users have no sessions, so no scope is
 * bumped. Throws `provider-account-taken` when somebody links such an account at the same moment.
 */
export async function importUsers(
  db: Db,
  actor: CommandLine,
  {
    users: batch,
    roles: roleIds,
    sealing
  }: { users: NewUser[]; roles: Known['roles']; sealing: Sealing }
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
    await tx
      .insert(userRoles)
      .values(
        created.flatMap(({ user, roles }) =>
          roles.map((key) => ({ userId: user.id, roleId: roleIds.get(key) ?? '' }))
        )
      )
    await addFactorsAndProviders(tx, sealing, created)
    const documents = created.flatMap(({ user, settings }) =>
      settings.map((each) => ({ ...each, userId: user.id, version: 1 }))
    )
    if (documents.length > 0) await tx.insert(userSettings).values(documents)
    await recordAll(
      tx,
      actor,
      'user.create',
      created.map(({ user, roles }) => ({
        userId: user.id,
        details: { email: user.email, ...(roles.includes('admin') && { role: 'admin' }) }
      }))
    )
    return created
  })
}

async function addFactorsAndProviders(tx: Db, sealing: Sealing, created: NewUser[]) {
  const accounts = created.flatMap(({ user, providers }) =>
    providers.map((account) => ({ ...account, id: uuid(), userId: user.id }))
  )
  if (accounts.length > 0) {
    const added = await tx
      .insert(providerAccounts)
      .values(accounts)
      .onConflictDoNothing()
      .returning({ id: providerAccounts.id })
    if (added.length < accounts.length) throw providerAccountTaken()
  }
  const secrets = created.flatMap(({ user, totp: secret }) =>
    secret
      ? { userId: user.id, secret: sealing.seal('totp', user.id, secret), confirmedAt: new Date() }
      : []
  )
  if (secrets.length > 0) await tx.insert(totp).values(secrets)
}
