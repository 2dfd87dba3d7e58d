import { exitCodes, explain } from './errors.ts'
import { createProgram } from './program.ts'

/** Runs the command of these arguments and returns its exit code. What it prints goes to the streams of the process. */
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
