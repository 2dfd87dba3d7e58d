import { Command, Help, Option } from 'commander'
import type { permissionSorts } from '../../db/schema/roles.ts'
import { transaction } from '../../db/transaction.ts'
import {
  createPermission,
  deletePermission,
  findPermission,
  listPermissions,
  updatePermission
} from '../domain/access/custom-permissions.ts'
import { record } from '../domain/activity/record.ts'
import { countUsers, exportUsers } from '../domain/administration/export.ts'
import { readOverview } from '../domain/administration/overview.ts'
import { NewPermission, PermissionPatch } from '../schemas/roles.ts'
import { version } from '../version.ts'
import { addAccessCommands } from './access.ts'
import { addActivityCommands } from './activity.ts'
import type { ConsoleOptions } from './console-process.ts'
import { addDoctorCommand } from './doctor.ts'
import { UsageError } from './errors.ts'
import { addFlagExport } from './flag-transfer.ts'
import { addFlagCommands } from './flags.ts'
import { addImportCommand } from './import.ts'
import { addKeyCommands } from './keys.ts'
import { printList } from './list.ts'
import { addMailCommands } from './mail.ts'
import { addMaintenanceCommands } from './maintenance.ts'
import { addAdminCommands } from './new-users.ts'
import { asData, asList, example, numberUpTo } from './options.ts'
import type { Json, ListOptions } from './options.ts'
import { asJson, printJson, printOne, say, write } from './output.ts'
import { withPortal } from './portal.ts'
import { addProviderCommands } from './providers.ts'
import { addRoleCommands } from './roles.ts'
import { addSegmentCommands } from './segments.ts'
import { addServiceCommands } from './services.ts'
import { addSessionCommands } from './sessions.ts'
import { addSettingsCommands } from './settings.ts'
import { checked, requireConfirmation } from './terminal.ts'
import { addUserCommands } from './users.ts'

/** The command line. Errors are not printed but thrown, to be passed to `explain`. */
export function createProgram(): Command {
  const program = new Command('portal')
    .description(
      'Administers a portal with the same rules, the same activity records and the same ' +
        'immediate effect as its API.'
    )
    .version(version, '-V, --version', 'print the version')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .configureHelp({
      optionDescription: (option) =>
        Help.prototype.optionDescription(option) + (option.mandatory ? ' (required)' : '')
    })
  example(
    program,
    'portal migrate',
    'portal admin create --email ops@example.com',
    'portal doctor',
    'portal help user grant'
  )
  program.addHelpText(
    'after',
    '\nExit codes: 0 success, 1 failure, 2 invalid usage, 3 not found, 4 conflict, 5 database ' +
      'unavailable.'
  )

  // Only for the help: src/cli.ts starts the server.
  example(
    program.command('start').description('start the server, as `npm start` does in a checkout'),
    'portal start'
  )
  addMaintenanceCommands(program)
  addDoctorCommand(program)
  addOverviewCommand(program)
  addConsoleCommand(program)
  addAccessCommands(addUserCommands(program))
  addAdminCommands(program)
  addRoleCommands(program)
  addPermissionCommands(program)
  addServiceCommands(program)
  addKeyCommands(program)
  addFlagCommands(program)
  addSegmentCommands(program)
  addProviderCommands(program)
  addSettingsCommands(program)
  addSessionCommands(program)
  addActivityCommands(program)
  addMailCommands(program)
  addImportCommand(program)
  addExportCommand(program)
  addHelpCommand(program)
  return program
}

/** Like Commander's own help command, but for nested commands: `help user grant`. */
function addHelpCommand(program: Command) {
  const help = program
    .helpCommand(false)
    .command('help')
    .description('show the help of a command')
    .argument('[command...]')
  example(help, 'portal help user grant')
  help.action((names: string[]) => {
    let command = program
    for (const name of names) {
      const next = command.commands.find((each) => each.name() === name)
      if (!next) {
        throw new UsageError(`Unknown command: ${names.join(' ')}. Run portal --help for a list.`)
      }
      command = next
    }
    command.help()
  })
}

function addConsoleCommand(program: Command) {
  const open = program
    .command('console')
    .description('serve the console for one operator, on this machine only, until Ctrl-C')
    .option('--write', 'allow changes; without it, the console only reads')
    .addOption(
      new Option('--port <number>', 'port on 127.0.0.1; a free one by default')
        .argParser(numberUpTo(65_535))
        .conflicts('socket')
    )
    .option(
      '--socket',
      'serve on a Unix socket that no other user of this machine can open, for a tunnel'
    )
    .addOption(
      new Option('--idle <minutes>', 'minutes without a request after which it ends')
        .argParser(numberUpTo(480))
        .default(30)
    )
  example(open, 'portal console', 'portal console --write --port 8443')
  // It loads the whole application, which other commands do without.
  open.action(async (options: ConsoleOptions) =>
    (await import('./console-process.ts')).runConsole(options)
  )
}

function addExportCommand(program: Command) {
  const exports = program.command('export').description('export data')
  example(exports, 'portal export users > users.ndjson', 'portal export flags > flags.json')
  addFlagExport(exports)
  example(
    exports
      .command('users')
      .description('export users as NDJSON, in the format of import users')
      .option(
        '--with-password-hashes',
        'include password hashes; the export is recorded in the audit trail'
      ),
    'portal export users > users.ndjson'
  ).action(async ({ withPasswordHashes }: { withPasswordHashes?: true }) =>
    withPortal(async ({ db, actor }) => {
      // Recorded before the first line is written: a reader that closes the pipe ends this process.
      if (withPasswordHashes) {
        await transaction(db, async (tx) =>
          record(tx, actor, 'users.export', { details: { count: await countUsers(tx) } })
        )
      }
      let count = 0
      for await (const row of exportUsers(db)) {
        const { passwordHash, createdAt, profile, emailVerified, settings, appSettings, ...user } =
          row
        const filled = Object.entries(profile).filter(([, value]) => value !== null)
        const line = {
          ...user,
          ...(filled.length > 0 && { profile: Object.fromEntries(filled) }),
          ...(settings && { settings }),
          ...(appSettings && { appSettings }),
          createdAt,
          ...(emailVerified && { emailVerified }),
          ...(withPasswordHashes && passwordHash !== null && { passwordHash })
        }
        await write(`${asJson(line)}\n`)
        count += 1
      }
      const advice = withPasswordHashes
        ? ' with password hashes: protect the file like the database'
        : ''
      say(`exported ${count}${advice}`)
    })
  )
}

interface Estimated {
  count: number
  approximate: boolean
}

function addOverviewCommand(program: Command) {
  const overview = asData(
    program
      .command('overview')
      .description('print the number of users, live sessions and mails, and the database')
  )
  example(overview, 'portal overview')
  overview.action(async ({ json }: Json) =>
    withPortal(async ({ database, sessionRules }) => {
      const found = await readOverview(database, sessionRules)
      if (json) return printJson({ version, ...found })
      const shown = ({ count, approximate }: Estimated) => (approximate ? `about ${count}` : count)
      await printOne({
        version,
        database: `${found.database.label}, version ${found.database.version}`,
        users: shown(found.users),
        ...(found.foreignHashes.count > 0 && { foreignHashes: shown(found.foreignHashes) }),
        liveSessions: shown(found.liveSessions),
        mailPending: found.outbox.pending,
        oldestSeconds: Math.round(found.outbox.oldestSeconds),
        mailDead: found.outbox.dead
      })
    })
  )
}

interface Described {
  description?: string
}

function addPermissionCommands(program: Command) {
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
