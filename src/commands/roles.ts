import { permissionSorts, roleSorts } from '../../db/schema/roles.ts'
import {
  createPermission,
  deletePermission,
  findPermission,
  listPermissions,
  updatePermission
} from '../domain/access/custom-permissions.ts'
import { grantPermission, revokePermission } from '../domain/access/memberships.ts'
import { deleteRole } from '../domain/access/role-deletion.ts'
import { createRole, findRole, listRoles, updateRole } from '../domain/access/roles.ts'
import { NewPermission, NewRole, PermissionPatch, RolePatch } from '../schemas/roles.ts'
import {
  command,
  grants,
  group,
  inPortal,
  list,
  printItem,
  prints,
  removal,
  searchOption,
  show
} from './command.ts'
import type { Given } from './options.ts'
import { unversioned } from './list.ts'
import { checked } from './terminal.ts'
import { sayMemberFactors } from './user-argument.ts'

const secondFactorChoices = ['required', 'not-required'] as const
const name = ['--name <name>', 'display name'] as const
const words = [
  ['--description <text>', 'purpose of the role'],
  [
    '--second-factor <rule>',
    'whether the role counts only in sessions with a second factor',
    { choices: secondFactorChoices }
  ]
] as const

/** The options as the API names them. */
const fieldsOf = ({
  name,
  description,
  secondFactor
}: Given<typeof words> & { name?: string }) => ({
  name,
  description,
  requiresSecondFactor: secondFactor && secondFactor === 'required'
})

export const roleCommands = group({
  what: 'roles and their permissions',
  examples: ['portal role list', 'portal role grant support users:read'],
  commands: {
    list: list({
      what: 'list roles',
      options: searchOption('the key, the name or the description'),
      sorts: roleSorts,
      rows: async ({ db }, window, { q }) => unversioned(await listRoles(db, { q, ...window })),
      columns: [
        'key',
        'name',
        'description',
        'system',
        ['held', (row) => (row.scoped ? 'in scopes' : 'everywhere')],
        ['second factor', (row) => (row.requiresSecondFactor ? 'required' : '-')],
        ['permissions', (row) => row.permissions.length]
      ]
    }),
    'show <key>': show({
      what: 'show a role and its permissions',
      examples: ['admin'],
      find: findRole
    }),
    'create <key> [permissions...]': command({
      what: 'create a role',
      args: { key: 'lowercase letters, digits and hyphens' },
      options: [
        [...name, { required: true }],
        ...words,
        ['--scoped', 'grant it in scopes, such as org:1, instead of everywhere']
      ],
      examples: [
        'support users:read sessions:read --name Support',
        'manager members:manage --name Manager --scoped'
      ],
      run: prints(async ({ db, actor }, { scoped, ...given }, key, ...permissions) =>
        createRole(
          db,
          actor,
          await checked(NewRole, { key, ...fieldsOf(given), scoped, permissions })
        )
      )
    }),
    'update <key>': command({
      what: 'update name, description, or whether a second factor is required',
      options: [name, ...words],
      examples: [
        'support --description "Answers customer questions"',
        'admin --second-factor required'
      ],
      run: inPortal(async ({ db, actor }, given, key) => {
        const changes = await checked(RolePatch, fieldsOf(given))
        await printItem(await updateRole(db, actor, { key, changes }), given.json)
        if (changes.requiresSecondFactor === true) await sayMemberFactors(db, { role: key })
      })
    }),
    'delete <key>': removal({
      what: 'delete a role and revoke it from its members',
      examples: ['support --yes'],
      find: findRole,
      remove: deleteRole,
      question: (key) => `This deletes the role ${key} and revokes it from all of its members.`
    }),
    ...grants({
      noun: 'role',
      granted: 'permission',
      example: 'support users:read',
      wanted: (role, permission) => ({ role, permission }),
      grant: grantPermission,
      revoke: revokePermission,
      find: findRole
    })
  }
})

const permissionText = ['--description <text>', 'what the permission allows'] as const

export const permissionCommands = group({
  what: 'permissions of the portal and of the app',
  examples: ['portal permission list', 'portal permission create invoices:read'],
  commands: {
    list: list({
      what: 'list permissions',
      examples: ['--json'],
      sorts: permissionSorts,
      rows: ({ db }, window) => listPermissions(db, window),
      columns: ['key', 'description', 'system', 'createdAt']
    }),
    'show <key>': show({
      what: 'show a permission',
      examples: ['users:read'],
      find: findPermission
    }),
    'create <key>': command({
      what: 'create a permission, which is granted to the role admin at once',
      args: { key: 'noun and verb, such as invoices:read' },
      options: [permissionText],
      examples: ['invoices:read --description "See invoices"'],
      run: prints(async ({ db, actor }, { description }, key) =>
        createPermission(db, actor, await checked(NewPermission, { key, description }))
      )
    }),
    'update <key>': command({
      what: 'update the description',
      options: [[...permissionText, { required: true }]],
      examples: ['invoices:read --description "See invoices"'],
      run: prints(async ({ db, actor }, { description }, key) => {
        const changes = await checked(PermissionPatch, { description })
        return updatePermission(db, actor, { key, changes })
      })
    }),
    'delete <key>': removal({
      what: 'delete a permission and revoke it from every role',
      examples: ['invoices:read --yes'],
      find: findPermission,
      remove: deletePermission,
      question: (key) => `This deletes the permission ${key} and revokes it from every role.`
    })
  }
})
