import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { create } from 'tar'

// The package of the server, and of those who build an app on it. It bundles no package: an app and
// its plugins have to find the same Fastify as the portal.

const root = path.join(import.meta.dirname, '..')
const contents = [
  ...['portal', 'require-build', 'dev-app', 'keep-running', 'load-env', 'end-with-npm'].map(
    (name) => `bin/${name}.js`
  ),
  ...['bin/scaffold', 'deploy', 'dist', 'docs'],
  ...['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md']
]

/**
 * Packs the build in `dist` and returns the path of the .tgz in the folder `target`. The same
 * checkout gives the same bytes.
 * @param staging is emptied, and removed at the end
 */
export async function packServer(target, staging) {
  rmSync(staging, { recursive: true, force: true })
  for (const name of contents) {
    cpSync(path.join(root, name), path.join(staging, name), { recursive: true, filter: isPacked })
  }
  const { manifest, lock } = packageFiles()
  write('package.json', manifest)
  write('package-lock.json', lock)

  mkdirSync(target, { recursive: true })
  const file = path.join(target, `${manifest.name}-${manifest.version}.tgz`)
  await archive(staging, file)
  rmSync(staging, { recursive: true })
  return file

  function write(name, content) {
    writeFileSync(path.join(staging, name), `${JSON.stringify(content, null, 2)}\n`)
  }
}

/** The contents of `package.json` and `package-lock.json` of the package. */
export function packageFiles() {
  const { packages, ...lock } = read('package-lock.json')
  const manifest = manifestOf(read('package.json'), packages)
  // Without those that npm keeps for an optional peer, such as pg, which is installed for tests.
  const needed = closure(packages, Object.keys(manifest.dependencies))
  const tested = Object.entries(packages).filter(([folder]) => needed.has(folder))
  return { manifest, lock: { ...lock, packages: { '': manifest, ...Object.fromEntries(tested) } } }
}

/**
 * Writes the files of a folder into an archive, as `npm pack` does. That leaves out the lock file,
 * and npm 12 no longer reads `npm-shrinkwrap.json`, which took its place.
 */
function archive(folder, file) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .sort()
  const mtime = new Date('1985-10-26T08:15:00Z') // that of npm
  return create({ cwd: folder, file, gzip: true, portable: true, mtime, prefix: 'package' }, files)
}

/** Images of the documents are left out. */
const isPacked = (file) =>
  !file.startsWith(path.join(root, 'docs')) || file.endsWith('.md') || statSync(file).isDirectory()

const read = (name) => JSON.parse(readFileSync(path.join(root, name), 'utf8'))

function manifestOf({ scripts, overrides, dependencies, devDependencies, ...others }, packages) {
  delete others.private
  return {
    ...others,
    scripts: { prestart: scripts.prestart, start: scripts.start, portal: scripts.portal },
    // Exact, because the versions that `npm install FILE` chooses should be the tested ones.
    dependencies: Object.fromEntries(
      Object.keys(dependencies).map((name) => [name, packages[`node_modules/${name}`].version])
    ),
    // Without those of packages for development, which refer to dependencies of a checkout.
    overrides: Object.fromEntries(
      Object.entries(overrides).filter(([name]) => !Object.hasOwn(devDependencies, name))
    )
  }
}

/** The folders of these packages and of everything that they need. */
function closure(packages, names) {
  const folders = new Set(names.map((name) => `node_modules/${name}`))
  for (const folder of folders) {
    // it grows while it is read
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      packages[folder]
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional
    )
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      folders.add(resolve(packages, folder, name))
    }
    for (const name of peers) folders.add(resolve(packages, folder, name))
  }
  return folders
}

/** The folder in which Node finds a package that another one in `from` imports. */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf('node_modules/'))) {
    const found = path.posix.join(folder, 'node_modules', name)
    if (found in packages) return found
    if (folder === '') throw new Error(`${name}, which ${from} needs, is not in package-lock.json.`)
  }
}
