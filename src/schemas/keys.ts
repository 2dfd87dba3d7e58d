import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import {
  apiKeyDays,
  apiKeyNameLength,
  apiKeyStates,
  mostKeyPermissions,
  mostNetworks
} from '../../db/schema/services.ts'
import { pageOf } from './lists.ts'
import {
  closed,
  Id,
  integer,
  nullable,
  oneOf,
  plainText,
  published,
  text,
  Timestamp
} from './primitives.ts'
import { PermissionKey } from './roles.ts'

const name = text(apiKeyNameLength.max, {
  minLength: apiKeyNameLength.min,
  description: 'What the key is for',
  examples: ['Nightly report']
})
const network = Type.String({
  maxLength: 50,
  pattern: plainText,
  description: 'An IP address, or a network in CIDR notation',
  examples: ['192.0.2.0/24']
})
const listOf = (item: TSchema, maxItems: number, description: string) =>
  Type.Unsafe<string[] | null>(nullable(Type.Array(item, { maxItems, description })))

const shown = {
  id: Id('Id of the key; not secret'),
  name,
  lastFour: Type.String({
    maxLength: 4,
    pattern: '^[0-9A-Za-z]{4}$',
    description: 'End of the key, by which it is recognized',
    examples: ['x7Qa']
  }),
  state: oneOf(apiKeyStates, { description: 'Whether the key has ended, and why' }),
  permissions: listOf(
    PermissionKey,
    mostKeyPermissions,
    'Permissions to which the key is limited; null for all of its owner'
  ),
  networks: listOf(network, mostNetworks, 'Networks from which the key works; null for all'),
  createdAt: Timestamp('Time of creation'),
  expiresAt: Timestamp('Time from which the key is not valid'),
  revokedAt: nullable(Timestamp('Time of its revocation')),
  lastUsedAt: nullable(Timestamp('Time of the last use, written once a minute'))
}

/** @public a component of the API document */
export const ApiKey = closed(shown, {
  $id: 'ApiKey',
  description: 'An API key, without its secret'
})
export const ApiKeyPage = pageOf('ApiKeyPage', ApiKey, 'A page of API keys')

const owner = closed(
  {
    type: oneOf(['user', 'service'], { description: 'Kind of owner' }),
    id: Id('Id of the user or the service'),
    label: text(254, {
      description: 'E-mail address of the user, or key of the service',
      examples: ['reporting']
    })
  },
  { description: 'On whose behalf the key acts' }
)

/** @public a component of the API document */
export const OwnedApiKey = closed(
  { ...shown, owner },
  { $id: 'OwnedApiKey', description: 'An API key and its owner, without its secret' }
)
export const OwnedApiKeyPage = pageOf(
  'OwnedApiKeyPage',
  OwnedApiKey,
  'A page of API keys and their owners'
)

export const CreatedApiKey = closed(
  {
    ...shown,
    secret: Type.String({
      maxLength: 57,
      pattern: '^portal_[A-Za-z0-9_-]{43}_[0-9A-Za-z]{6}$',
      description: 'The key itself, which is shown only here'
    })
  },
  { $id: 'CreatedApiKey', description: 'A new API key, with its secret' }
)

export const NewApiKey = closed(
  {
    name: text(4 * apiKeyNameLength.max, {
      description: 'What the key is for',
      examples: ['Nightly report'],
      ...published({ minLength: apiKeyNameLength.min, maxLength: apiKeyNameLength.max })
    }),
    days: Type.Optional(
      integer(
        1,
        apiKeyDays.most,
        `Number of days after which the key expires; ${apiKeyDays.default} by default`,
        { examples: [apiKeyDays.default] }
      )
    ),
    permissions: Type.Optional(
      Type.Array(PermissionKey, {
        maxItems: mostKeyPermissions,
        uniqueItems: true,
        description: 'Permissions to which the key is limited; without it all of its owner count'
      })
    ),
    networks: Type.Optional(
      Type.Array(network, {
        minItems: 1,
        maxItems: mostNetworks,
        uniqueItems: true,
        description: 'Networks from which the key works; without it all of them'
      })
    )
  },
  { $id: 'NewApiKey', description: 'An API key to create', examples: [{ name: 'Nightly report' }] }
)

export const Machine = closed(
  {
    owner,
    key: closed(
      {
        id: shown.id,
        name,
        createdAt: shown.createdAt,
        expiresAt: shown.expiresAt
      },
      { description: 'The key of this request' }
    ),
    roles: Type.Array(text(80, { examples: ['user'] }), {
      maxItems: 1000,
      description: "Keys of the owner's roles that count; none if the key has its own permissions"
    }),
    permissions: Type.Array(text(80, { examples: ['profile:read'] }), {
      maxItems: 1000,
      description: 'Keys of the permissions that the key has at this moment'
    })
  },
  { $id: 'Machine', description: 'An API key, its owner, and what it may do' }
)
