import path from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { files, filesOf, pages, textOf } from './support/sources.ts'

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
  'functions that change data take a database or services, an actor and one input',
  async (t) => {
    const changes = files
      // Except changeAs and actOn, with which they begin.
      .filter((file) => file.startsWith('src/domain/') && file !== 'src/domain/access/rights.ts')
      .flatMap(exportedFunctions)
      // Steps within a transaction take what they need; a callback called `work` is not an input.
      .filter(({ takes: [first = '', ...others] }) => others.some(isActor) && !/^tx\b/.test(first))
    t.ok(changes.length > 20, 'there are changes to look at')
    t.same(
      changes.filter(({ takes: [first = '', second, ...inputs] }) => {
        return (
          !/: (Db|.*Services\b.*)$/s.test(first) ||
          !isActor(second) ||
          inputs.filter((each) => !each.startsWith('work: (')).length > 1
        )
      }),
      []
    )
  }
)

t.test('only isSessionOf finds the session of an actor, by its secret as well', (t) => {
  const byId = /\beq\(\s*sessions\.id,\s*[^)]*sessionId/
  t.match('eq(sessions.id, actor.sessionId)', byId)
  const found = files.filter((file) => byId.test(textOf(file)))
  t.same(found, ['src/domain/presented-session.ts'])
  t.end()
})

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

t.test('every exported name is imported somewhere', async (t) => {
  const everywhere = [
    ...files,
    ...pages,
    ...filesOf('test'),
    ...filesOf('bench'),
    ...filesOf('openapi')
  ]
  const imported = new Set(everywhere.flatMap(namesImportedBy))
  // Of the schemas, src/schemas/components.ts takes those with an $id.
  const isTakenWhole = (file: string, name = '') => {
    const [, rest = ''] = textOf(file).split(`export const ${name} =`)
    return (
      imported.has(`${file} *`) ||
      (file.startsWith('src/schemas/') &&
        (rest.split('\nexport ')[0]?.includes('$id') ||
          new RegExp(`^ \\w+\\(\\s*'${name}'`).test(rest))) // pageOf and the like take the $id
    )
  }
  const unused = [...files, ...pages, ...filesOf('openapi')].flatMap((file) =>
    [
      ...textOf(file).matchAll(
        /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm
      )
    ]
      .filter(([, name]) => !imported.has(`${file} ${name}`) && !isTakenWhole(file, name))
      .map(([, name]) => `${file} exports ${name}`)
  )
  t.ok(imported.has('src/domain/errors.ts overloaded'))
  t.same(unused, [])
})

/** `file name` for each imported name, `file *` for whole files. */
function namesImportedBy(file: string) {
  const text = textOf(file)
  const from = (target = '') => path.join(path.dirname(file), target)
  return [
    ...[...text.matchAll(/\* as \w+ from '(\.[^']+)'|import\('(\.[^']+)'\)/g)].map(
      ([, all, later]) => `${from(all ?? later)} *`
    ),
    ...[...text.matchAll(/import (?:type )?(?:\w+, )?\{([^}]*)\} from '(\.[^']+)'/g)].flatMap(
      ([, names = '', target]) =>
        names.split(',').map((name) => `${from(target)} ${name.trim().split(' as ')[0]}`)
    )
  ]
}

t.test('neither the image nor the package has more than a production install needs', async (t) => {
  const [everything, ...exceptions] = textOf('.dockerignore').trim().split('\n')
  t.equal(everything, '*')
  const needed = ['package.json', 'package-lock.json', 'tsconfig.json', 'src', 'plugins', 'routes']
  t.same(exceptions.sort(), [...needed, 'db'].map((name) => `!${name}`).sort())
  const { files, workspaces } = JSON.parse(textOf('package.json')) as Record<string, unknown>
  t.same([files, workspaces], [['bin', 'dist'], undefined])
})

t.test('only the configuration reads environment variables', async (t) => {
  t.same(
    files.filter((file) => textOf(file).includes('process.env')),
    ['src/config/config.ts']
  )
})

/** Removes the line breaks that the formatter adds within calls. */
const onOneLine = (file: string) =>
  textOf(file)
    .replace(/\s*\n\s*(?=\.)/g, '')
    .replace(/\(\s+/g, '(')

t.test('every session begins in startSession', async (t) => {
  // So that no way to sign in gets past the second factor.
  const insert = /\binsert\(sessions\)|insert into (?:\$\{sessions\}|"?sessions"?)/i
  t.same(
    files.filter((file) => insert.test(onOneLine(file))),
    ['src/domain/sign-in/start-session.ts']
  )
  t.match('tx.insert(sessions)', insert)
  t.match('sql`insert into sessions (id)`', insert)
})

t.test('every statement that writes runs in a transaction', async (t) => {
  // Within a transaction the handle is called tx. Two files only read, one builds a statement that
  // it runs in a transaction, and changes of the schema run alone.
  const exempt = [
    'db/balancing.ts',
    'db/estimate.ts',
    'db/indexes.ts',
    'db/migrate.ts',
    'db/partitions/',
    'src/domain/old-rows.ts'
  ]
  const write = /\bdb\.(?:insert|update|delete|execute)\(|\brecord(?:All)?\((?:app\.)?db\b/g
  const found = files.flatMap((file) =>
    [...onOneLine(file).matchAll(write)].map(([statement]) => `${file}: ${statement}`)
  )
  t.same(
    found.filter((each) => !exempt.some((file) => each.startsWith(file))),
    []
  )
})
