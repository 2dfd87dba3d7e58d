import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const folder = import.meta.dirname
const lock = path.join(folder, 'package-lock.json')
const installed = path.join(folder, 'node_modules/installed-lock.json')

/**
 * Installs the linters beside this file, unless those of the lock file are there. They are a third of
 * what the whole project would install, and neither the server nor its tests need them.
 */
export function installLinters() {
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lock))) return
  execFileSync('npm', ['ci'], { cwd: folder, stdio: ['ignore', 2, 2] })
  copyFileSync(lock, installed)
}
