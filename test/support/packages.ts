import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { built, root } from './root.ts'

/**
 * Installs the packages of a folder in `test` in a folder of the build, copies files to them, and
 * returns that folder. Such packages have many others, and only one test needs them, so they are not
 * dependencies of the portal.
 */
export async function installPackages(
  name: 'client-types' | 'fastify-plugins' | 'formats' | 'generators' | 'linters' | 'patterns',
  ...files: string[]
) {
  const folder = path.join(built, 'packages', name)
  const sources = path.join(root, 'test', name)
  const copy = (file: string) => cpSync(path.join(sources, file), path.join(folder, file))
  const lock = 'package-lock.json'
  mkdirSync(folder, { recursive: true })
  const isInstalled =
    existsSync(path.join(folder, 'node_modules/.package-lock.json')) && // written last
    readFileSync(path.join(folder, lock)).equals(readFileSync(path.join(sources, lock)))
  if (!isInstalled) {
    for (const file of ['package.json', lock]) copy(file)
    await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder })
  }
  for (const file of files) copy(file)
  return folder
}
