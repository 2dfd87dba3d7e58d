import type { Command } from 'commander'
import type { permissionSorts } from '../../db/schema/permissions.ts'
import type { roleSorts } from '../../db/schema/roles.ts'
import { createPermission, deletePermission, findPermission, listPermissions, updatePermission } from '../domain/custom-permissions.ts'
import { grantPermission, revokePermission } from '../domain/memberships.ts'
import { createRole, deleteRole, findRole, listRoles, updateRole } from '../domain/roles.ts'
import { NewPermission, NewRole, PermissionPatch, RolePatch } from '../schemas/roles.ts'
import { checked } from './input.ts'
import { asData, asList, collect, example } from './options.ts'
import type { ListOptions } from './options.ts'
import { withPortal } from './portal.ts'
import { printOne, printRows, requireConfirmation, say } from './terminal.ts'

interface Json { json?: true }
interface Words { name?: string, description?: string }
type Role = Awaited<ReturnType<typeof findRole>>

const roleFields = ['id', 'key', 'name', 'description', 'system', 'permissions', 'createdAt', 'updatedAt']
const permissionFields = ['key', 'description', 'system', 'createdAt']
const showRole = ({ version, revision, ...role }: Role, json: boolean | undefined) => printOne(role, roleFields, json === true)

export function addRoleCommands (program: Command) {
  const role = program.command('role').description('roles and what they permit')

  example(asList(role.command('list').description('list roles'), ['key', '-createdAt']), 'portal role list')
    .action(async (options: ListOptions<typeof roleSorts[number]>) => withPortal(async ({ db }) => {
      const rows = await collect(options, (window) => listRoles(db, window))
      printRows(rows.map(({ version, ...row }) => row), ['key', 'name', 'system', 'permissions'], options.json === true)
    }))

  example(asData(role.command('show').description('show a role').argument('<key>')), 'portal role show admin')
    .action(async (key: string, { json }: Json) => withPortal(async ({ db }) => showRole(await findRole(db, key), json)))

  example(asData(role.command('create').description('make a role').argument('<key>', 'small letters, digits and dashes').argument('[permissions...]'))
    .requiredOption('--name <name>', 'what to call it')
    .option('--description <text>', 'what it is for'), 'portal role create support users:read sessions:read --name Support')
    .action(async (key: string, permissions: string[], { name, description, json }: Json & Words & { name: string }) =>
      withPortal(async ({ db, actor }) => showRole(await createRole(db, actor, await checked(NewRole, { key, name, description, permissions })), json)))

  example(asData(role.command('update').description('change name or description').argument('<key>'))
    .option('--name <name>', 'what to call it')
    .option('--description <text>', 'what it is for'), 'portal role update support --description "Answers questions"')
    .action(async (key: string, { json, ...changes }: Json & Words) => withPortal(async ({ db, actor }) => showRole(await updateRole(db, actor, key, await checked(RolePatch, changes)), json)))

  example(role.command('delete').description('delete a role; who has it has it no more').argument('<key>').option('--yes', 'do not ask'), 'portal role delete support --yes')
    .action(async (key: string, { yes }: { yes?: boolean }) => withPortal(async ({ db, actor }) => {
      await findRole(db, key)
      await requireConfirmation(`This deletes the role ${key}, and takes it from everybody who has it.`, yes)
      await deleteRole(db, actor, key)
      say('deleted')
    }))

  for (const [name, what, change] of [['grant', 'add a permission to a role', grantPermission], ['revoke', 'take a permission from a role', revokePermission]] as const) {
    example(role.command(name).description(what).argument('<key>').argument('<permission>'), `portal role ${name} support users:read`)
      .action(async (key: string, permission: string) => withPortal(async ({ db, actor }) => {
        await change(db, actor, key, permission)
        say('done')
      }))
  }
}

export function addPermissionCommands (program: Command) {
  const permission = program.command('permission').description('what the portal and the app ask for')

  example(asList(permission.command('list').description('list permissions'), ['key', '-createdAt']), 'portal permission list --json')
    .action(async (options: ListOptions<typeof permissionSorts[number]>) => withPortal(async ({ db }) =>
      printRows(await collect(options, (window) => listPermissions(db, window)), permissionFields, options.json === true)))

  example(asData(permission.command('show').description('show a permission').argument('<key>')), 'portal permission show users:read')
    .action(async (key: string, { json }: Json) => withPortal(async ({ db }) => printOne(await findPermission(db, key), permissionFields, json === true)))

  example(asData(permission.command('create').description('make a permission, which the role admin has at once').argument('<key>', 'a noun and a verb, as in invoices:read'))
    .option('--description <text>', 'what it permits'), 'portal permission create invoices:read --description "See invoices"')
    .action(async (key: string, { description, json }: Json & Words) => withPortal(async ({ db, actor }) =>
      printOne(await createPermission(db, actor, await checked(NewPermission, { key, description })), permissionFields, json === true)))

  example(asData(permission.command('update').description('change the description').argument('<key>'))
    .requiredOption('--description <text>', 'what it permits'), 'portal permission update invoices:read --description "See invoices"')
    .action(async (key: string, { description, json }: Json & Words) => withPortal(async ({ db, actor }) =>
      printOne(await updatePermission(db, actor, key, await checked(PermissionPatch, { description })), permissionFields, json === true)))

  example(permission.command('delete').description('delete a permission; no role permits it any more').argument('<key>').option('--yes', 'do not ask'), 'portal permission delete invoices:read --yes')
    .action(async (key: string, { yes }: { yes?: boolean }) => withPortal(async ({ db, actor }) => {
      await findPermission(db, key)
      await requireConfirmation(`This deletes the permission ${key}, and takes it from every role.`, yes)
      await deletePermission(db, actor, key)
      say('deleted')
    }))
}
