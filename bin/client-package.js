import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import openapiTs, { astToString } from 'openapi-typescript'

// Writes the package `portal-client` from src/client: scripts that browsers run as they are, and
// their types. `npm run release` packs it beside the server's.

const root = path.join(import.meta.dirname, '..')
const sources = path.join(root, 'src/client')
/** The modules of the package, by the name that an app imports. */
const entries = {
  '.': 'portal',
  './react': 'react',
  './flags': 'flags',
  './messages': 'messages',
  './cookies': 'cookies'
}
/** An app that imports `react` or `flags` installs these. */
const peers = [
  'react',
  '@openfeature/core',
  '@openfeature/ofrep-web-provider',
  '@openfeature/web-sdk'
]

/** The solver of challenges is a file of its own, which is loaded when it is first needed. */
const solverApart = {
  name: 'solver apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/proof\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './proof.js', external: true } : undefined
    )
  }
}

/** Writes the scripts into a folder. */
export async function writeScripts(folder) {
  await build({
    absWorkingDir: sources,
    entryPoints: [...Object.values(entries), 'proof'].map((name) => `${name}.ts`),
    plugins: [solverApart],
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
  // Not in the folder, which may be below node_modules, where the compiler looks for no sources.
  const copy = mkdtempSync(path.join(os.tmpdir(), 'portal-client-types-'))
  try {
    const types = await compileTypes(copy)
    const names = new Set(Object.values(entries)) // and, while it is read, what their types import
    for (const name of names) {
      const text = readFileSync(path.join(types, `${name}.d.ts`), 'utf8')
        .replaceAll(/(['"])(?:\.\.\/)+openapi\/api\.d\.ts\1/g, '$1./api.js$1')
        .replaceAll(/((?:from |import\()(['"])\.[^'"]*)\.ts\2/g, '$1.js$2')
      for (const [, imported] of text.matchAll(/['"]\.\/([\w-]+)\.js['"]/g)) names.add(imported)
      writeFileSync(path.join(folder, `${name}.d.ts`), text)
    }
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/** Compiles a copy of the sources in this folder. Returns the folder of their types. */
async function compileTypes(copy) {
  for (const name of ['src/client', 'src/common', 'src/pages/tsconfig.json', 'tsconfig.json']) {
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true })
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'), 'junction')
  const document = readFileSync(path.join(root, 'openapi/portal.json'), 'utf8')
  const types = path.join(copy, 'dist/src/client')
  for (const target of [path.join(copy, 'openapi'), types]) {
    mkdirSync(target, { recursive: true })
    writeFileSync(path.join(target, 'api.d.ts'), astToString(await openapiTs(document)))
  }
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly']
  const project = ['--project', path.join(copy, 'src/client')]
  execFileSync(process.execPath, [compiler, ...project, ...options], { stdio: 'pipe' })
  return types
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
    // For Jest and older compilers and bundlers, which do not read `exports`.
    main: './portal.js',
    types: './portal.d.ts',
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
  const folder = path.resolve(process.argv[2])
  await writeClient(folder)
  console.log(`portal-client is in ${folder}.`)
}
