import { Type } from '@sinclair/typebox'
import { scopeForm, scopeLimits } from '../../db/schema/scopes.ts'
import { LinkToken } from './emails.ts'
import { pageOf } from './lists.ts'
import { closed, Id, integer, ref, Timestamp } from './primitives.ts'
import { RoleKey } from './roles.ts'
import { CurrentUser, field, keys } from './users.ts'

export const ScopeKey = Type.String({
  maxLength: 81,
  pattern: scopeForm.source,
  description:
    'Scope: a kind in lowercase letters, a colon, and letters, digits, hyphens and underscores',
  examples: ['org:42']
})

const { id, email, name, roles, suspendedRoles, permissions } = CurrentUser.properties

/** @public a component of the API document */
export const RightsInScope = closed(
  { key: ScopeKey, roles, suspendedRoles, permissions },
  {
    $id: 'RightsInScope',
    description:
      'What the user may do in the scope, besides what they may do everywhere; empty without a role'
  }
)

export const Scope = closed(
  { key: ScopeKey, members: integer(1, 1_000_000, 'Number of users with a role in the scope') },
  { $id: 'Scope', description: 'A scope in which somebody has a role' }
)

/** @public a component of the API document */
export const Member = closed(
  {
    user: closed({ id, email, name }, { description: 'The member' }),
    roles: Type.Array(closed({ key: RoleKey, grantedAt: Timestamp('Time of the grant') }), {
      maxItems: 1000,
      description: 'Roles of the member in the scope'
    })
  },
  { $id: 'Member', description: 'A user with roles in a scope' }
)
export const MemberPage = pageOf('MemberPage', Member, 'A page of the members of a scope')

/** @public a component of the API document */
export const UserScope = closed(
  { scope: ScopeKey, roles: keys("Keys of the user's roles in the scope", ['manager']) },
  { $id: 'UserScope', description: 'A scope in which a user has roles' }
)
export const UserScopes = closed(
  {
    items: Type.Array(ref(UserScope), {
      maxItems: scopeLimits.ofUser,
      description: 'Sorted by scope'
    })
  },
  { $id: 'UserScopes', description: 'All scopes in which a user has roles' }
)

export const Invitation = closed(
  {
    ...{ id: Id('Id of the invitation'), email, role: RoleKey },
    invitedBy: Id('Id of the user who sent it'),
    createdAt: Timestamp('When it was sent'),
    expiresAt: Timestamp('When its link expires')
  },
  { $id: 'Invitation', description: 'An invitation that was not accepted yet' }
)
export const InvitationPage = pageOf('InvitationPage', Invitation, 'A page of invitations')

export const NewInvitation = closed(
  { email: field.email, role: RoleKey },
  { $id: 'NewInvitation', description: 'Whom to invite, and the role in the scope' }
)

export const InvitedRegistration = closed(
  { token: LinkToken.properties.token, name: field.name, password: field.newPassword },
  { $id: 'InvitedRegistration', description: 'A new account for the address of an invitation' }
)

export const JoinedScope = closed(
  { scope: ScopeKey, role: RoleKey },
  { $id: 'JoinedScope', description: 'A role in a scope that the user has now' }
)

export const NewScope = closed(
  {
    kind: Type.String({
      maxLength: 20,
      pattern: '^[a-z]{1,20}$',
      description: 'The part of its name before the colon',
      examples: ['project']
    })
  },
  { $id: 'NewScope', description: 'A scope to open' }
)
