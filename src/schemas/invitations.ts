import { Type } from '@sinclair/typebox'
import { LinkToken } from './emails.ts'
import { pageOf } from './lists.ts'
import { closed, Id, ref, text, Timestamp } from './primitives.ts'
import { RoleKey } from './roles.ts'
import { ScopeKey } from './scopes.ts'
import { field } from './users.ts'

const roles = (description: string) => Type.Array(RoleKey, { maxItems: 1000, description })

/** @public a component of the API document */
export const OwnScope = closed(
  { scope: ScopeKey, roles: roles('Keys of the roles of the user there') },
  { $id: 'OwnScope', description: 'A scope in which the current user has roles' }
)
export const OwnScopes = closed(
  { items: Type.Array(ref(OwnScope), { maxItems: 1000 }) },
  { $id: 'OwnScopes', description: 'All scopes in which the current user has roles' }
)

export const Invitation = closed(
  {
    id: Id('Id of the invitation'),
    email: text(254, { description: 'The address', examples: ['ada@example.com'] }),
    role: RoleKey,
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
