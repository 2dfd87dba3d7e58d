import { Command, Help } from 'commander'
import { version } from '../version.ts'
import { addAccessCommands } from './access.ts'
import { addActivityCommands } from './activity.ts'
import { addDoctorCommand } from './doctor.ts'
import { UsageError } from './errors.ts'
import { addFlagCommands } from './flags.ts'
import { addMaintenanceCommands } from './maintenance.ts'
import { example } from './options.ts'
import { addPermissionCommands } from './permissions.ts'
import { addRoleCommands } from './roles.ts'
import { addSessionCommands } from './sessions.ts'
import { addTransferCommands } from './transfer.ts'
import { addUserCommands } from './users.ts'

/** The command line. Nothing is printed for an error: it is thrown, for `explain`. */
export function createProgram(): Command {
  const program = new Command('portal')
    .description(
      'Administers a portal by the same rules, with the same records and immediate ' +
        'effect as its API.'
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
    '\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 conflict, ' +
      '5 database unavailable.'
  )

  addMaintenanceCommands(program)
  addDoctorCommand(program)
  addAccessCommands(program, addUserCommands(program))
  addRoleCommands(program)
  addPermissionCommands(program)
  addFlagCommands(program)
  addSessionCommands(program)
  addActivityCommands(program)
  addTransferCommands(program)
  addHelpCommand(program)
  return program
}

/** As Commander's own, but for commands of any depth: `help user grant`. */
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
        throw new UsageError(`There is no command ${names.join(' ')}. portal --help lists all.`)
      }
      command = next
    }
    command.help()
  })
}
