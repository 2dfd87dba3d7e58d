import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'

// JavaScript, because it runs before TypeScript can.

const root = path.join(import.meta.dirname, '..')
const target = path.join(root, '.build')
export const folders = ['src', 'plugins', 'routes', 'db', 'openapi', 'test']
const stampFile = path.join(target, 'stamp.json')

/**
 * Brings .build up to date with the sources: TypeScript as JavaScript, everything else as it is.
 * Only what changed is written: a tenth of a second when nothing did. `tsc -p test` checks types.
 */
export async function compile() {
  // What the output depends on beside the sources.
  const stamp = JSON.stringify([
    process.version,
    readFileSync(import.meta.filename, 'utf8'),
    readFileSync(path.join(root, 'tsconfig.json'), 'utf8'),
    readFileSync(path.join(root, 'node_modules/typescript/package.json'), 'utf8')
  ])
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
    for (const folder of folders) {
      rmSync(path.join(target, folder), { recursive: true, force: true })
    }
  }
  const outputs = new Map(
    folders.flatMap(filesIn).map((source) => [source.replace(/(?<!\.d)\.ts$/, '.js'), source])
  )
  for (const [output, source] of outputs) await write(source, path.join(target, output))
  for (const old of folders.flatMap((folder) => filesIn(path.join('.build', folder)))) {
    if (!outputs.has(path.relative('.build', old))) rmSync(path.join(root, old))
  }
  writeFileSync(stampFile, stamp)
}

async function write(source, output) {
  const { mtimeMs, mtime } = statSync(path.join(root, source))
  const existing = statSync(output, { throwIfNoEntry: false })
  // Not "older than": a file that git put back has the time of that moment, one that mv did not.
  if (existing && Math.abs(existing.mtimeMs - mtimeMs) < 1) return
  mkdirSync(path.dirname(output), { recursive: true })
  if (output.endsWith('.js') && source.endsWith('.ts')) {
    writeFileSync(output, await transpile(source, path.dirname(output)))
  } else copyFileSync(path.join(root, source), output)
  utimesSync(output, mtime, mtime)
}

/** The source map is inside, and names the source where it is. */
async function transpile(source, folder) {
  const { default: ts } = await import('typescript')
  const file = path.join(root, source)
  const { compilerOptions } = ts.readConfigFile(
    path.join(root, 'tsconfig.json'),
    ts.sys.readFile
  ).config
  return ts.transpileModule(readFileSync(file, 'utf8'), {
    fileName: path.basename(file),
    compilerOptions: {
      ...ts.convertCompilerOptionsFromJson(compilerOptions, root).options,
      module: ts.ModuleKind.ESNext,
      inlineSourceMap: true,
      sourceRoot: `${path.relative(folder, path.dirname(file))}/`
    }
  }).outputText
}

function filesIn(folder) {
  const where = path.join(root, folder)
  if (!existsSync(where)) return []
  return readdirSync(where, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
}

if (process.argv[1] === import.meta.filename) await compile()
