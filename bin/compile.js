import {
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
const compiler = path.join(root, 'node_modules/esbuild/package.json')

if (!existsSync(compiler)) {
  console.error('The dependencies are not installed. Run: npm ci')
  process.exit(1)
}

/** The folders of a server, and those that the tests need as well. */
export const product = ['src', 'plugins', 'routes', 'db']
export const folders = [...product, 'openapi', 'bench', 'test', 'src/pages', 'src/client']
/**
 * For browsers: src/http/pages/bundles.ts reads the sources. A change needs no restart of a
 * server. Tests import the parts that need no browser.
 */
const forBrowsers = ['pages', 'client'].map((folder) => path.join('src', folder, path.sep))

/**
 * Brings .build up to date with the sources: TypeScript as JavaScript, everything else as it is.
 * Only what changed is written: a tenth of a second when nothing did. `npm run typecheck` checks
 * the types.
 * Returns whether any output changed.
 */
export async function compile(only = folders) {
  // Besides the sources, the output depends on these files.
  const stamp = JSON.stringify([
    readFileSync(import.meta.filename, 'utf8'),
    readFileSync(path.join(root, 'tsconfig.json'), 'utf8'),
    readFileSync(compiler, 'utf8')
  ])
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
    for (const folder of folders) {
      rmSync(path.join(target, folder), { recursive: true, force: true })
    }
    mkdirSync(target, { recursive: true })
    writeFileSync(stampFile, stamp)
  }
  const sources = only.flatMap(filesIn)
  // The times from before the sources are read, so that a later change is not overlooked.
  const times = new Map(sources.map((source) => [source, statSync(path.join(root, source)).mtime]))
  const changed = sources.filter((source) => isChanged(source, times.get(source)))
  const code = await transpile(changed.filter(isCode))
  const written = changed.filter((source) =>
    write(source, times.get(source), code.get(outputOf(source)))
  )
  const outputs = new Set(sources.map(outputOf))
  const old = only
    .flatMap((folder) => filesIn(path.join('.build', folder)))
    .map((file) => path.join(root, file))
    .filter((file) => !outputs.has(file))
  for (const file of old) rmSync(file)
  return written.length + old.length > 0
}

const isCode = (source) => /(?<!\.d)\.ts$/.test(source)
const outputOf = (source) =>
  path.join(target, isCode(source) ? source.replace(/ts$/, 'js') : source)

function isChanged(source, mtime) {
  const output = statSync(outputOf(source), { throwIfNoEntry: false })
  // Not "older than": git gives a restored file the current time, but mv keeps the old one.
  return !output || Math.abs(output.mtimeMs - mtime.getTime()) >= 1
}

/** The JavaScript of each output file, with an inline source map that names the source. */
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
    target: 'node22',
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

/**
 * Replaces the file in one step, because a server may be loading it. False when its content stays
 * the same: a source that was read during a write then counts as one change, not two.
 */
function write(source, mtime, code) {
  const output = outputOf(source)
  const content = code ?? readFileSync(path.join(root, source))
  const isSame = existsSync(output) && readFileSync(output).equals(content)
  const written = path.join(target, `being-written-${process.pid}`)
  mkdirSync(path.dirname(output), { recursive: true })
  writeFileSync(written, content)
  utimesSync(written, mtime, mtime)
  renameSync(written, output)
  return !isSame
}

function filesIn(folder) {
  const where = path.join(root, folder)
  if (!existsSync(where)) return []
  const isForBrowsers = forBrowsers.some((each) => path.join(folder, path.sep).endsWith(each))
  return readdirSync(where, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .filter((file) => !/(^|\/)node_modules\//.test(file))
    .filter((file) =>
      isForBrowsers ? /\.[jt]s$/.test(file) : !forBrowsers.some((each) => file.includes(each))
    )
}

if (process.argv[1] === import.meta.filename) await compile()
