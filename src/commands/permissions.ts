import { permissionSorts } from '../../db/schema/roles.ts'
import {
  createPermission,
  deletePermission,
  findPermission,
  listPermissions,
  updatePermission
} from '../domain/access/custom-permissions.ts'
import { NewPermission, PermissionPatch } from '../schemas/roles.ts'
import { command, group, list, prints, removal, show } from './command.ts'
import type { Json } from './options.ts'
import { checked } from './terminal.ts'

interface Words extends Json {
  description?: string
}
const description = ['--description <text>', 'what the permission allows'] as const

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
      options: [description],
      examples: ['invoices:read --description "See invoices"'],
      run: prints(async ({ db, actor }, { description }: Words, key) =>
        createPermission(db, actor, await checked(NewPermission, { key, description }))
      )
    }),
    'update <key>': command({
      what: 'update the description',
      options: [[...description, { required: true }]],
      examples: ['invoices:read --description "See invoices"'],
      run: prints(async ({ db, actor }, { description }: Words, key) => {
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
