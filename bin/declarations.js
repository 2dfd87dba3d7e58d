import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

const root = path.join(import.meta.dirname, '..')
/** What an app imports: `portal` and `portal/testing`. */
const entries = ['src/base/index.ts', 'src/base/testing.ts']

/**
 * Writes the types of these entries, and of what their types need, into a build. TypeScript 5.4
 * reads them: they name compiled files, because older compilers do not find `./file.ts`.
 */
export function writeDeclarations(dist) {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = ts.createProgram(fileNames, { ...options, declaration: true, outDir: dist })
  const needed = new Set(entries) // and, while it is read, what these import
  for (const file of needed) {
    const source = program.getSourceFile(path.join(root, file))
    const mistakes = program.getDeclarationDiagnostics(source)
    if (mistakes.length > 0) throw new Error(ts.formatDiagnostics(mistakes, formatHost))
    program.emit(source, write, undefined, true)

    function write(target, text) {
      mkdirSync(path.dirname(target), { recursive: true })
      writeFileSync(target, text.replaceAll(relativeImport, '$1$2.js$3').replaceAll(bytesOf, '$1'))
      for (const [, , name] of text.matchAll(relativeImport)) {
        needed.add(path.join(path.dirname(file), `${name}.ts`))
      }
    }
  }
}

const relativeImport = /((?:\bfrom |\bimport\(|\bimport )['"])(\.[^'"]*)\.ts(['"])/g
/** Before TypeScript 5.7 these take no argument. */
const bytesOf = /\b(Uint8Array|Buffer)<ArrayBuffer(?:Like)?>/g
const formatHost = {
  getCurrentDirectory: () => root,
  getCanonicalFileName: (file) => file,
  getNewLine: () => '\n'
}
