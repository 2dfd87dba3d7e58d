import '../module-resolution.ts'

// `npm run dev -- --sample` starts this before the server, as a separate process: only one process
// at a time can open an embedded database, and a server without the sample loads nothing of it.

const { runSample } = await import('./command.ts')
const { explain } = await import('../commands/errors.ts')
try {
  process.stdout.write(`${await runSample(process.argv[2] === 'off')}\n`)
} catch (error) {
  const { message, exitCode } = explain(error)
  process.stderr.write(`${message}\n`)
  process.exitCode = exitCode
}
// An embedded database would keep the process alive.
process.stdout.write('', () => process.exit())
