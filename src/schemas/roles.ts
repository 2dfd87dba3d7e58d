import { Type } from '@sinclair/typebox'
import { descriptionLength, permissionKeyLength } from '../../db/schema/permissions.ts'
import { roleKeyLength, roleNameLength } from '../../db/schema/roles.ts'
import { pageOf } from './lists.ts'
import { closed, Id, newDescription, text, Timestamp } from './primitives.ts'
import { field } from './users.ts'

export const RoleKey = Type.String({
  minLength: roleKeyLength.min,
  maxLength: roleKeyLength.max,
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  description: 'Unique; small letters, digits and dashes',
  examples: ['support-agent']
})
export const PermissionKey = Type.String({
  minLength: permissionKeyLength.min,
  maxLength: permissionKeyLength.max,
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*:[a-z0-9]+(-[a-z0-9]+)*$',
  description: 'Unique; a noun and a verb',
  examples: ['invoices:read']
})
const examples = ['Answers questions of customers']
const description = text(descriptionLength.max, { examples })
const changedDescription = Type.Optional(newDescription({ examples }))
const isSystem = Type.Boolean({
  description: 'Part of the portal itself: cannot be renamed or deleted'
})

export const Role = closed(
  {
    id: Id('Never changes'),
    key: RoleKey,
    name: text(roleNameLength.max, { minLength: roleNameLength.min, examples: ['Support'] }),
    description,
    system: isSystem,
    permissions: Type.Array(PermissionKey, { maxItems: 1000, description: 'What it permits' }),
    createdAt: Timestamp('When it was made'),
    updatedAt: Timestamp('When it or its permissions were last changed')
  },
  { $id: 'Role', description: 'A role: a set of permissions that users are given' }
)
export const RolePage = pageOf('RolePage', Role, 'A page of roles')

export const NewRole = closed(
  {
    key: RoleKey,
    name: field.name,
    description: changedDescription,
    permissions: Type.Optional(
      Type.Array(PermissionKey, {
        maxItems: 1000,
        uniqueItems: true,
        description: 'None by default'
      })
    )
  },
  { $id: 'NewRole', description: 'A new role' }
)

export const RolePatch = closed(
  {
    name: Type.Optional(field.name),
    description: changedDescription
  },
  { $id: 'RolePatch', minProperties: 1, description: 'Merge patch: absent leaves' }
)

export const Permission = closed(
  {
    key: PermissionKey,
    description,
    system: isSystem,
    createdAt: Timestamp('When it was made')
  },
  { $id: 'Permission', description: 'A permission: what the portal or the app asks for' }
)
export const PermissionPage = pageOf('PermissionPage', Permission, 'A page of permissions')

export const NewPermission = closed(
  {
    key: PermissionKey,
    description: changedDescription
  },
  { $id: 'NewPermission', description: 'A new permission; the role `admin` has it at once' }
)

export const PermissionPatch = closed(
  {
    description: changedDescription
  },
  { $id: 'PermissionPatch', minProperties: 1, description: 'Merge patch' }
)
