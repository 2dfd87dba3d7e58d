import { asc, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { passkeys } from '../../../db/schema/second-factors.ts'
import { browserOf } from '../../common/browsers.ts'
import type { LockedUser } from '../users/users.ts'
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
 * For `PublicKeyCredential.parseRequestOptionsFromJSON`. They list no passkeys, because a sign-in
 * must not reveal which accounts have some.
 */
export const requestOptions = ({ rpId }: PasskeyRules, challenge: string) => ({
  challenge,
  timeout: challengeSeconds * 1000,
  rpId,
  userVerification: 'required' as const
})

/** Request options for one user, with the list of their passkeys. */
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

/** Names of authenticators by their AAGUID: the providers of passkeys and common security keys. */
const models = new Map([
  ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', 'Google Password Manager'],
  ['adce0002-35bc-c60a-648b-0b25f1f05503', 'Chrome on Mac'],
  ['b5397666-4885-aa6b-cebf-e52262a439a2', 'Chromium'],
  ['771b48fd-d3d4-4f74-9232-fc157ab0507a', 'Edge on Mac'],
  ['08987058-cadc-4b81-b6e1-30de50dcbe96', 'Windows Hello'],
  ['9ddd1817-af5a-4672-a2b9-3e3dd95000a9', 'Windows Hello'],
  ['6028b017-b1d4-4c02-b4b3-afcdafc96bb2', 'Windows Hello'],
  ['d3452668-01fd-4c12-926c-83a4204853aa', 'Microsoft Password Manager'],
  ['fbfc3007-154e-4ecc-8c0b-6e020557d7bd', 'Apple Passwords'],
  ['dd4ec289-e01d-41c9-bb89-70fa845d4bf2', 'iCloud Keychain'],
  ['53414d53-554e-4700-0000-000000000000', 'Samsung Pass'],
  ['bada5566-a7aa-401f-bd96-45619a55120d', '1Password'],
  ['d548826e-79b4-db40-a3d8-11116f7e8349', 'Bitwarden'],
  ['531126d6-e717-415c-9320-3d9aa6981239', 'Dashlane'],
  ['f3809540-7f14-49c1-a8b3-8f813b225541', 'Enpass'],
  ['fdb141b2-5d84-443e-8a35-4698c205a502', 'KeePassXC'],
  ['eaecdef2-1c31-5634-8639-f1cbd9c00a08', 'KeePassDX'],
  ['0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6', 'Keeper'],
  ['b78a0a55-6ef8-d246-a042-ba0f6d55050c', 'LastPass'],
  ['22248c4c-7a12-46e2-9a41-44291b373a4d', 'LogMeOnce'],
  ['b84e4048-15dc-4dd0-8640-f4f60813c8af', 'NordPass'],
  ['50726f74-6f6e-5061-7373-50726f746f6e', 'Proton Pass'],
  ['d350af52-0351-4ba2-acd3-dfeeadc3f764', 'pwSafe'],
  ['a10c6dd9-465e-4226-8198-c7c44b91c555', 'Kaspersky Password Manager'],
  ['de503f9c-21a4-4f76-b4b7-558eb55c6f89', 'Devolutions'],
  ['39a5647e-1853-446c-a1f6-a79bae9f5bc7', 'IDmelon'],
  ['cb69481e-8ff7-4039-93ec-0a2729a154a8', 'YubiKey 5'],
  ['ee882879-721c-4913-9775-3dfcce97072a', 'YubiKey 5'],
  ['fa2b99dc-9e39-4257-8f92-4a30d23c4118', 'YubiKey 5 NFC'],
  ['2fc0579f-8113-47ea-b116-bb5a8db9202a', 'YubiKey 5 NFC'],
  ['d8522d9f-575b-4866-88a9-ba99fa02f35b', 'YubiKey Bio']
])

/**
 * The name of a passkey that its user has not named: its model, else the browser it was added with.
 */
export const defaultName = (aaguid: string, userAgent: string | undefined) =>
  models.get(aaguid) ?? browserOf(userAgent) ?? 'Passkey'
