// `npm ci` with the npm of each supported line of Node and with the newest one: in the checkout, in
// the unpacked package, and in a checkout whose lock file is from before the newest release of what
// `overrides` concerns. A release by somebody else must not make a lock file invalid. It needs a
// build.
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import { packServer } from '../bin/server-package.js'

/** The npm that comes with Node 22, 24 and 26, and the newest one. */
const versions = ['10.9.4', '11.6.0', '11.20.0', 'latest']
/** Packages that `overrides` replaces or refers to. */
const overridden = ['@electric-sql/pglite']
const root = path.join(import.meta.dirname, '..')
const run = promisify(execFile)
const folder = mkdtempSync(path.join(tmpdir(), 'portal install ')) // with spaces, as users have them
const atATime = pLimit(2)

try {
  const projects = [checkout('checkout'), await unpackedPackage(), await olderCheckout()]
  const results = await Promise.all(versions.map((version) => tryAll(version, projects)))
  for (const line of results.flat()) console.log(line)
} catch (error) {
  console.error(error.stderr || error)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function checkout(name) {
  const project = path.join(folder, name)
  mkdirSync(project)
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    cpSync(path.join(root, file), path.join(project, file))
  }
  return project
}

async function unpackedPackage() {
  const project = path.join(folder, 'package')
  mkdirSync(project)
  const file = await packServer(folder, path.join(folder, 'staging'))
  execFileSync('tar', ['xzf', file, '--strip-components=1', '-C', project])
  return project
}

/** A checkout whose lock file has the previous release of each overridden package, if it may. */
async function olderCheckout() {
  const project = checkout('checkout with an older lock file')
  const file = path.join(project, 'package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const { dependencies, overrides } = JSON.parse(
    readFileSync(path.join(project, 'package.json'), 'utf8')
  )
  for (const name of overridden) {
    const range = dependencies[name] ?? overrides[name]
    const { stdout } = await run('npm', ['view', `${name}@${range}`, 'version', '--json'])
    const published = [JSON.parse(stdout)].flat()
    const entry = lock.packages[`node_modules/${name}`]
    const [previous] = published
      .filter((version) => compare(version, entry.version) < 0)
      .sort((one, other) => compare(other, one))
    if (previous !== undefined) entry.version = previous
  }
  writeFileSync(file, JSON.stringify(lock))
  return project
}

function compare(one, other) {
  return one.localeCompare(other, 'en', { numeric: true })
}

/** Returns a line for each project. Throws what npm reports if one of them cannot be installed. */
async function tryAll(version, projects) {
  const place = path.join(folder, `npm ${version}`)
  const options = ['install', '--prefix', place, '--loglevel', 'error', `npm@${version}`]
  await atATime(() => run('npm', options))
  const npm = path.join(place, 'node_modules/npm/bin/npm-cli.js')
  return Promise.all(
    projects.map((cwd) =>
      atATime(async () => {
        const { stderr } = await run(process.execPath, [npm, 'ci', '--dry-run'], { cwd })
        // It is the first command of all: nobody should have to judge a warning. Those about Node and
        // the settings of this machine are not about the portal.
        if (/^npm warn (?!cli |Unknown )/im.test(stderr)) {
          throw new Error(`npm ${version} warns:\n${stderr}`)
        }
        return `npm ${version}: ok, ${path.basename(cwd)}`
      })
    )
  )
}
