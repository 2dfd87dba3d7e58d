import { Type } from '@sinclair/typebox'
import { scopeForm, scopeLimits } from '../../db/schema/scopes.ts'
import { pageOf } from './lists.ts'
import { closed, Id, text, Timestamp } from './primitives.ts'
import { PermissionKey, RoleKey } from './roles.ts'

export const ScopeKey = Type.String({
  maxLength: 81,
  pattern: scopeForm.source,
  description:
    'Scope: a kind in lowercase letters, a colon, and letters, digits, hyphens and underscores',
  examples: ['org:42']
})

const keys = (description: string, item: typeof RoleKey) =>
  Type.Array(item, { maxItems: 1000, description })

/** @public a component of the API document */
export const RightsInScope = closed(
  {
    key: ScopeKey,
    roles: keys("Keys of the user's roles in the scope that count in this session", RoleKey),
    suspendedRoles: keys(
      'Keys of those that do not count in this session, because they require a second factor',
      RoleKey
    ),
    permissions: keys('Keys of all permissions of these `roles`', PermissionKey)
  },
  {
    $id: 'RightsInScope',
    description:
      'What the user may do in the scope, besides what they may do everywhere; empty without a role'
  }
)

export const Scope = closed(
  {
    key: ScopeKey,
    members: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      format: 'int32',
      description: 'Number of users with a role in the scope'
    })
  },
  { $id: 'Scope', description: 'A scope in which somebody has a role' }
)

/** @public a component of the API document */
export const Member = closed(
  {
    user: closed(
      {
        id: Id('User id'),
        email: text(254, { description: 'E-mail address', examples: ['ada@example.com'] }),
        name: text(100, { description: 'Name', examples: ['Ada Lovelace'] })
      },
      { description: 'The member' }
    ),
    roles: Type.Array(closed({ key: RoleKey, grantedAt: Timestamp('Time of the grant') }), {
      maxItems: 1000,
      description: 'Roles of the member in the scope'
    })
  },
  { $id: 'Member', description: 'A user with roles in a scope' }
)
export const MemberPage = pageOf('MemberPage', Member, 'A page of the members of a scope')

export const UserScopes = closed(
  {
    items: Type.Array(
      closed({ scope: ScopeKey, roles: keys("Keys of the user's roles in the scope", RoleKey) }),
      { maxItems: scopeLimits.ofUser, description: 'Sorted by scope' }
    )
  },
  { $id: 'UserScopes', description: 'Scopes in which a user has roles' }
)
