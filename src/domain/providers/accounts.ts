import { and, asc, eq, gte, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import {
  mostProviderAccounts,
  providerAccounts,
  unlinkedAccounts
} from '../../../db/schema/provider-accounts.ts'
import { ProviderRefusal } from './client.ts'
import type { Address, Identity } from './identity.ts'
import type { Provider } from './provider.ts'
import { DomainError } from '../errors.ts'

/** The columns of a provider account as shown to its user. */
const shown = {
  id: providerAccounts.id,
  provider: providerAccounts.provider,
  email: providerAccounts.email,
  createdAt: providerAccounts.createdAt,
  lastUsedAt: providerAccounts.lastUsedAt
}

/** The provider accounts of a user, oldest first. There are at most `mostProviderAccounts`. */
export const listProviderAccounts = (db: Db, userId: string) =>
  db
    .select(shown)
    .from(providerAccounts)
    .where(eq(providerAccounts.userId, userId))
    .orderBy(asc(providerAccounts.createdAt), asc(providerAccounts.id))

/** Issuer and subject identify it, whatever the configuration calls the provider. */
export async function findProviderAccount(db: Db, { issuer, subject }: Subject) {
  const [found] = await db
    .select({ id: providerAccounts.id, userId: providerAccounts.userId })
    .from(providerAccounts)
    .where(and(eq(providerAccounts.issuer, issuer), eq(providerAccounts.subject, subject)))
  return found
}

type Subject = Pick<Identity, 'issuer' | 'subject'>

/** Whether the user has an account of this issuer. */
export const hasAccountOf = async (db: Db, userId: string, issuer: string) =>
  (await db.$count(
    providerAccounts,
    and(eq(providerAccounts.userId, userId), eq(providerAccounts.issuer, issuer))
  )) > 0

const isUnlinkedFrom = (userId: string, { issuer, subject }: Subject) =>
  and(
    eq(unlinkedAccounts.userId, userId),
    eq(unlinkedAccounts.issuer, issuer),
    eq(unlinkedAccounts.subject, subject)
  )

/** Whether the account was unlinked from the user, and not linked again since. */
export const wasUnlinked = async (db: Db, userId: string, account: Subject) =>
  (await db.$count(unlinkedAccounts, isUnlinkedFrom(userId, account))) > 0

/** Remembers accounts that were just unlinked from a user. */
export async function rememberUnlinked(tx: Db, userId: string, accounts: Subject[]) {
  if (accounts.length === 0) return
  const rows = accounts.map(({ issuer, subject }) => ({ userId, issuer, subject }))
  await tx.insert(unlinkedAccounts).values(rows).onConflictDoNothing()
}

/** Keys of the providers at which the user has accounts. */
export async function findProviderKeys(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ provider: providerAccounts.provider })
    .from(providerAccounts)
    .where(eq(providerAccounts.userId, userId))
    .orderBy(asc(providerAccounts.provider))
  return rows.map(({ provider }) => provider)
}

/** Whether the user has an account at one of these providers. */
export async function hasAccountAt(db: Db, userId: string, providers: readonly Provider[]) {
  const keys = await findProviderKeys(db, userId)
  return providers.some(({ key }) => keys.includes(key))
}

/**
 * Links a provider account to a user. Call it with the user locked. Throws `too-many-providers`,
 * and `provider-account-taken`, also when somebody else links it at the same moment.
 * @param id of the new row
 */
export async function addProviderAccount(
  tx: Db,
  userId: string,
  { key }: Pick<Provider, 'key'>,
  { issuer, subject, address }: Subject & { address?: Pick<Address, 'email' | 'trust'> },
  id = uuid()
) {
  const count = await tx.$count(providerAccounts, eq(providerAccounts.userId, userId))
  if (count >= mostProviderAccounts) throw new DomainError('too-many-providers')
  const [added] = await tx
    .insert(providerAccounts)
    .values({
      id,
      userId,
      provider: key,
      issuer,
      subject,
      ...storedAddress(address),
      createdAt: sql`clock_timestamp()`,
      lastUsedAt: sql`now()`
    })
    .onConflictDoNothing()
    .returning({ id: providerAccounts.id })
  if (!added) throw new DomainError('provider-account-taken')
  await tx.delete(unlinkedAccounts).where(isUnlinkedFrom(userId, { issuer, subject }))
  return added
}

const storedAddress = (address?: Pick<Address, 'email' | 'trust'>) => ({
  email: address?.email ?? null,
  speaksForEmail: address?.trust === 'authoritative'
})

/**
 * Notes that its user has signed out at the provider: a sign-in that is under way with an ID token
 * of before gets no session. Call it with the user locked.
 */
export async function noteLogout(tx: Db, id: string, issuedAt: number) {
  const at = sql`to_timestamp(${issuedAt})`
  const loggedOutAt = sql`greatest(${providerAccounts.loggedOutAt}, ${at})`
  await tx.update(providerAccounts).set({ loggedOutAt }).where(eq(providerAccounts.id, id))
}

/**
 * Notes a use. False when it was unlinked meanwhile. Call it with the user locked. Throws
 * ProviderRefusal when its user has signed out at the provider since the ID token was issued.
 */
export async function useProviderAccount(
  tx: Db,
  { id, userId }: { id: string; userId: string },
  provider: Provider,
  { address, issuedAt = Infinity }: Identity
): Promise<boolean> {
  const used = await tx
    .update(providerAccounts)
    .set({
      provider: provider.key,
      lastUsedAt: sql`now()`,
      ...(address && storedAddress(address))
    })
    .where(and(eq(providerAccounts.id, id), eq(providerAccounts.userId, userId)))
    .returning({ loggedOutAt: providerAccounts.loggedOutAt })
  const [{ loggedOutAt } = { loggedOutAt: null }] = used
  if (loggedOutAt && issuedAt * 1000 <= loggedOutAt.getTime()) {
    throw new ProviderRefusal('logged-out')
  }
  return used.length > 0
}

/**
 * Unlinks provider accounts that were linked at this time or later, or all of them. Returns the
 * keys of their providers. Call it with the user locked.
 */
export async function removeProviderAccounts(tx: Db, userId: string, since?: Date) {
  const removed = await tx
    .delete(providerAccounts)
    .where(
      and(eq(providerAccounts.userId, userId), since && gte(providerAccounts.createdAt, since))
    )
    .returning({
      provider: providerAccounts.provider,
      issuer: providerAccounts.issuer,
      subject: providerAccounts.subject
    })
  await rememberUnlinked(tx, userId, removed)
  return removed.map(({ provider }) => provider)
}
