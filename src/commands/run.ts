import { exitCodes, explain } from './errors.ts'
import { createProgram } from './program.ts'

/** Runs a command, which prints to the streams of the process. Returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  process.exitCode = exitCodes.ok
  try {
    await createProgram().parseAsync(args, { from: 'user' })
    return Number(process.exitCode)
  } catch (error) {
    const { exitCode, ...failure } = explain(error)
    if (failure.message !== '') {
      const json = args.includes('--json')
      process.stderr.write(`${json ? JSON.stringify({ error: failure }) : failure.message}\n`)
    }
    return exitCode
  }
}
