import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { root } from './support/root.ts'

/** Words that names no longer have, and what says the same in the words of the field. */
const former = JSON.parse(readFileSync(path.join(root, 'test/names.json'), 'utf8')) as Record<
  string,
  string
>

const files = ['src', 'plugins', 'routes', 'db', 'openapi', 'bench', 'bin', 'test'].flatMap(
  (room) =>
    readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.d)\.(tsx?|js)$/.test(file) && !file.includes('node_modules'))
      .map((file) => path.join(room, file))
)

const anyFormer = new RegExp(` (${Object.keys(former).join('|')}) `)
/** The first former name in a name: `set newest` in `setNewestEntry` and in `set-newest.ts`. */
const formerIn = (name: string) =>
  anyFormer.exec(
    ` ${name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/[\W_]+/g, ' ')
      .toLowerCase()} `
  )?.[1]

const ignored = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/gm
/** The identifiers of a source, without its comments and texts. */
const identifiersIn = (source: string) =>
  new Set(source.replace(ignored, '').match(/[A-Za-z_$][\w$]*/g))

t.test('the glossary has each term once', async (t) => {
  const page = readFileSync(path.join(root, 'docs/lookup/style.md'), 'utf8')
  const rows = [...page.matchAll(/^\| ([^|]+) \|.*\|$/gm)].map(([, term = '']) => term)
  const terms = rows.slice(2).flatMap((term) => term.split(', '))
  t.same(terms, [...new Set(terms)])
  const used = ['bucket', 'context', 'forward auth', 'permission', 'principal', 'role', 'service']
  for (const term of [...used, 'session', 'variant']) t.ok(terms.includes(term), term)
})

t.test('identifiers and files have no name of the list of former names', async (t) => {
  t.equal(formerIn('requireWayIn'), 'way in')
  t.same([...identifiersIn("setNewest(a) // keepFresh\n'changeAs'")], ['setNewest', 'a'])
  t.ok(files.length > 1000)
  const found = files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    return [path.basename(file), ...identifiersIn(text)].flatMap((name) => {
      const words = formerIn(name)
      return words === undefined ? [] : [`${file}: ${name}, better ${former[words]}`]
    })
  })
  t.same(found, [])
})
