import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { watch } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compile, product } from './compile.js'

// npm run dev: compiles what changed, starts the server, and does so again after each change.

const root = path.join(import.meta.dirname, '..')
const script = path.join(root, '.build/src/server.js')
const changes = new EventEmitter()
let ending = false

await compile(product)
let server = start()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    ending = true
    if (!server.kill(signal)) process.exit()
  })
}
for (const folder of product) {
  watch(path.join(root, folder), { recursive: true }, () => changes.emit('change'))
}
for (;;) {
  await once(changes, 'change')
  await sleep(100) // an editor writes more than once
  if (!(await isNew())) continue
  const ended = isRunning(server) && once(server, 'close')
  server.kill('SIGTERM')
  await ended
  server = start()
}

function start() {
  const child = spawn(process.execPath, ['--enable-source-maps', script], { stdio: 'inherit' })
  child.once('close', (code) => {
    if (ending) process.exit(code ?? 1)
    if (child === server && code !== 0) console.error('Waiting for a change of the sources.')
  })
  return child
}
function isRunning({ exitCode, signalCode }) {
  return exitCode === null && signalCode === null
}

/** False for sources that do not compile as well, which esbuild has reported. */
async function isNew() {
  try {
    return await compile(product)
  } catch {
    return false
  }
}
