import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { documentOf } from '../../src/document.ts'
import { installPackages } from '../support/packages.ts'
import { root } from '../support/root.ts'

const packages = createRequire(path.join(await installPackages('patterns'), 'package.json'))
const { checkSync } = packages('recheck') as {
  checkSync: (source: string, flags: string, limits: object) => { status: string }
}

const files = ['src', 'plugins', 'routes', 'db'].flatMap((room) =>
  readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .map((file) => path.join(room, file))
)

interface Pattern {
  where: string
  source: string
  flags: string
}

/** Every regular expression in the code. */
function literals(file: string): Pattern[] {
  const found: Pattern[] = []
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      found.push({ where: file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    }
    ts.forEachChild(node, visit)
  }
  visit(
    ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest)
  )
  return found
}

/** Every pattern in a schema of requests. */
function schemaPatterns(value: unknown, where: string): Pattern[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'pattern' && typeof child === 'string'
      ? [{ where, source: child, flags: 'u' }]
      : schemaPatterns(child, key)
  )
}

const patterns = [
  ...files.flatMap(literals),
  ...schemaPatterns(JSON.parse(await documentOf('development', { commands: true })), 'the document')
]
const different = [
  ...new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).entries()
]

t.test('the sources contain patterns', async (t) =>
  t.ok(different.length > 40, `${different.length}`)
)

/** Steps are counted instead of time, so that a busy machine does not make a pattern look slow. */
const limits = { timeout: 120_000, attackTimeout: null, incubationTimeout: null }
/** Without a repetition, the time depends on the length of the pattern alone. */
const repeats = different.filter(([, { source }]) => /[*+{]/.test(source))

for (const [text, { where, source, flags }] of repeats) {
  t.test(`${text} in ${where} takes linear time for every input`, async (t) => {
    t.equal(checkSync(source, flags, limits).status, 'safe')
  })
}
