import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { extract } from 'tar'
import { writeClient } from './client-package.js'
import { packServer } from './server-package.js'

// npm run release writes into release/ what comes with a version: the packages of the server and of
// the client, the API documents, a list of all packages (SBOM), the part of the changelog, and
// checksums, signed with the SSH key in the file RELEASE_KEY. The same checkout gives the same bytes
// whenever it runs.

const root = path.join(import.meta.dirname, '..')
const folder = path.join(root, 'release')
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const changes = changesOf(version)

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
npm('run', 'build')
const server = await packServer(folder, path.join(root, '.build/package'))
const client = mkdtempSync(path.join(os.tmpdir(), 'portal-client-'))
await writeClient(client)
npm('pack', client, '--pack-destination', folder)
rmSync(client, { recursive: true })
const { documentOf } = await import('../dist/src/document.js') // it was built above
write('portal.json', await documentOf('production'))
write('portal.dev.json', await documentOf('development', { commands: true }))
write(`portal-${version}.cdx.json`, await sbom(server))
write('CHANGES.md', changes)
const files = readdirSync(folder).sort()
write('SHA256SUMS', files.map((file) => `${sha256(file)}  ${file}\n`).join(''))
const key = process.env.RELEASE_KEY
if (key) sign('SHA256SUMS', key)
else console.error('Not signed. Set RELEASE_KEY to the file of a key in deploy/release-signers')
for (const file of readdirSync(folder).sort()) console.log(`release/${file}`)

function npm(...args) {
  return execFileSync('npm', ['--loglevel', 'error', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'], // what it reports is part of the error if it fails
    encoding: 'utf8',
    maxBuffer: 2 ** 26
  })
}

function write(name, text) {
  writeFileSync(path.join(folder, name), text)
}

function sha256(file) {
  return createHash('sha256')
    .update(readFileSync(path.join(folder, file)))
    .digest('hex')
}

/** An Ed25519 key makes the same signature each time. */
function sign(name, key) {
  const file = path.join(folder, name)
  execFileSync('ssh-keygen', ['-Y', 'sign', '-q', '-n', 'file', '-f', key, file], {
    stdio: 'inherit'
  })
  const signers = path.join(root, 'deploy/release-signers')
  const options = ['-f', signers, '-I', 'releases', '-n', 'file', '-s', `${file}.sig`]
  const { status } = spawnSync('ssh-keygen', ['-Y', 'verify', ...options], {
    input: readFileSync(file)
  })
  if (status !== 0) {
    console.error('Nobody can verify the signature: deploy/release-signers does not list this key.')
  }
}

/**
 * In CycloneDX, of what `npm ci --omit=dev` installs in the package. `npm sbom` refuses a tree with overrides, and
 * so does `npm ls`, which this tool calls: it takes the tree nevertheless.
 */
async function sbom(server) {
  const unpacked = mkdtempSync(path.join(os.tmpdir(), 'portal-package-'))
  await extract({ file: server, cwd: unpacked, strip: 1 })
  const options = ['--omit', 'dev', '--package-lock-only', '--ignore-npm-errors']
  const text = npm(
    ...['exec', '--yes', '--package', '@cyclonedx/cyclonedx-npm@6.0.1', '--', 'cyclonedx-npm'],
    ...options,
    '--output-reproducible',
    path.join(unpacked, 'package.json')
  )
  rmSync(unpacked, { recursive: true })
  return text
}

/** The part of a version in the changelog. Throws when it has none with a date. */
function changesOf(version) {
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')
  const heading = new RegExp(
    `^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`,
    'm'
  )
  const part = changelog.split(/^(?=## )/m).find((text) => heading.test(text))
  if (part) return part
  throw new Error(`CHANGELOG.md has no "## [${version}] - DATE": see docs/do/release.md.`)
}
