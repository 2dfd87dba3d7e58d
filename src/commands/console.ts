import { Option } from 'commander'
import type { Command } from 'commander'
import type { ConsoleOptions } from './console-process.ts'
import { example, numberUpTo } from './options.ts'

export function addConsoleCommand(program: Command) {
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
