import { Command, Help } from 'commander'
import { version } from '../version.ts'
import { addAccessCommands } from './access.ts'
import { addActivityCommands } from './activity.ts'
import { addConsoleCommand } from './console.ts'
import { addDoctorCommand } from './doctor.ts'
import { UsageError } from './errors.ts'
import { addExportCommand } from './export.ts'
import { addFlagCommands } from './flags.ts'
import { addSegmentCommands } from './segments.ts'
import { addImportCommand } from './import.ts'
import { addKeyCommands } from './keys.ts'
import { addMailCommands } from './mail.ts'
import { addMaintenanceCommands } from './maintenance.ts'
import { addAdminCommands } from './new-users.ts'
import { example } from './options.ts'
import { addOverviewCommand } from './overview.ts'
import { addPermissionCommands } from './permissions.ts'
import { addProviderCommands } from './providers.ts'
import { addRoleCommands } from './roles.ts'
import { addServiceCommands } from './services.ts'
import { addSessionCommands } from './sessions.ts'
import { addSettingsCommands } from './settings.ts'
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
