import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { keepRunning } from './keep-running.js'

// portal dev: serves an app in development, and starts again after each change of it. It is not in
// src, whose code starts no programs.

const app = folderIn(process.argv.slice(3))
if (!existsSync(app)) {
  console.error(
    `There is no folder ${path.resolve(app)}. Name that of the app: portal dev --app FOLDER`
  )
  process.exit(1)
}
await keepRunning({
  folders: [app],
  build: async () => true,
  args: [
    // In each server, so that a restart reads .env again.
    ...['--import', path.join(import.meta.dirname, 'load-env.js')],
    // TypeScript is an experiment in Node 22, which says so in each process.
    ...['--disable-warning=ExperimentalWarning', '--enable-source-maps'],
    ...[path.join(import.meta.dirname, 'portal.js'), 'start', '--app', app]
  ],
  awaited: 'the app'
})

function folderIn(args) {
  try {
    return parseArgs({ args, options: { app: { type: 'string', default: 'app' } } }).values.app
  } catch (error) {
    console.error(`${error.message}\nUsage: portal dev [--app FOLDER]`)
    process.exit(2)
  }
}
