import type { Command } from 'commander'
import type { serviceSorts } from '../../db/schema/services.ts'
import {
  createService,
  deleteService,
  findService,
  grantServiceRole,
  listServices,
  revokeServiceRole,
  updateService
} from '../domain/services/services.ts'
import { NewService, ServicePatch } from '../schemas/services.ts'
import { mapPage, printList } from './list.ts'
import { asData, asList, example } from './options.ts'
import type { Json, ListOptions } from './options.ts'
import { printJson, printOne, say } from './output.ts'
import { withPortal } from './portal.ts'
import { checked, requireConfirmation } from './terminal.ts'

interface Words {
  name?: string
  description?: string
}
type Service = Awaited<ReturnType<typeof findService>>

const showService = ({ version, revision, ...service }: Service, json: boolean | undefined) =>
  printOne(service, json)

export function addServiceCommands(program: Command) {
  const service = program
    .command('service')
    .description('services: accounts of scripts, jobs and other servers')
  example(service, 'portal service list', 'portal service grant reporting report-reader')
  addReading(service)
  addWriting(service)
  addStatus(service)
  addDelete(service)
  addRoles(service)
}

function addReading(service: Command) {
  const list = asList(service.command('list').description('list services'), ['key', '-createdAt'])
  example(list, 'portal service list')
  list.action(async (options: ListOptions<(typeof serviceSorts)[number]>) =>
    withPortal(async ({ db }) =>
      printList(
        options,
        async (window) => mapPage(await listServices(db, window), ({ version, ...row }) => row),
        ['key', 'name', 'description', 'status', 'roles']
      )
    )
  )

  const show = asData(
    service.command('show').description('show a service and its permissions').argument('<key>')
  )
  example(show, 'portal service show reporting')
  show.action(async (key: string, { json }: Json) =>
    withPortal(async ({ db }) => showService(await findService(db, key), json))
  )
}

function addWriting(service: Command) {
  const create = asData(
    service
      .command('create')
      .description('create a service')
      .argument('<key>', 'lowercase letters, digits and hyphens')
  )
    .requiredOption('--name <name>', 'display name')
    .option('--description <text>', 'purpose of the service')
  example(create, 'portal service create reporting --name Reporting')
  create.action(async (key: string, { json, ...words }: Json & Words) =>
    withPortal(async ({ db, actor }) => {
      const input = await checked(NewService, { key, ...words })
      await showService(await createService(db, actor, input), json)
    })
  )

  const update = asData(
    service.command('update').description('update name or description').argument('<key>')
  )
    .option('--name <name>', 'display name')
    .option('--description <text>', 'purpose of the service')
  example(update, 'portal service update reporting --description "Writes the nightly report"')
  update.action(async (key: string, { json, ...words }: Json & Words) =>
    withPortal(async ({ db, actor }) => {
      const changes = await checked(ServicePatch, words)
      await showService(await updateService(db, actor, { key, changes }), json)
    })
  )
}

function addStatus(service: Command) {
  for (const [name, status, what] of [
    ['deactivate', 'deactivated', 'reject the keys of a service, until it is active again'],
    ['reactivate', 'active', 'accept the keys of a service again']
  ] as const) {
    const command = asData(service.command(name).description(what).argument('<key>'))
    example(command, `portal service ${name} reporting`)
    command.action(async (key: string, { json }: Json) =>
      withPortal(async ({ db, actor }) =>
        showService(await updateService(db, actor, { key, changes: { status } }), json)
      )
    )
  }
}

function addDelete(service: Command) {
  const remove = asData(
    service.command('delete').description('delete a service and its keys').argument('<key>')
  ).option('--yes', 'do not ask for confirmation')
  example(remove, 'portal service delete reporting --yes')
  remove.action(async (key: string, { yes, json }: Json & { yes?: boolean }) =>
    withPortal(async ({ db, actor }) => {
      await findService(db, key)
      await requireConfirmation(`This deletes the service ${key} and all of its keys.`, yes)
      await deleteService(db, actor, { key })
      say('Deleted.')
      if (json) await printJson({ deleted: key })
    })
  )
}

function addRoles(service: Command) {
  for (const [name, what, change] of [
    ['grant', 'grant a role to a service', grantServiceRole],
    ['revoke', 'revoke a role from a service', revokeServiceRole]
  ] as const) {
    const command = asData(
      service
        .command(name)
        .description(what)
        .argument('<key>', 'key of the service')
        .argument('<role>', 'key of the role')
    )
    example(command, `portal service ${name} reporting report-reader`)
    command.action(async (key: string, role: string, { json }: Json) =>
      withPortal(async ({ db, actor }) => {
        await change(db, actor, { service: key, role })
        say('Done.')
        if (json) await showService(await findService(db, key), json)
      })
    )
  }
}
