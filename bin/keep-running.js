import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import './end-with-npm.js'

/**
 * Runs a server in development, and starts it again after each change of these folders. Never
 * returns: it ends the process with the code of the server on a signal.
 * @param folders the folders to watch
 * @param build whether a server has to be started; called at first and after each change
 * @param beforeStart while no server runs, because only one process at a time can open an embedded
 *   database
 * @param args the arguments of Node
 * @param awaited as in "Waiting for a change of the sources."
 */
export async function keepRunning({ folders, build, beforeStart = async () => {}, args, awaited }) {
  let server
  let ending = false
  let restarting = false
  process.env.NODE_ENV = 'development' // for the servers
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      ending = true
      if (!server?.kill(signal)) process.exit()
    })
  }
  process.on('exit', () => server?.kill())

  for (;;) {
    // Before the build, so that no change is missed, and new ones each time, because on Linux a
    // watcher of Node 20 loses files that were replaced.
    const watchers = folders.map((folder) => watch(folder, { recursive: true }))
    const change = Promise.race(watchers.map((watcher) => once(watcher, 'change')))
    if (await build()) await restart()
    else if (!server) sayWaiting()
    await change
    for (const watcher of watchers) watcher.close()
    await sleep(100) // an editor writes more than once
  }

  async function restart() {
    restarting = true
    if (server && server.exitCode === null && server.signalCode === null) {
      const ended = once(server, 'close')
      server.kill('SIGTERM')
      await ended
    }
    restarting = false
    if (!ending) await beforeStart()
    if (!ending) server = start()
  }

  function start() {
    const child = spawn(process.execPath, args, { stdio: 'inherit' })
    child.once('close', (code) => {
      if (ending) process.exit(code ?? 1)
      if (child === server && !restarting && code !== 0) sayWaiting()
    })
    return child
  }

  function sayWaiting() {
    console.error(`Waiting for a change of ${awaited}.`)
  }
}
