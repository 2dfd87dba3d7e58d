import { Command, Help } from 'commander'
import { readOverview } from '../domain/administration/overview.ts'
import { version } from '../version.ts'
import { appCommands, appOption, initCommand } from './app.ts'
import { activityCommands } from './activity.ts'
import { command, example, inPortal } from './command.ts'
import type { Add } from './command.ts'
import { doctorCommand } from './doctor.ts'
import { UsageError } from './errors.ts'
import { exportCommands } from './export.ts'
import { flagCommands } from './flags.ts'
import { importCommands } from './import.ts'
import { keyCommands } from './keys.ts'
import { mailCommands } from './mail.ts'
import { maintenanceCommands } from './maintenance.ts'
import { adminCommands } from './new-users.ts'
import { countOr, numberUpTo } from './options.ts'
import { printJson, printOne } from './output.ts'
import { providerCommands } from './providers.ts'
import { permissionCommands, roleCommands } from './roles.ts'
import { scopeCommands } from './scopes.ts'
import { segmentCommands } from './segments.ts'
import { serviceCommands } from './services.ts'
import { sessionCommands } from './sessions.ts'
import { settingsCommands } from './settings.ts'
import { textsCommand } from './texts.ts'
import { userCommands } from './users.ts'
import { webhookCommands } from './webhooks.ts'

/** Only for the help: src/cli.ts starts a server, and bin/portal.js one that is developed. */
const server =
  (what: string): Add =>
  (program, usage) => {
    const [flags, help] = appOption
    const added = program.command(usage).description(what).option(flags, help)
    example(added, ['', '--app app']).action(() => {
      throw new UsageError(`Run it as npx portal ${usage}, with one --app at most.`)
    })
  }

interface Estimated {
  count: number
  approximate: boolean
}

const overviewCommand = command({
  what: 'print the number of users, live sessions and mails, and the database',
  run: inPortal(async ({ database, sessionRules }, { json }) => {
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
})

const consoleCommand = command({
  what: 'serve the console for one operator, on this machine only, until Ctrl-C',
  options: [
    ['--write', 'allow changes; without it, the console only reads'],
    [
      '--port <number>',
      'port on 127.0.0.1; a free one by default',
      { parse: numberUpTo(65_535), conflicts: 'socket' }
    ],
    [
      '--socket',
      'serve on a Unix socket that no other user of this machine can open, for a tunnel'
    ],
    appOption,
    countOr('--idle <minutes>', 'minutes without a request after which it ends', 480, 30)
  ],
  json: false,
  examples: ['', '--write --port 8443'],
  // It loads the whole application, which other commands do without.
  run: async (options) => (await import('./console-process.ts')).runConsole(options)
})

const commands: Record<string, Add> = {
  start: server('start the server, as `npm start` does in a checkout'),
  dev: server('serve an app in development, on an embedded database, and again after each change'),
  'init <folder>': initCommand,
  app: appCommands,
  ...maintenanceCommands,
  doctor: doctorCommand,
  overview: overviewCommand,
  console: consoleCommand,
  user: userCommands,
  admin: adminCommands,
  role: roleCommands,
  permission: permissionCommands,
  scope: scopeCommands,
  service: serviceCommands,
  key: keyCommands,
  flag: flagCommands,
  segment: segmentCommands,
  provider: providerCommands,
  settings: settingsCommands,
  session: sessionCommands,
  activity: activityCommands,
  webhook: webhookCommands,
  mail: mailCommands,
  'texts <language>': textsCommand,
  import: importCommands,
  export: exportCommands,
  'help [command...]': addHelp
}

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
  example(program, [
    'portal migrate',
    'portal admin create --email ops@example.com',
    'portal doctor',
    'portal help user grant'
  ])
  program.addHelpText(
    'after',
    '\nExit codes: 0 success, 1 failure, 2 invalid usage, 3 not found, 4 conflict, 5 database ' +
      'unavailable.'
  )
  for (const [usage, add] of Object.entries(commands)) add(program, usage)
  return program
}

/** Like Commander's own help command, but for nested commands: `help user grant`. */
function addHelp(program: Command, usage: string) {
  const help = program.helpCommand(false).command(usage).description('show the help of a command')
  example(help, ['user grant']).action((names: string[]) => {
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
