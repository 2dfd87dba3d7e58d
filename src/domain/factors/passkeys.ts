import { asc, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { passkeys } from '../../../db/schema/passkeys.ts'
import type { LockedUser } from '../users/lock.ts'
import { challengeSeconds } from './challenges.ts'
import { algorithms, handleOf } from './passkey-verification.ts'
import type { PasskeyRules } from './passkey-verification.ts'

/** The columns of a passkey that `showPasskey` needs. */
export const ownPasskey = {
  id: passkeys.id,
  name: passkeys.name,
  credentialId: passkeys.credentialId,
  rpId: passkeys.rpId,
  deviceType: passkeys.deviceType,
  backedUp: passkeys.backedUp,
  createdAt: passkeys.createdAt,
  lastUsedAt: passkeys.lastUsedAt
}

/** A passkey as shown to its user. */
export const showPasskey = <Row extends { credentialId: Uint8Array }>(row: Row) => ({
  ...row,
  credentialId: asText(row.credentialId)
})

const asText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

/** The passkeys of a user, oldest first. There are at most `mostPasskeys`. */
export async function listPasskeys(db: Db, userId: string) {
  const rows = await db
    .select(ownPasskey)
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id))
  return rows.map(showPasskey)
}

/** @param credentialId as base64url */
export async function findPasskey(db: Db, credentialId: string) {
  const [found] = await db
    .select({
      id: passkeys.id,
      userId: passkeys.userId,
      publicKey: passkeys.publicKey,
      deviceType: passkeys.deviceType
    })
    .from(passkeys)
    .where(eq(passkeys.credentialId, Buffer.from(credentialId, 'base64url')))
  return found
}

/** In the form that `PublicKeyCredential.parseCreationOptionsFromJSON` accepts. */
export async function creationOptions(
  db: Db,
  { rpId, rpName }: PasskeyRules,
  user: Pick<LockedUser, 'id' | 'email' | 'name'>,
  challenge: string
) {
  return {
    rp: { id: rpId, name: rpName },
    user: { id: handleOf(user.id), name: user.email, displayName: user.name },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: challengeSeconds * 1000,
    excludeCredentials: await descriptorsOf(db, rpId, user.id),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true,
      userVerification: 'required' as const
    },
    attestation: 'none' as const
  }
}

/**
 * In the form that `PublicKeyCredential.parseRequestOptionsFromJSON` accepts. Those of a sign-in
 * list no passkeys, so that they do not reveal who has some.
 */
export const requestOptions = ({ rpId }: PasskeyRules, challenge: string) => ({
  challenge,
  timeout: challengeSeconds * 1000,
  rpId,
  userVerification: 'required' as const
})

/** The same for one user, with the list of their passkeys. */
export const ownRequestOptions = async (
  db: Db,
  rules: PasskeyRules,
  userId: string,
  challenge: string
) => ({
  ...requestOptions(rules, challenge),
  allowCredentials: await descriptorsOf(db, rules.rpId, userId)
})

async function descriptorsOf(db: Db, rpId: string, userId: string) {
  const rows = await db
    .select({ credentialId: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(sql`${passkeys.userId} = ${userId} and ${passkeys.rpId} = ${rpId}`)
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id))
  return rows.map(({ credentialId, transports }) => ({
    type: 'public-key' as const,
    id: asText(credentialId),
    transports: transports === '' ? [] : transports.split(' ')
  }))
}

/** `all` passkeys, and the `lost` ones of another RP ID, which cannot be used any more. */
export const countPasskeys = async (db: Db, rpId: string) => ({
  all: await db.$count(passkeys),
  lost: await db.$count(passkeys, ne(passkeys.rpId, rpId))
})
