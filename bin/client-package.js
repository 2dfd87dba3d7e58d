import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import openapiTs, { astToString } from 'openapi-typescript'

// Writes the package `portal-client` from src/client: scripts that browsers run as they are, and
// their types. `npm run release` packs it beside the server's.

const root = path.join(import.meta.dirname, '..')
const sources = path.join(root, 'src/client')
/** What an app imports, by the name that it imports. */
const entries = { '.': 'portal', './react': 'react', './flags': 'flags', './messages': 'messages' }
/** What an app that imports `react` or `flags` installs. */
const peers = [
  'react',
  '@openfeature/core',
  '@openfeature/ofrep-web-provider',
  '@openfeature/web-sdk'
]

/** Writes the scripts into a folder. */
export async function writeScripts(folder) {
  await build({
    absWorkingDir: sources,
    entryPoints: Object.values(entries).map((name) => `${name}.ts`),
    outdir: folder,
    bundle: true,
    external: peers,
    minify: true,
    format: 'esm',
    charset: 'utf8',
    target: 'es2022',
    logLevel: 'silent' // the error that is thrown has the messages
  })
}

/** @param folder is emptied */
export async function writeClient(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await writeScripts(folder)
  await writeTypes(folder)
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'))
  cpSync(path.join(sources, 'README.md'), path.join(folder, 'README.md'))
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
}

/**
 * The types of the sources, compiled with the operations of production only: apps call no others.
 */
async function writeTypes(folder) {
  const made = path.join(folder, 'made')
  for (const name of ['src/client', 'src/pages/tsconfig.json', 'tsconfig.json']) {
    cpSync(path.join(root, name), path.join(made, name), { recursive: true })
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(made, 'node_modules'), 'junction')
  const document = readFileSync(path.join(root, 'openapi/portal.json'), 'utf8')
  const types = path.join(made, 'dist/src/client')
  for (const target of [path.join(made, 'openapi'), types]) {
    mkdirSync(target, { recursive: true })
    writeFileSync(path.join(target, 'api.d.ts'), astToString(await openapiTs(document)))
  }
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly']
  const project = ['--project', path.join(made, 'src/client')]
  execFileSync(process.execPath, [compiler, ...project, ...options], { stdio: 'pipe' })
  const names = new Set(Object.values(entries)) // and, while it is read, what their types import
  for (const name of names) {
    const text = readFileSync(path.join(types, `${name}.d.ts`), 'utf8')
      .replaceAll(/(['"])(?:\.\.\/)+openapi\/api\.d\.ts\1/g, '$1./api.js$1')
      .replaceAll(/((?:from |import\()(['"])\.[^'"]*)\.ts\2/g, '$1.js$2')
    for (const [, imported] of text.matchAll(/['"]\.\/([\w-]+)\.js['"]/g)) names.add(imported)
    writeFileSync(path.join(folder, `${name}.d.ts`), text)
  }
  rmSync(made, { recursive: true })
}

function manifest() {
  const server = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const range = (name) => server.devDependencies[name].replace(/^[~^]?/, '^')
  return {
    name: 'portal-client',
    version: server.version,
    description: 'Sign-in, session, permissions and flags of a portal, for browsers',
    license: server.license,
    type: 'module',
    sideEffects: false,
    exports: Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [
        name,
        { types: `./${file}.d.ts`, default: `./${file}.js` }
      ])
    ),
    dependencies: { 'openapi-fetch': server.devDependencies['openapi-fetch'] }, // its types
    peerDependencies: {
      ...Object.fromEntries(peers.map((name) => [name, range(name)])),
      react: '>=18'
    },
    peerDependenciesMeta: Object.fromEntries(peers.map((name) => [name, { optional: true }]))
  }
}

// Run as a program, also through a symbolic link.
if (realpathSync(process.argv[1] ?? '.') === import.meta.filename) {
  await writeClient(path.resolve(process.argv[2]))
}
