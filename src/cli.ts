#!/usr/bin/env node
import { exitCodes } from './commands/errors.ts'
import { run } from './commands/run.ts'

// The reader of the output may close the pipe early, as head and less do.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(exitCodes.ok)
  process.stderr.write(`The output cannot be written (${code}).\n`)
  process.exit(exitCodes.failed)
})
// Progress that nobody sees any more must not end the work.
process.stderr.on('error', () => {})

process.exitCode = await run(process.argv.slice(2))
// An embedded database or an unread stdin would keep the process alive. Flushes the output first.
process.stdout.write('', () => process.exit())
