#!/usr/bin/env node
import { Command } from 'commander'
import { addDoctorCommand } from './commands/doctor.ts'
import { exitCodes, explain } from './commands/errors.ts'
import { addFlagCommands } from './commands/flags.ts'
import { addMaintenanceCommands } from './commands/maintenance.ts'
import { example } from './commands/options.ts'
import { addPermissionCommands, addRoleCommands } from './commands/roles.ts'
import { addActivityCommands, addSessionCommands } from './commands/sessions.ts'
import { addTransferCommands } from './commands/transfer.ts'
import { addUserCommands } from './commands/users.ts'

const program = new Command('portal')
  .description('Administers a portal: the same rules, records and immediate effect as its API.')
  .showSuggestionAfterError()
  .showHelpAfterError('(--help says more)')
example(program, 'portal migrate', 'portal admin create --email ops@example.com', 'portal doctor')
program.addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 conflict, 5 database away.')

addMaintenanceCommands(program)
addDoctorCommand(program)
addUserCommands(program)
addRoleCommands(program)
addPermissionCommands(program)
addFlagCommands(program)
addSessionCommands(program)
addActivityCommands(program)
addTransferCommands(program)
for (const command of [program, ...program.commands, ...program.commands.flatMap((group) => group.commands)]) command.exitOverride()

// Whoever reads the output may have seen enough: head, less.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.failed))

try {
  await program.parseAsync()
} catch (error) {
  const { message, code } = explain(error)
  if (message) process.stderr.write(`${message}\n`)
  process.exitCode = code
}
// An embedded database or a half-read stdin would keep the process; what was written is flushed first.
process.stdout.write('', () => process.exit())
