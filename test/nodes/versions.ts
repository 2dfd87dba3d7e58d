import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { versionsOf } from '../../src/supported-versions.ts'
import { root } from '../support/root.ts'

const windows = process.platform === 'win32'
/** The package that has nothing but Node for this platform. */
const name = `node-${windows ? 'win' : process.platform}-${process.arch}`

const { engines } = contentOf(path.join(root, 'package.json')) as { engines: { node: string } }
const lines = versionsOf('Node').map(([line]) => String(line))
/** The lowest version that is supported, and the newest one of each line. */
export const supported = [`${engines.node.replace('>=', '')}.0`, ...lines]

export interface Node {
  version: string
  /** The executable. */
  file: string
}

/** Installs a version, or the newest one of a line. Rejects if the package registry has none. */
export async function installNode(wanted: string): Promise<Node> {
  const folder = path.join(root, '.build/nodes', wanted)
  mkdirSync(folder, { recursive: true })
  const options = ['--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', ['install', ...options, `${name}@${wanted}`], {
    shell: windows
  })
  const installed = path.join(folder, 'node_modules', name)
  const { version } = contentOf(path.join(installed, 'package.json')) as { version: string }
  return {
    version: version.replace(/^v/, ''),
    file: path.join(installed, 'bin', windows ? 'node.exe' : 'node')
  }
}

function contentOf(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
