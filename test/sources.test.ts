import path from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { files, textOf } from './support/sources.ts'

// Neither knip nor ESLint can express these rules.

t.test('no two file names in a folder differ by one letter only', async (t) => {
  const room = (file: string) => /^(src\/[^/]+\/|[^/]+\/)/.exec(file)?.[1]
  const name = (file: string) => path.parse(file).name
  const alike = files.flatMap((one, n) =>
    files
      .slice(n + 1)
      .filter((other) => room(one) === room(other) && differByALetter(name(one), name(other)))
      .map((other) => `${one} and ${other}`)
  )
  t.ok(differByALetter('connection', 'connections') && differByALetter('ban', 'bin'))
  t.same(alike, [])
})

/** One letter inserted or replaced. */
function differByALetter(one: string, other: string) {
  const [long, short] = one.length > other.length ? [one, other] : [other, one]
  const at = [...long].findIndex((letter, n) => letter !== short[n])
  const rest = long.slice(at + 1)
  return at >= 0 && (rest === short.slice(at) || rest === short.slice(at + 1))
}

t.test(
  'functions that change data take a database or the context, an actor and one input',
  async (t) => {
    const changes = files
      // Except authorized and authorizedOn, with which they begin.
      .filter((file) => file.startsWith('src/domain/') && file !== 'src/domain/access/authorize.ts')
      .flatMap(exportedFunctions)
      // Steps within a transaction take what they need; a callback called `work` is not an input.
      .filter(({ takes: [first = '', ...others] }) => others.some(isActor) && !/^tx\b/.test(first))
    t.ok(changes.length > 20, 'there are changes to look at')
    t.same(
      changes.filter(({ takes: [first = '', second, ...inputs] }) => {
        return (
          !/: (Db|.*Context\b.*)$/s.test(first) ||
          !isActor(second) ||
          inputs.filter((each) => !each.startsWith('work: (')).length > 1
        )
      }),
      []
    )
  }
)

const isActor = (parameter = '') => /: ((SignedIn|User)?Actor|CommandLine)$/.test(parameter)

/** The exported functions of a file with the source of their parameters. */
function exportedFunctions(file: string) {
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest)
  const isExported = (node: ts.FunctionDeclaration | ts.VariableStatement) =>
    node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  const describe = (name: ts.Node | undefined, { parameters }: ts.SignatureDeclaration) => ({
    name: `${file}: ${name?.getText(source)}`,
    takes: parameters.map((each) => each.getText(source))
  })
  return source.statements.flatMap((node) => {
    if (ts.isFunctionDeclaration(node) && isExported(node)) return [describe(node.name, node)]
    if (!ts.isVariableStatement(node) || !isExported(node)) return []
    return node.declarationList.declarations.flatMap(({ name, initializer }) =>
      initializer && ts.isArrowFunction(initializer) ? [describe(name, initializer)] : []
    )
  })
}

t.test('the image has what its build needs, and no more', async (t) => {
  const [everything, ...exceptions] = textOf('.dockerignore').trim().split('\n')
  t.equal(everything, '*')
  const manifest = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  const { prebuild, build, postbuild } = manifest.scripts
  const started = `${prebuild} ${build} ${postbuild}`.match(/bin\/[\w-]+\.js/g)
  const programs = new Set(started) // and, while it is read, what these import
  for (const file of programs) {
    for (const [, name] of textOf(file).matchAll(/ from '\.\/([^']+)'/g)) {
      programs.add(`bin/${name}`)
    }
  }
  const needed = ['package.json', 'package-lock.json', 'tsconfig.json', 'src', 'plugins', 'routes']
  t.same(exceptions.sort(), [...needed, 'db', ...programs].map((name) => `!${name}`).sort())
  t.notOk('workspaces' in manifest) // .ci/built.mjs looks into the package
})
