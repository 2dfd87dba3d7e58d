import { and, eq, gt, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import {
  apiKeyDays,
  apiKeyNameLength,
  apiKeys,
  mostApiKeys,
  mostNewApiKeys
} from '../../../db/schema/services.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import type { Assurance } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { ofDays } from '../../../db/time.ts'
import { authorized } from '../access/authorize.ts'
import { requireKnown } from '../access/roles.ts'
import { record } from '../activity/record.ts'
import { isSessionOf } from '../actor.ts'
import type { Actor, Author, SignedInActor } from '../actor.ts'
import { checkAll, confirmEmailFirst, DomainError, requireItems } from '../errors.ts'
import { requireRecentAuthentication } from '../factors/recent-authentication.ts'
import type { KeyOwner } from '../keys/key-cache.ts'
import { newKey } from '../keys/key-form.ts'
import { targetOf } from '../keys/key-uses.ts'
import { countKeys, isOwnedBy, shownKey } from '../keys/keys.ts'
import { canonicalNetwork } from '../networks.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import type { Context } from '../sign-in/context.ts'
import { requireText } from '../texts.ts'
import { currentUserForKey, lockUser } from '../users/users.ts'
import { authorizedOnService } from './services.ts'

interface NewKey {
  name: string
  /** Days after which it expires. */
  days?: number | undefined
  permissions?: string[] | undefined
  networks?: string[] | undefined
}

/**
 * Creates a key of the actor, who must have authenticated recently, and where mail is delivered
 * have confirmed their address: otherwise somebody could register with the address of another
 * person and keep a way in. Roles that require a second factor count for the key if this session
 * has proved one and the account has one. Throws `permission-denied`, `reauthentication-required`,
 * `email-unverified`, `too-many-keys`, and `exceeds-own-permissions` for a permission that the
 * actor or the key would lack.
 */
export async function createOwnKey(
  { db, mail }: Pick<Context, 'db' | 'mail'>,
  actor: SignedInActor,
  input: NewKey
) {
  const cleaned = await cleanKey(input)
  const lock = (tx: Db) => lockUser(tx, actor.id)
  return authorized(db, actor, 'keys:create', lock, async (tx, by, user) => {
    if (!user) throw new DomainError('unauthenticated')
    if (mail?.delivers && !user.emailVerifiedAt) throw confirmEmailFirst()
    await requireRecentAuthentication(tx, actor, user)
    await requireKnown(tx, cleaned.permissions ?? [])
    by.requireAll(cleaned.permissions ?? [])
    const rights = await rightsOfKey(tx, actor)
    const lacks = (each: string) => !rights.permissions.includes(each)
    if (cleaned.permissions?.some(lacks)) throw needsOwnFactor()
    const owner = { type: 'user', id: user.id } as const
    const created = await insertKey(tx, owner, rights.assurance, cleaned)
    await recordNew(tx, by, owner, created)
    await notify(tx, mail, user, {
      kind: 'key-created',
      ...factsOf(actor),
      name: created.name,
      lastFour: created.lastFour
    })
    return created
  })
}

/**
 * The assurance of the actor's session, and the permissions that a key without a list has with it.
 * They are fewer than those of the session if two factors were proved at a provider only.
 */
async function rightsOfKey(tx: Db, actor: SignedInActor) {
  const { permissions } = currentUserForKey(sql`${sessions.assurance}`)
  const [found] = await tx
    .select({ assurance: sessions.assurance, permissions })
    .from(users)
    .innerJoin(sessions, isSessionOf(actor))
    .where(eq(users.id, actor.id))
  if (!found) throw new DomainError('unauthenticated')
  return found
}

const needsOwnFactor = () =>
  new DomainError('exceeds-own-permissions', {
    detail:
      'A key can have a permission of a role that requires a second factor only if your account ' +
      'has one. Set up an authenticator app or a passkey first.'
  })

/**
 * Creates a key of a service. Throws `service-not-found`, `too-many-keys`, and
 * `exceeds-own-permissions` when the service has more permissions than the actor, or lacks one of
 * those of the key.
 */
export async function createServiceKey(
  db: Db,
  actor: Actor,
  { service: serviceKey, ...input }: NewKey & { service: string }
) {
  const cleaned = await cleanKey(input)
  const which = { key: serviceKey, permission: 'services:update' } as const
  return authorizedOnService(db, actor, which, async (tx, by, service) => {
    const list = cleaned.permissions ?? []
    await requireKnown(tx, list)
    if (list.some((each) => !service.permissions.includes(each))) throw exceedsOwner()
    const owner = { type: 'service', id: service.id } as const
    const created = await insertKey(tx, owner, 1, cleaned)
    await recordNew(tx, by, owner, created)
    return created
  })
}

const exceedsOwner = () =>
  new DomainError('exceeds-own-permissions', {
    detail: 'A key cannot have a permission that its service lacks. Grant the service a role first.'
  })

const recordNew = (
  tx: Db,
  by: Author,
  owner: { type: 'user' | 'service'; id: string },
  { id: key, name, permissions, networks, expiresAt }: Created
) =>
  record(tx, by, 'key.create', {
    target: targetOf(owner),
    details: {
      key,
      name,
      permissions: permissions ?? undefined,
      networks: networks ?? undefined,
      expiresAt: expiresAt.toISOString()
    }
  })

type Created = Omit<Awaited<ReturnType<typeof insertKey>>, 'secret'>

/** Normalizes the name and the networks. Throws a refusal that names every invalid field. */
async function cleanKey(input: NewKey): Promise<NewKey> {
  const [name, networks] = await checkAll(
    () => requireText(input.name, apiKeyNameLength.max, '/name'),
    () => input.networks && cleanNetworks(input.networks)
  )
  return { ...input, name, networks }
}

function cleanNetworks(given: string[]) {
  const networks = given.map((text) => canonicalNetwork(text))
  requireItems(networks, (network) => network !== undefined, {
    pointer: '/networks',
    code: 'malformed',
    message: 'Must be an IP address, or a network such as 192.0.2.0/24 or 2001:db8::/32'
  })
  return [...new Set(networks.flatMap((network) => network ?? []))]
}

/**
 * Stores a new key and returns it with its text, which is shown once. Call it with the owner
 * locked, so that the numbers of keys are exact. Throws `too-many-keys`. No bump: nobody keeps that
 * a key is unknown.
 */
async function insertKey(
  tx: Db,
  owner: Pick<KeyOwner, 'type' | 'id'>,
  assurance: Assurance,
  { name, days = apiKeyDays.default, permissions, networks }: NewKey
) {
  if ((await countKeys(tx, owner)) >= mostApiKeys) throw new DomainError('too-many-keys')
  if ((await countNewKeys(tx, owner)) >= mostNewApiKeys) {
    throw new DomainError('too-many-keys', {
      detail: 'There were already 50 new API keys within 24 hours. Create the next one later.'
    })
  }
  const { secret, hash, lastFour } = newKey()
  const [created] = await tx
    .insert(apiKeys)
    .values({
      id: uuid(),
      ...(owner.type === 'user' ? { userId: owner.id } : { serviceId: owner.id }),
      name,
      hash,
      lastFour,
      permissions: permissions ?? null,
      assurance,
      networks: networks ?? null,
      createdAt: sql`now()`,
      expiresAt: sql`now() + ${ofDays(days)}`
    })
    .returning(shownKey)
  if (!created) throw new Error('nothing was inserted')
  return { ...created, secret }
}

/**
 * The number of keys of an owner that were created within a day, also those that have ended. Those
 * of the time before a recovery do not count, because a thief may have created them. Only proof of
 * the mailbox begins anew: a thief could repeat anything else, and each key causes a mail.
 */
function countNewKeys(tx: Db, owner: Pick<KeyOwner, 'type' | 'id'>) {
  const recovery = tx.select({ at: users.recoveredAt }).from(users).where(eq(users.id, owner.id))
  const since = sql`greatest(now() - interval '1 day', (${recovery}))` // which ignores null
  return tx.$count(apiKeys, and(isOwnedBy(owner), gt(apiKeys.createdAt, since)))
}
