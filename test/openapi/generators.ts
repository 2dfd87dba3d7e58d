import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { built, root } from '../root.ts'

const run = promisify(execFile)

/**
 * Installs the generators of clients in a folder of the build. They have many packages, which only
 * one test needs, so they are not dependencies of the portal.
 */
export async function installGenerators() {
  const folder = path.join(built, 'generators')
  const sources = path.join(root, 'test/client')
  const copy = (file: string) => cpSync(path.join(sources, file), path.join(folder, file))
  const lock = 'package-lock.json'
  mkdirSync(folder, { recursive: true })
  const isInstalled =
    existsSync(path.join(folder, 'node_modules/.package-lock.json')) && // written last
    readFileSync(path.join(folder, lock)).equals(readFileSync(path.join(sources, lock)))
  if (!isInstalled) {
    for (const file of ['package.json', lock]) copy(file)
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder })
  }
  copy('generate.js')
  return {
    folder,
    /** Generates a client of the API document into `target`. */
    run: (generator: 'hey-api' | 'orval', document: string, target: string) =>
      run(process.execPath, ['generate.js', generator, document, target], { cwd: folder })
  }
}
