import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { momentColumns, userEpochs } from '../../../db/epochs.ts'
import { apiKeys, services } from '../../../db/schema/services.ts'
import type { Assurance } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { setBounded } from '../lru.ts'
import { createFreshCache } from '../freshness/fresh-cache.ts'
import type { Snapshots, Tagged } from '../freshness/fresh-cache.ts'
import { userTags } from '../freshness/user-epochs.ts'
import type { createUserEpochs, UserTags } from '../freshness/user-epochs.ts'
import { parseNetworks } from '../networks.ts'
import { assuranceOfKey, currentUserForKey } from '../users/users.ts'
import { hashOfKey } from './key-form.ts'
import { effectiveRights, serviceRights } from './rights.ts'
import type { RightsKept } from './rights.ts'

/** A well-formed key. One object for each key that is in use. */
interface KeyToken {
  /** Hexadecimal. */
  hash: string
  /** Whether the key was in the database when it was last read, even if it had ended. */
  isKnown: boolean
  /** Set when it is known and not accepted. */
  rejected?: RejectedKey | undefined
}

/** A key that was used although it has ended, for its record. */
export interface RejectedKey {
  /** `key-owner`: the user or service is deactivated. */
  reason: 'key-revoked' | 'key-expired' | 'key-owner'
  /** Its id. */
  key: string
  userId?: string | undefined
  serviceId?: string | undefined
}

const capacity = 10_000
/** Keys per statement, as with sessions. */
const batchSize = 200

function prepareKeys(db: Db) {
  const moment = db.$with('moment').as(db.select(momentColumns).from(sql`(select 1) as one`))
  const user = currentUserForKey(sql`${apiKeys.assurance}`)
  // Left joins, so that there is a row even if no key is found.
  return db
    .with(moment)
    .select({
      now: moment.now,
      inRecovery: moment.inRecovery, // the connection rejects true
      epochs: userEpochs(sql`coalesce(${apiKeys.userId}, ${apiKeys.serviceId})`),
      hash: sql<string | null>`encode(${apiKeys.hash}, 'hex')`,
      key: {
        id: apiKeys.id,
        name: apiKeys.name,
        permissions: apiKeys.permissions,
        networks: apiKeys.networks,
        userId: apiKeys.userId,
        serviceId: apiKeys.serviceId,
        createdAt: apiKeys.createdAt,
        expiresAt: apiKeys.expiresAt,
        revokedAt: apiKeys.revokedAt
      },
      user: {
        ...{ id: users.id, email: users.email, roles: user.roles, permissions: user.permissions },
        assurance: assuranceOfKey(sql`${apiKeys.assurance}`)
      },
      service: {
        id: services.id,
        key: services.key,
        roles: serviceRights.countingRoles,
        permissions: serviceRights.permissions
      }
    })
    .from(moment)
    .leftJoin(
      apiKeys,
      sql`${apiKeys.hash} = any(array(
        select decode(hash, 'hex')
        from unnest(string_to_array(${sql.placeholder('hashes')}::text, ',')) as hash))`
    )
    .leftJoin(users, and(eq(users.id, apiKeys.userId), eq(users.status, 'active')))
    .leftJoin(services, and(eq(services.id, apiKeys.serviceId), eq(services.status, 'active')))
    .prepare('api_keys')
}

/** The key and its owner are null if there is none, or the owner is not active. */
type Row = Awaited<ReturnType<ReturnType<typeof prepareKeys>['execute']>>[number]

/**
 * Finds API keys as sessions are found (`createPrincipalCache`), with a cache and a statement of
 * their own. The tags of a key are the epochs of its owner: a service has a shard and a part by its
 * id, as a user has.
 */
export function createKeyCache(
  db: Db,
  snapshots: Snapshots,
  isCurrent: ReturnType<typeof createUserEpochs>
) {
  const lasts = ({ expiresAt }: KeyCaller, now: number) => now < expiresAt
  const statement = prepareKeys(db)

  const load = async (tokens: KeyToken[]) => {
    const found = new Map<KeyToken, Tagged<KeyCaller, UserTags>>()
    let now: number | undefined
    for (let start = 0; start < tokens.length; start += batchSize) {
      const batch = tokens.slice(start, start + batchSize)
      const rows: Row[] = await statement.execute({ hashes: batch.map(({ hash }) => hash).join() })
      now ??= Number(rows[0]?.now) // of the first statement, which began after all requests
      const byHash = new Map(rows.map((row) => [row.hash, row]))
      for (const token of batch) {
        const row = byHash.get(token.hash)
        token.isKnown = row !== undefined
        token.rejected = row?.key ? rejectionOf(row, row.key) : undefined
        const owner = row?.user ?? row?.service
        if (!row || !owner) continue
        const tags = userTags(owner.id, row.epochs)
        const value = callerOf(row, tags)
        if (value) found.set(token, { value, tags })
      }
    }
    if (now === undefined) throw new Error('no keys were requested')
    return { found, now }
  }
  const keep = createFreshCache<KeyToken, KeyCaller, UserTags>(snapshots, {
    capacity,
    load,
    isCurrent,
    lasts
  })
  /**
   * By the text of the key, as with session tokens, so that a request does not hash it. Only keys
   * that are valid, so that others displace none.
   */
  const known = new Map<string, KeyToken>()
  return {
    /** Undefined for a text that is not a key, or whose checksum is wrong. */
    read(secret: string): KeyToken | undefined {
      const token = known.get(secret)
      if (token) return token
      const hash = hashOfKey(secret)
      return hash === undefined ? undefined : { hash, isKnown: false }
    },
    /**
     * Calls back with undefined for a key that is unknown or has ended, or whose owner has. Then
     * `isKnown` of the token distinguishes them.
     */
    find(
      secret: string,
      token: KeyToken,
      done: (error: unknown, caller?: KeyCaller, now?: number) => void
    ) {
      keep(token, (error, caller, now = 0) => {
        const valid = caller && lasts(caller, now) ? caller : undefined
        if (valid && !known.has(secret)) setBounded(known, secret, token, capacity)
        else if (!valid && error === undefined) known.delete(secret)
        done(error, valid, now)
      })
    }
  }
}

export type KeyCache = ReturnType<typeof createKeyCache>

/** A user or a service, on whose behalf a key acts. */
export interface KeyOwner {
  type: 'user' | 'service'
  id: string
  /** E-mail address or key. */
  label: string
}

/** An API key and what it may do now. */
export interface KeyCaller {
  owner: KeyOwner
  roles: string[]
  permissions: string[]
  key: { id: string; name: string; createdAt: string; expiresAt: string }
  /** The permissions to which the key is limited. */
  list: string[] | null
  /** The assurance with which the roles of its user count. */
  assurance: Assurance
  /** For checks that name a scope. */
  kept: RightsKept
  /** Whether the key may be used from this address. Undefined when it may from all. */
  isAllowedFrom: ((address: string | undefined) => boolean) | undefined
  /** Milliseconds. */
  expiresAt: number
}

/** Why a stored key is not accepted, once it is not. */
function rejectionOf(
  { user, service }: Row,
  { id, userId, serviceId, revokedAt }: NonNullable<Row['key']>
): RejectedKey {
  return {
    reason: revokedAt ? 'key-revoked' : (user ?? service) ? 'key-expired' : 'key-owner',
    key: id,
    userId: userId ?? undefined,
    serviceId: serviceId ?? undefined
  }
}

function callerOf({ key, user, service }: Row, tags: UserTags): KeyCaller | undefined {
  const account = user ?? service
  if (!key || key.revokedAt || !account) return undefined
  return {
    owner: {
      type: user ? 'user' : 'service',
      id: account.id,
      label: user?.email ?? service?.key ?? ''
    },
    ...effectiveRights({ roles: account.roles, permissions: account.permissions }, key.permissions),
    key: {
      id: key.id,
      name: key.name,
      createdAt: key.createdAt.toISOString(),
      expiresAt: key.expiresAt.toISOString()
    },
    list: key.permissions,
    assurance: user?.assurance ?? 1,
    kept: { tags, scopes: undefined },
    isAllowedFrom: key.networks === null ? undefined : parseNetworks(key.networks),
    expiresAt: key.expiresAt.getTime()
  }
}
