#!/usr/bin/env node
import { exitCodes } from './commands/errors.ts'
import { run } from './commands/run.ts'

// The reader of the output may close the pipe early, as head and less do.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.failed)
})

process.exitCode = await run(process.argv.slice(2))
// An embedded database or an unread stdin would keep the process alive. Flushes the output first.
process.stdout.write('', () => process.exit())
