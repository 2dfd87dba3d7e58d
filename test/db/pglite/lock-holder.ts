// Locks the directory named by its argument until it is killed. Prints `locked` or why it failed.
import { lockDirectory } from '../../../db/pglite/lock.ts'

try {
  await lockDirectory(process.argv[2] ?? '')
  process.stdout.write('locked\n')
  setInterval(() => {}, 60_000)
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
}
