#!/usr/bin/env node
import { exitCodes, explain } from './commands/errors.ts'
import { createProgram } from './commands/program.ts'

// Whoever reads the output may have seen enough: head, less.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.failed)
})

try {
  await createProgram().parseAsync()
} catch (error) {
  const { exitCode, ...failure } = explain(error)
  if (failure.message !== '') {
    const json = process.argv.includes('--json')
    process.stderr.write(`${json ? JSON.stringify({ error: failure }) : failure.message}\n`)
  }
  process.exitCode = exitCode
}
// An embedded database or a half-read stdin would keep the process; what was written is flushed first.
process.stdout.write('', () => process.exit())
