import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compile, product } from './compile.js'
import './end-with-npm.js'

// npm run dev: compiles what changed, starts the server, and does so again after each change.

const root = path.join(import.meta.dirname, '..')
const script = path.join(root, '.build/src/server.js')
// In each server, so that a restart reads .env again.
const options = ['--import', path.join(root, 'bin/load-env.js'), '--enable-source-maps']
/** The request of `--sample` or `--sample off`, until it has been done. */
let sample = readArguments(process.argv.slice(2))
let server
process.env.NODE_ENV = 'development' // for the servers
let ending = false
let restarting = false
/** Whether the running server is older than .build. */
let isOld = true

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    ending = true
    if (!server?.kill(signal)) process.exit()
  })
}
process.on('exit', () => server?.kill())

for (;;) {
  // Before compiling, so that no change is missed, and new ones each time, because on Linux a
  // watcher of Node 20 loses files that were replaced.
  const watchers = product.map((folder) => watch(path.join(root, folder), { recursive: true }))
  const change = Promise.race(watchers.map((watcher) => once(watcher, 'change')))
  if ((await isCompiled()) && isOld) await restart()
  else if (!server) sayWaiting()
  await change
  for (const watcher of watchers) watcher.close()
  await sleep(100) // an editor writes more than once
}

/** False when the sources do not compile, which esbuild has reported. */
async function isCompiled() {
  try {
    isOld = (await compile(product)) || isOld
    return true
  } catch {
    isOld = true
    return false
  }
}

async function restart() {
  restarting = true
  if (server && server.exitCode === null && server.signalCode === null) {
    const ended = once(server, 'close')
    server.kill('SIGTERM')
    await ended
  }
  restarting = false
  isOld = false
  if (!ending && sample) await changeSample()
  if (!ending) server = start()
}

function readArguments([name, value, ...more]) {
  if (name === undefined) return undefined
  if (name === '--sample' && more.length === 0 && [undefined, 'off'].includes(value)) {
    return value ?? 'on'
  }
  console.error('Usage: npm run dev -- [--sample | --sample off]')
  process.exit(2)
}

/** Before the server, because only one process at a time can open an embedded database. */
async function changeSample() {
  const file = path.join(root, '.build/src/sample/main.js')
  const child = spawn(process.execPath, [...options, file, sample], { stdio: 'inherit' })
  sample = undefined
  await once(child, 'close')
}

function start() {
  const child = spawn(process.execPath, [...options, script], { stdio: 'inherit' })
  child.once('close', (code) => {
    if (ending) process.exit(code ?? 1)
    if (child === server && !restarting && code !== 0) sayWaiting()
  })
  return child
}

function sayWaiting() {
  console.error('Waiting for a change of the sources.')
}
