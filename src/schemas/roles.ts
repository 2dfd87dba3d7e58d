import { Type } from '@sinclair/typebox'
import {
  descriptionLength,
  permissionKeyForm,
  permissionKeyLength,
  roleKeyForm,
  roleKeyLength
} from '../../db/schema/roles.ts'
import { nameLength } from '../../db/schema/users.ts'
import { pageOf } from './lists.ts'
import { closed, Id, newDescription, text, Timestamp } from './primitives.ts'
import { field } from './users.ts'

export const RoleKey = Type.String({
  minLength: roleKeyLength.min,
  maxLength: roleKeyLength.max,
  pattern: roleKeyForm.source,
  description: 'Unique role key: lowercase letters, digits and hyphens',
  examples: ['support-agent']
})
export const PermissionKey = Type.String({
  minLength: permissionKeyLength.min,
  maxLength: permissionKeyLength.max,
  pattern: permissionKeyForm.source,
  description: 'Unique permission key: a noun and a verb, separated by a colon',
  examples: ['invoices:read']
})
const examples = ['Answers customer questions']
const description = text(descriptionLength.max, { examples })
const changedDescription = Type.Optional(newDescription({ examples }))
const requiresSecondFactor = Type.Boolean({
  description: 'Whether the role counts only in sessions with a second factor'
})
const scoped = Type.Boolean({
  description: 'Whether the role is granted in scopes, instead of everywhere; never changes'
})
const isSystem = Type.Boolean({
  description: 'Whether it is part of the portal and cannot be renamed or deleted'
})

export const Role = closed(
  {
    id: Id('Role id; never changes'),
    key: RoleKey,
    name: text(nameLength.max, { minLength: nameLength.min, examples: ['Support'] }),
    description,
    system: isSystem,
    requiresSecondFactor,
    scoped,
    permissions: Type.Array(PermissionKey, {
      maxItems: 1000,
      description: 'Keys of its permissions'
    }),
    createdAt: Timestamp('Time of creation'),
    updatedAt: Timestamp('Time of the last change, including changes of its permissions')
  },
  { $id: 'Role', description: 'A role: a named set of permissions that is granted to users' }
)
export const RolePage = pageOf('RolePage', Role, 'A page of roles')

export const NewRole = closed(
  {
    key: RoleKey,
    name: field.name,
    description: changedDescription,
    requiresSecondFactor: Type.Optional(requiresSecondFactor),
    scoped: Type.Optional(scoped),
    permissions: Type.Optional(
      Type.Array(PermissionKey, {
        maxItems: 1000,
        uniqueItems: true,
        description: 'Keys of its permissions; none by default'
      })
    )
  },
  {
    $id: 'NewRole',
    description: 'A new role',
    examples: [
      {
        key: 'support-agent',
        name: 'Support',
        description: examples[0],
        permissions: ['users:read']
      }
    ]
  }
)

export const RolePatch = closed(
  {
    name: Type.Optional(field.name),
    description: changedDescription,
    requiresSecondFactor: Type.Optional(requiresSecondFactor)
  },
  {
    $id: 'RolePatch',
    examples: [{ description: 'Answers questions of customers' }],
    minProperties: 1,
    description: 'Merge patch: omitted fields keep their value'
  }
)

export const Permission = closed(
  {
    key: PermissionKey,
    description,
    system: isSystem,
    createdAt: Timestamp('Time of creation')
  },
  { $id: 'Permission', description: 'A permission that the portal or the app requires' }
)
export const PermissionPage = pageOf('PermissionPage', Permission, 'A page of permissions')

export const NewPermission = closed(
  { key: PermissionKey, description: changedDescription },
  { $id: 'NewPermission', description: 'A new permission; the role `admin` is granted it at once' }
)

export const PermissionPatch = closed(
  { description: changedDescription },
  {
    $id: 'PermissionPatch',
    minProperties: 1,
    description: 'Merge patch: omitted fields keep their value'
  }
)
