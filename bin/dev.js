import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { compile, product } from './compile.js'
import { keepRunning } from './keep-running.js'

// npm run dev: compiles what changed, starts the server, and does so again after each change.

const root = path.join(import.meta.dirname, '..')
// In each server, so that a restart reads .env again.
const options = ['--import', path.join(root, 'bin/load-env.js'), '--enable-source-maps']
/** The request of `--sample` or `--sample off`, until it has been done. */
let sample = readArguments(process.argv.slice(2))
/** Whether the running server is older than .build. */
let isOld = true

await keepRunning({
  folders: product.map((folder) => path.join(root, folder)),
  build: isChanged,
  beforeStart: changeSample,
  args: [...options, path.join(root, '.build/src/server.js')],
  awaited: 'the sources'
})

/** False also when the sources do not compile, which esbuild has reported. */
async function isChanged() {
  try {
    const changed = (await compile(product)) || isOld
    isOld = false
    return changed
  } catch {
    isOld = true
    return false
  }
}

function readArguments([name, value, ...more]) {
  if (name === undefined) return undefined
  if (name === '--sample' && more.length === 0 && [undefined, 'off'].includes(value)) {
    return value ?? 'on'
  }
  console.error('Usage: npm run dev -- [--sample | --sample off]')
  process.exit(2)
}

async function changeSample() {
  if (!sample) return
  const file = path.join(root, '.build/src/sample/main.js')
  const child = spawn(process.execPath, [...options, file, sample], { stdio: 'inherit' })
  sample = undefined
  await once(child, 'close')
}
