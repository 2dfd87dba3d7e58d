#!/usr/bin/env node
import { exitCodes } from './commands/errors.ts'
import { run } from './commands/run.ts'

// Whoever reads the output may have seen enough: head, less.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.failed)
})

process.exitCode = await run(process.argv.slice(2))
// An embedded database or a half-read stdin would keep the process; what was written is flushed first.
process.stdout.write('', () => process.exit())
