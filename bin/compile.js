import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'

// JavaScript, because it runs before TypeScript can.

const root = path.join(import.meta.dirname, '..')
const target = path.join(root, '.build')
const stampFile = path.join(target, 'stamp.json')

/** What a server consists of, and what the tests add to it. */
export const product = ['src', 'plugins', 'routes', 'db']
export const folders = [...product, 'openapi', 'test']

/**
 * Brings .build up to date with the sources: TypeScript as JavaScript, everything else as it is.
 * Only what changed is written: a tenth of a second when nothing did. `tsc -p test` checks types.
 * Returns whether anything changed.
 */
export async function compile(only = folders) {
  // What the output depends on besides the sources.
  const stamp = JSON.stringify([
    readFileSync(import.meta.filename, 'utf8'),
    readFileSync(path.join(root, 'tsconfig.json'), 'utf8'),
    readFileSync(path.join(root, 'node_modules/esbuild/package.json'), 'utf8')
  ])
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
    for (const folder of folders) {
      rmSync(path.join(target, folder), { recursive: true, force: true })
    }
    mkdirSync(target, { recursive: true })
    writeFileSync(stampFile, stamp)
  }
  const sources = only.flatMap(filesIn)
  const changed = sources.filter(isChanged)
  const code = await transpile(changed.filter(isCode))
  for (const source of changed) write(source, code.get(outputOf(source)))
  const outputs = new Set(sources.map(outputOf))
  const old = only
    .flatMap((folder) => filesIn(path.join('.build', folder)))
    .map((file) => path.join(root, file))
    .filter((file) => !outputs.has(file))
  for (const file of old) rmSync(file)
  return changed.length + old.length > 0
}

const isCode = (source) => /(?<!\.d)\.ts$/.test(source)
const outputOf = (source) =>
  path.join(target, isCode(source) ? source.replace(/ts$/, 'js') : source)

function isChanged(source) {
  const output = statSync(outputOf(source), { throwIfNoEntry: false })
  // Not "older than": a file that git put back has the time of that moment, one that mv did not.
  return !output || Math.abs(output.mtimeMs - statSync(path.join(root, source)).mtimeMs) >= 1
}

/** The JavaScript by its file. The source map is inside, and names the source where it is. */
async function transpile(sources) {
  if (sources.length === 0) return new Map()
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: sources,
    outbase: root,
    outdir: target,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'error',
    // Every import stays an import. "Bundling" only renames those of files that end in .ts.
    bundle: true,
    packages: 'external',
    treeShaking: false,
    plugins: [{ name: 'imports', setup: keepImports }]
  })
  return new Map(outputFiles.map(({ path, contents }) => [path, contents]))
}

function keepImports({ onResolve }) {
  onResolve({ filter: /^\.{1,2}\// }, ({ path, kind }) =>
    kind === 'entry-point' ? undefined : { path: path.replace(/\.ts$/, '.js'), external: true }
  )
}

/** In one step, because a server may be starting from it. */
function write(source, code) {
  const output = outputOf(source)
  const written = path.join(target, `being-written-${process.pid}`)
  const { mtime } = statSync(path.join(root, source))
  mkdirSync(path.dirname(output), { recursive: true })
  if (code) writeFileSync(written, code)
  else copyFileSync(path.join(root, source), written)
  utimesSync(written, mtime, mtime)
  renameSync(written, output)
}

function filesIn(folder) {
  const where = path.join(root, folder)
  if (!existsSync(where)) return []
  return readdirSync(where, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
}

if (process.argv[1] === import.meta.filename) await compile()
