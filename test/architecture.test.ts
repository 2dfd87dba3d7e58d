import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import ts from 'typescript'
import { root } from './root.ts'

const filesOf = (room: string) =>
  readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => path.join(room, file))
/** For browsers. */
const pages = filesOf('src/pages')
const files = ['src', 'plugins', 'routes', 'db']
  .flatMap(filesOf)
  .filter((file) => !pages.includes(file))
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')
const importsOf = (file: string) =>
  [...textOf(file).matchAll(/(?:from |import ?\(?)'([^'\s]+)'/g)].map(([, target = '']) =>
    target.startsWith('.') ? path.join(path.dirname(file), target) : target
  )

/** Removes the line breaks that the formatter adds within calls. */
const onOneLine = (file: string) =>
  textOf(file)
    .replace(/\s*\n\s*(?=\.)/g, '')
    .replace(/\(\s+/g, '(')

function forbid(t: Test, where: RegExp, what: RegExp) {
  const found = files
    .filter((file) => where.test(file))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => what.test(target))
        .map((target) => `${file} imports ${target}`)
    )
  t.same(found, [])
}

t.test('the project has source files', async (t) => t.ok(files.length > 40))

t.test('db imports only db', async (t) => forbid(t, /^db\//, /^(src|plugins|routes)\//))
t.test('src imports neither plugins nor routes', async (t) =>
  forbid(t, /^src\//, /^(plugins|routes)\//)
)
t.test('plugins import no plugin and no route', async (t) =>
  forbid(t, /^plugins\//, /^(plugins|routes)\//)
)
t.test('routes import only src', async (t) => forbid(t, /^routes\//, /^(plugins|routes|db)\//))
t.test('the domain imports neither Fastify nor TypeBox nor schemas of the API', async (t) =>
  forbid(t, /^src\/domain\//, /fastify|typebox|^src\/(?!domain\/|problems\/)/)
)
t.test('the list of problems imports nothing else', async (t) =>
  forbid(t, /^src\/problems\//, /^(?!src\/problems\/)/)
)
t.test('the folders of the domain import downwards only', async (t) => {
  // Each may import from the rows below its own, and from files beside the folders.
  const rows = [
    ['accounts', 'jobs'],
    ['mail'],
    ['sessions', 'flags', 'outbox'],
    ['factors'],
    ['access', 'throttling'],
    ['users', 'activity', 'freshness', 'passwords', 'tokens']
  ]
  const rowOf = (folder: string) => rows.findIndex((row) => row.includes(folder))
  const folderOf = (file: string) => /^src\/domain\/([^/]+)\//.exec(file)?.[1]
  const folders = new Set(files.flatMap((file) => folderOf(file) ?? []))
  t.same([...folders].sort(), rows.flat().sort())
  const upwards = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => {
        const [from, to] = [folderOf(file), folderOf(target)]
        if (!file.startsWith('src/domain/') || to === undefined || from === to) return false
        return from === undefined || rowOf(from) >= rowOf(to)
      })
      .map((target) => `${file} imports ${target}`)
  )
  t.same(upwards, [])
})
t.test('imports, type imports included, form no circle', async (t) => {
  t.same(circlesIn(new Map(files.map((file) => [file, importsOf(file)]))), [])
  const circle: [string, string[]][] = [
    ['one', ['two']],
    ['two', ['one']],
    ['three', ['one']]
  ]
  t.same(circlesIn(new Map(circle)), ['one', 'two'], 'a circle would be found')
})

/** The files whose imports lead back to them. */
function circlesIn(imports: Map<string, string[]>) {
  return [...imports.keys()].filter((file) => {
    const reached = new Set<string>()
    const ahead = [...(imports.get(file) ?? [])]
    for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
      if (reached.has(next)) continue
      reached.add(next)
      ahead.push(...(imports.get(next) ?? []))
    }
    return reached.has(file)
  })
}

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

t.test('the library for passkeys is loaded when it is first needed', async (t) => {
  const found = files.filter((file) => /^import (?!type ).*'@simplewebauthn/m.test(textOf(file)))
  t.same(found, [], 'its 25 packages would take a quarter of a second of each start')
  t.ok(files.some((file) => importsOf(file).includes('@simplewebauthn/server')))
})

t.test('storage does not import Fastify', async (t) => forbid(t, /^db\//, /fastify/))
t.test('schemas import TypeBox and the vocabulary of tables and problems only', async (t) =>
  forbid(t, /^src\/schemas\//, /fastify|drizzle|^src\/(?!schemas\/|problems\/)/)
)

t.test(
  'functions that change data take a database or services, an actor and one input',
  async (t) => {
    const changes = files
      .filter((file) => file.startsWith('src/domain/'))
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

const isActor = (parameter = '') => /: (SignedIn)?Actor$/.test(parameter)

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
  const isTakenWhole = (file: string, name = '') =>
    imported.has(`${file} *`) &&
    (!file.startsWith('src/schemas/') ||
      textOf(file).split(`export const ${name} =`)[1]?.split('\nexport ')[0]?.includes('$id') ||
      /^export const \w+ = pageOf\(/m.test(
        `export const ${name} =` + (textOf(file).split(`export const ${name} =`)[1] ?? '')
      ))
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

t.test('the example and the portal know nothing of each other', async (t) => {
  const folder = 'examples/app'
  const examples = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.d)\.[jt]s$/.test(file) && !/node_modules|dist|\.data/.test(file))
    .map((file) => path.join(folder, file))
  t.ok(examples.length > 10)
  const outside = (file: string) =>
    importsOf(file).filter((target) => target.includes('/') && !/^(@|node:|examples)/.test(target))
  t.same(examples.flatMap(outside), [])
  const portal = [...files, ...filesOf('openapi'), ...filesOf('bench')]
  t.same(
    portal.filter((file) => importsOf(file).some((each) => each.includes('examples/'))),
    []
  )
  t.same(
    examples.filter((file) => textOf(file).split('\n').length > 150),
    [],
    'its files are small'
  )
})

t.test('the pages know nothing of the server, nor the server of them', async (t) => {
  const packages = /^(preact(\/hooks)?|@preact\/signals|wouter-preact|openapi-fetch)$/
  const found = (sources: string[], isWrong: (target: string, file: string) => boolean) =>
    sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => isWrong(target, file))
        .map((target) => `${file} imports ${target}`)
    )
  const roomOf = (file: string) => /^src\/pages\/(\w+)\//.exec(file)?.[1]
  t.ok(pages.length > 20)
  t.same(
    found(pages, (target, file) =>
      target.startsWith('src/')
        ? !target.startsWith('src/pages/')
          ? target !== 'src/domain/browsers.ts' // pure, and also for mails
          : ![roomOf(file), 'shared', undefined].includes(roomOf(target))
        : !packages.test(target)
    ),
    [],
    'they import the shared parts and their own, and these packages'
  )
  const others = [...files, ...filesOf('test'), ...filesOf('bench'), ...filesOf('openapi')]
  t.same(
    found(others, (target) => target.startsWith('src/pages/')),
    []
  )
  t.same(circlesIn(new Map(pages.map((file) => [file, importsOf(file)]))), [])
})

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

t.test('every session begins in startSession', async (t) => {
  // So that no way to sign in gets past the second factor.
  const insert = /\binsert\(sessions\)|insert into (?:\$\{sessions\}|"?sessions"?)/i
  t.same(
    files.filter((file) => insert.test(onOneLine(file))),
    ['src/domain/accounts/start-session.ts']
  )
  t.match('tx.insert(sessions)', insert)
  t.match('sql`insert into sessions (id)`', insert)
})

t.test('every statement that writes outside a transaction is retried', async (t) => {
  // Within a transaction the handle is called tx. One file only reads, and migrations run alone.
  const exempt = ['db/estimate.ts', 'db/migrate.ts']
  const write =
    /(retried\((?:async )?\(\) =>\s+)?(?:\bdb\.(?:insert|update|delete|execute)\(|\brecord(?:All)?\((?:app\.)?db\b)/g
  const found = files.flatMap((file) =>
    [...onOneLine(file).matchAll(write)]
      .filter(([, isRetried]) => !isRetried)
      .map(([statement]) => `${file}: ${statement}`)
  )
  t.same(
    found.filter((each) => !exempt.some((file) => each.startsWith(file))),
    []
  )
})
