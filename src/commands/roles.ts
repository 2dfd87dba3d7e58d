import { Option } from 'commander'
import type { Command } from 'commander'
import type { roleSorts } from '../../db/schema/roles.ts'
import { grantPermission, revokePermission } from '../domain/access/memberships.ts'
import { deleteRole } from '../domain/access/role-deletion.ts'
import { createRole, findRole, listRoles, updateRole } from '../domain/access/roles.ts'
import { NewRole, RolePatch } from '../schemas/roles.ts'
import { mapPage, printList } from './list.ts'
import { sayMemberFactors } from './member-factors.ts'
import { asData, asList, example } from './options.ts'
import type { Json, ListOptions } from './options.ts'
import { printJson, printOne, say } from './output.ts'
import { withPortal } from './portal.ts'
import { checked, requireConfirmation } from './terminal.ts'

interface Words {
  name?: string
  description?: string
  secondFactor?: (typeof secondFactorChoices)[number]
}
const secondFactorChoices = ['required', 'not-required'] as const
const secondFactorOption = () =>
  new Option(
    '--second-factor <rule>',
    'whether the role counts only in sessions with a second factor'
  ).choices(secondFactorChoices)

/** The options as the API names them. */
const fieldsOf = ({ secondFactor, ...words }: Words) => ({
  ...words,
  ...(secondFactor && { requiresSecondFactor: secondFactor === 'required' })
})
type Role = Awaited<ReturnType<typeof findRole>>

const showRole = ({ version, revision, ...role }: Role, json: boolean | undefined) =>
  printOne(role, json)

export function addRoleCommands(program: Command) {
  const role = program.command('role').description('roles and their permissions')
  example(role, 'portal role list', 'portal role grant support users:read')
  addReading(role)
  addWriting(role)
  addGrants(role)
}

function addReading(role: Command) {
  const list = asList(role.command('list').description('list roles'), ['key', '-createdAt'])
  example(list, 'portal role list')
  list.action(async (options: ListOptions<(typeof roleSorts)[number]>) =>
    withPortal(async ({ db }) =>
      printList(
        options,
        async (window) => mapPage(await listRoles(db, window), ({ version, ...row }) => row),
        [
          'key',
          'name',
          'description',
          'system',
          ['second factor', (row) => (row.requiresSecondFactor ? 'required' : '-')],
          ['permissions', (row) => row.permissions.length]
        ]
      )
    )
  )

  const show = asData(
    role.command('show').description('show a role and its permissions').argument('<key>')
  )
  example(show, 'portal role show admin')
  show.action(async (key: string, { json }: Json) =>
    withPortal(async ({ db }) => showRole(await findRole(db, key), json))
  )
}

function addWriting(role: Command) {
  const create = asData(
    role
      .command('create')
      .description('create a role')
      .argument('<key>', 'lowercase letters, digits and hyphens')
      .argument('[permissions...]')
  )
    .requiredOption('--name <name>', 'display name')
    .option('--description <text>', 'purpose of the role')
    .addOption(secondFactorOption())
  example(create, 'portal role create support users:read sessions:read --name Support')
  create.action(async (key: string, permissions: string[], { json, ...words }: Json & Words) =>
    withPortal(async ({ db, actor }) => {
      const input = await checked(NewRole, { key, ...fieldsOf(words), permissions })
      await showRole(await createRole(db, actor, input), json)
    })
  )

  const update = asData(
    role
      .command('update')
      .description('update name, description, or whether a second factor is required')
      .argument('<key>')
  )
    .option('--name <name>', 'display name')
    .option('--description <text>', 'purpose of the role')
    .addOption(secondFactorOption())
  example(
    update,
    'portal role update support --description "Answers customer questions"',
    'portal role update admin --second-factor required'
  )
  update.action(async (key: string, { json, ...words }: Json & Words) =>
    withPortal(async ({ db, actor }) => {
      const changes = await checked(RolePatch, fieldsOf(words))
      await showRole(await updateRole(db, actor, { key, changes }), json)
      if (changes.requiresSecondFactor === true) await sayMemberFactors(db, { role: key })
    })
  )

  const remove = asData(
    role
      .command('delete')
      .description('delete a role and revoke it from its members')
      .argument('<key>')
  ).option('--yes', 'do not ask for confirmation')
  example(remove, 'portal role delete support --yes')
  remove.action(async (key: string, { yes, json }: Json & { yes?: boolean }) =>
    withPortal(async ({ db, actor }) => {
      await findRole(db, key)
      const what = `This deletes the role ${key} and revokes it from all of its members.`
      await requireConfirmation(what, yes)
      await deleteRole(db, actor, { key })
      say('Deleted.')
      if (json) await printJson({ deleted: key })
    })
  )
}

function addGrants(role: Command) {
  for (const [name, what, change] of [
    ['grant', 'grant a permission to a role', grantPermission],
    ['revoke', 'revoke a permission from a role', revokePermission]
  ] as const) {
    const command = asData(
      role.command(name).description(what).argument('<key>').argument('<permission>')
    )
    example(command, `portal role ${name} support users:read`)
    command.action(async (key: string, permission: string, { json }: Json) =>
      withPortal(async ({ db, actor }) => {
        await change(db, actor, { role: key, permission })
        say('Done.')
        if (json) await showRole(await findRole(db, key), json)
      })
    )
  }
}
