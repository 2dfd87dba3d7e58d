import type { Command } from 'commander'
import { explain } from './errors.ts'
import { exitCodes } from './exit-codes.ts'
import { createProgram } from './program.ts'

/** Runs a command, which prints to the streams of the process. Returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  process.exitCode = exitCodes.ok
  try {
    const program = createProgram()
    await program.parseAsync(withJsonLast(program, args), { from: 'user' })
    return Number(process.exitCode)
  } catch (error) {
    const { exitCode, ...failure } = explain(error)
    if (failure.code === 'usage' && /^-[^-]|^--(?!json$)./.test(args[0] ?? '')) {
      failure.message += '\nOptions follow the command, as in: portal user list --limit 5'
    }
    if (failure.message !== '') {
      const json = args.includes('--json')
      process.stderr.write(`${json ? JSON.stringify({ error: failure }) : failure.message}\n`)
    }
    return exitCode
  }
}

/** Options belong to the commands, but `--json` before or within their name means the same. */
function withJsonLast(program: Command, args: readonly string[]) {
  let command: Command | undefined = program
  const name: string[] = []
  let n = 0
  for (; n < args.length; n++) {
    if (args[n] === '--json') continue
    command = command?.commands.find((each) => each.name() === args[n])
    if (!command) break
    name.push(args[n] ?? '')
  }
  const isBefore = args.slice(0, n).includes('--json')
  return isBefore ? [...name, '--json', ...args.slice(n)] : args
}
