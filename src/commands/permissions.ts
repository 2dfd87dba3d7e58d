import type { Command } from 'commander'
import type { permissionSorts } from '../../db/schema/permissions.ts'
import {
  createPermission,
  deletePermission,
  findPermission,
  listPermissions,
  updatePermission
} from '../domain/access/custom-permissions.ts'
import { NewPermission, PermissionPatch } from '../schemas/roles.ts'
import { checked } from './input.ts'
import { printList } from './list.ts'
import { asData, asList, example } from './options.ts'
import type { Json, ListOptions } from './options.ts'
import { printJson, printOne, say } from './output.ts'
import { withPortal } from './portal.ts'
import { requireConfirmation } from './terminal.ts'

interface Described {
  description?: string
}

export function addPermissionCommands(program: Command) {
  const permission = program
    .command('permission')
    .description('permissions of the portal and of the app')
  example(permission, 'portal permission list', 'portal permission create invoices:read')

  const list = asList(permission.command('list').description('list permissions'), [
    'key',
    '-createdAt'
  ])
  example(list, 'portal permission list --json')
  list.action(async (options: ListOptions<(typeof permissionSorts)[number]>) =>
    withPortal(({ db }) =>
      printList(options, (window) => listPermissions(db, window), [
        'key',
        'description',
        'system',
        'createdAt'
      ])
    )
  )

  const one = asData(permission.command('show').description('show a permission').argument('<key>'))
  example(one, 'portal permission show users:read')
  one.action(async (key: string, { json }: Json) =>
    withPortal(async ({ db }) => printOne(await findPermission(db, key), json))
  )

  const create = asData(
    permission
      .command('create')
      .description('create a permission, which is granted to the role admin at once')
      .argument('<key>', 'noun and verb, such as invoices:read')
  ).option('--description <text>', 'what the permission allows')
  example(create, 'portal permission create invoices:read --description "See invoices"')
  create.action(async (key: string, { description, json }: Json & Described) =>
    withPortal(async ({ db, actor }) => {
      const input = await checked(NewPermission, { key, description })
      await printOne(await createPermission(db, actor, input), json)
    })
  )

  const update = asData(
    permission.command('update').description('update the description').argument('<key>')
  ).requiredOption('--description <text>', 'what the permission allows')
  example(update, 'portal permission update invoices:read --description "See invoices"')
  update.action(async (key: string, { description, json }: Json & Described) =>
    withPortal(async ({ db, actor }) => {
      const changes = await checked(PermissionPatch, { description })
      await printOne(await updatePermission(db, actor, { key, changes }), json)
    })
  )

  const remove = asData(
    permission
      .command('delete')
      .description('delete a permission and revoke it from every role')
      .argument('<key>')
  ).option('--yes', 'do not ask for confirmation')
  example(remove, 'portal permission delete invoices:read --yes')
  remove.action(async (key: string, { yes, json }: Json & { yes?: boolean }) =>
    withPortal(async ({ db, actor }) => {
      await findPermission(db, key)
      const what = `This deletes the permission ${key} and revokes it from every role.`
      await requireConfirmation(what, yes)
      await deletePermission(db, actor, { key })
      say('Deleted.')
      if (json) await printJson({ deleted: key })
    })
  )
}
