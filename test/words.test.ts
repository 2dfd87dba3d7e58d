import { readdirSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { root } from './support/root.ts'
import { textOf } from './support/sources.ts'

const rooms = ['src', 'plugins', 'routes', 'db', 'openapi', 'bin', 'bench', 'test', 'docs']
const self = 'test/words.test.ts'
const texts = [
  'README.md',
  'CHANGELOG.md',
  ...rooms.flatMap((room) =>
    readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.d)\.(tsx?|js|md)$/.test(file) && !file.includes('node_modules'))
      .map((file) => path.join(room, file))
  )
].filter((file) => file !== self && file !== 'docs/lookup/style.md')

/** The lines of these files that match, apart from those that may. */
const linesWith = (where: RegExp, what: RegExp, except = /(?!)/) =>
  texts
    .filter((file) => where.test(file))
    .flatMap((file) =>
      textOf(file)
        .split('\n')
        .flatMap((line, n) => (what.test(line) && !except.test(line) ? [`${file}:${n + 1}`] : []))
    )

const stems = 'author|capital|initial|maxim|minim|normal|optim|organ|recogn|serial|summar|synchron'

t.test('words end in -ize, as docs/lookup/style.md says', async (t) => {
  const spelling = new RegExp(`(${stems})is(e[ds]?|er|ing|ations?)\\b|(${stems})ise[A-Z]`, 'i')
  t.match('normaliseEmail', spelling)
  t.same(linesWith(/^(?!.*\bde\.ts$)/, spelling, /['"]summariseActivity/), [])
})

t.test('HTTP has responses, and only other servers give an answer', async (t) => {
  const noun = /\b(an?|the|no|one|same|this|its|each|other|const) answers?\b/i
  t.match('the answer is 403', noun)
  const others = /standby|pgbouncer|\bdns\b|server|database|user|connection|records|explain/i
  t.same(linesWith(/^(src|plugins|routes|docs)\//, noun, others), [])
})

t.test('the portal sends mail, and no message or letter', async (t) => {
  const other = /\b(this|test|the|a|each|first) (message|letter)s?\b/i
  t.match('ignore this message', other)
  t.same(linesWith(/^(src\/domain\/mail\/|docs\/do\/(mail|accounts)\.md)/, other, /Message-ID/), [])
})

t.test('a comment is a sentence, and no fragment about the name below it', async (t) => {
  const fragment = /(^|\s)(\/\*\*|\/\/) (What|Of|As|Those|The same)\b/
  t.match('  /** Of the session. */', fragment)
  t.same(linesWith(/\.(tsx?|js)$/, fragment), [])
})
