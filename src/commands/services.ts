import { serviceSorts } from '../../db/schema/services.ts'
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
import { command, grants, group, list, prints, removal, searchOption, show } from './command.ts'
import { unversioned } from './list.ts'
import { checked } from './terminal.ts'

const name = ['--name <name>', 'display name'] as const
const description = ['--description <text>', 'purpose of the service'] as const

const withStatus = (status: 'active' | 'deactivated', what: string) =>
  command({
    what,
    examples: ['reporting'],
    run: prints(async ({ db, actor }, _, key) =>
      updateService(db, actor, { key, changes: { status } })
    )
  })

export const serviceCommands = group({
  what: 'services: accounts of scripts, jobs and other servers',
  examples: ['portal service list', 'portal service grant reporting report-reader'],
  commands: {
    list: list({
      what: 'list services',
      options: searchOption('the key, the name or the description'),
      sorts: serviceSorts,
      rows: async ({ db }, window, { q }) => unversioned(await listServices(db, { q, ...window })),
      columns: ['key', 'name', 'description', 'status', 'roles']
    }),
    'show <key>': show({
      what: 'show a service and its permissions',
      examples: ['reporting'],
      find: findService
    }),
    'create <key>': command({
      what: 'create a service',
      args: { key: 'lowercase letters, digits and hyphens' },
      options: [[...name, { required: true }], description],
      examples: ['reporting --name Reporting'],
      run: prints(async ({ db, actor }, { json, ...words }, key) =>
        createService(db, actor, await checked(NewService, { key, ...words }))
      )
    }),
    'update <key>': command({
      what: 'update name or description',
      options: [name, description],
      examples: ['reporting --description "Writes the nightly report"'],
      run: prints(async ({ db, actor }, { json, ...words }, key) =>
        updateService(db, actor, { key, changes: await checked(ServicePatch, words) })
      )
    }),
    'deactivate <key>': withStatus(
      'deactivated',
      'reject the keys of a service, until it is active again'
    ),
    'reactivate <key>': withStatus('active', 'accept the keys of a service again'),
    'delete <key>': removal({
      what: 'delete a service and its keys',
      examples: ['reporting --yes'],
      find: findService,
      remove: deleteService,
      question: (key) => `This deletes the service ${key} and all of its keys.`
    }),
    ...grants({
      noun: 'service',
      granted: 'role',
      args: { key: 'key of the service', role: 'key of the role' },
      example: 'reporting report-reader',
      wanted: (service, role) => ({ service, role }),
      grant: grantServiceRole,
      revoke: revokeServiceRole,
      find: findService
    })
  }
})
