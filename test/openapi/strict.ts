import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

/** A part of the source of a client, and what a mistaken developer would write. */
export type Mistake = [right: string, wrong: string]

/**
 * Compiles a client and everything in its folder `generated`, and the client once more with each
 * mistake.
 * @returns messages of the strict compiler, and the mistakes that it did not notice
 */
export function compileStrictly(
  folder: string,
  client: string,
  mistakes: Mistake[],
  options: ts.CompilerOptions = {}
) {
  const source = readFileSync(path.join(folder, client), 'utf8')
  const wrong = new Map(
    mistakes.map((mistake, index) => {
      if (!source.includes(mistake[0])) throw new Error(`${client} has no ${mistake[0]}`)
      const file = path.join(folder, `wrong-${index}.ts`)
      writeFileSync(file, source.replace(...mistake))
      return [file, mistake] as const
    })
  )
  const generated = readdirSync(path.join(folder, 'generated'), {
    recursive: true,
    encoding: 'utf8'
  })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(folder, 'generated', file))
  const program = ts.createProgram([path.join(folder, client), ...generated, ...wrong.keys()], {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
    ...options
  })
  const messages: string[] = []
  const noticed = new Set<string>()
  for (const { file, messageText } of ts.getPreEmitDiagnostics(program)) {
    const name = file?.fileName ?? ''
    if (wrong.has(name)) noticed.add(name)
    else messages.push(`${name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
  }
  const unnoticed = [...wrong].filter(([file]) => !noticed.has(file)).map(([, mistake]) => mistake)
  return { messages, unnoticed }
}
