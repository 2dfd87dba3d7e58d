#!/usr/bin/env node
import './module-resolution.ts'
import { setFlagsFromString } from 'node:v8'
// Static imports are resolved before the hook exists: none of them may lead to drizzle-orm.
import { exitCodes } from './commands/exit-codes.ts'

// The reader of the output may close the pipe early, as head and less do.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(exitCodes.ok)
  process.stderr.write(`The output cannot be written (${code}).\n`)
  process.exit(exitCodes.failed)
})
// Progress that nobody sees any more must not end the work.
process.stderr.on('error', () => {})

const args = process.argv.slice(2)
// A console serves one person for hours: without space for the garbage of many requests, which has
// to be said before the application is loaded, it takes some 25 MB less.
if (args[0] === 'console') setFlagsFromString('--semi-space-growth-factor=1')
// A server goes on after it has started, and has exit codes of its own.
if (args[0] === 'start' && (await isStart(args.slice(1)))) await import('./server.ts')
else {
  process.exitCode = await (await import('./commands/run.ts')).run(args)
  // An embedded database or an unread stdin would keep the process alive. Flushes the output first.
  process.stdout.write('', () => process.exit())
}

/** Whether these are options that `start` has. */
async function isStart([option, value, ...others]: string[]) {
  if (option === undefined) return true
  const [, name, inOne] = /^(--app)(?:=(.+))?$/s.exec(option) ?? []
  const folder = inOne ?? value
  if (!name || !folder || others.length > 0 || (inOne && value)) return false
  ;(await import('./config/shell.ts')).setApp(folder)
  return true
}
