import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { operators } from '../db/schema/flags.ts'
import * as ofApps from '../src/base/index.ts'
import * as ofTests from '../src/base/testing.ts'
import { documentOf } from '../src/document.ts'
import { fieldCodes } from '../src/problems/fields.ts'
import { problems } from '../src/problems/list.ts'
import { version } from '../src/version.ts'
import { blocksOf, differenceOf, pages, readPage } from './support/documents.ts'
import { root } from './support/root.ts'

// Compares the documents with the code. Their commands and calls are run by .ci/built.mjs.

/** The rows of the tables in a section, as arrays of cell texts. */
const rowsOf = (text: string, heading: string) => {
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  return (section.split('\n## ', 1)[0] ?? '')
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
}
const codeIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code)

/** Every match of the pattern in the sources below these folders, once. */
function inSources(pattern: RegExp, ...folders: string[]) {
  const texts = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(path.join(root, folder, file), 'utf8'))
  )
  return [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, code]) => code)))]
}

const document = JSON.parse(await documentOf('development', { commands: true })) as {
  components: { schemas: Record<string, Words & { properties?: Record<string, Words> }> }
}
interface Words {
  enum?: string[]
}
/** The enum of a component, or of one of its properties. */
function wordsOf(schema: string, property?: string) {
  const component = document.components.schemas[schema]
  return (property === undefined ? component : component?.properties?.[property])?.enum ?? []
}

t.test('the documents and the files of deploy/ name this version', (t) => {
  const others = (name: string) =>
    [
      ...readPage(name).matchAll(
        /(?:^Version |portal[:-]|portal-client-|newTag: )(\d+\.\d+\.\d+)/gm
      )
    ]
      .map(([, found]) => found)
      .filter((found) => found !== version)
      .map((found) => `${name}: ${found}`)
  const manifests = readdirSync(path.join(root, 'deploy/kubernetes')).map(
    (name) => `deploy/kubernetes/${name}`
  )
  // Upgrade is about the version after this one.
  const named = [...pages(), ...manifests].filter((name) => !/upgrade\.md$|CHANGELOG/.test(name))
  t.same(named.flatMap(others), [])
  t.end()
})

t.test('every link leads to a file and a heading that exist', async (t) => {
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-')
  const broken: string[] = []
  let count = 0
  for (const page of pages()) {
    const prose = readPage(page).replace(/^```[^]*?^```$/gm, '')
    for (const [, target = '', anchor] of prose.matchAll(
      /\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g
    )) {
      count++
      const file = target === '' ? page : path.join(path.dirname(page), target)
      const headings = existsSync(path.join(root, file))
        ? anchor && [...readPage(file).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => slug(text))
        : []
      if (headings !== undefined && !headings.includes(anchor ?? '')) {
        broken.push(`${page}: ${target}#${anchor}`)
      }
    }
  }
  t.same(broken, [])
  t.ok(count > 50, 'there are links')
})

t.test('every row of a table follows its head without an empty line', async (t) => {
  const tables = pages().flatMap((page) =>
    [...readPage(page).matchAll(/(?<=\n\n)\|.*\n(.*)/g)].map(([row, next]) => ({ page, row, next }))
  )
  t.ok(tables.length > 100, 'there are tables')
  t.same(
    tables.filter(({ next }) => !next?.startsWith('| ---')),
    []
  )
})

t.test('ten questions are answered at once, on a page that README.md links to', async (t) => {
  const page = readPage('docs/questions.md')
  t.match(readPage('README.md'), '](docs/questions.md)')
  const rows = [...page.matchAll(/^\| (.+\?[^|]*) \| (.+) \|$/gm)]
  t.equal(rows.length, 10)
  for (const [, question = '', answer = ''] of rows) {
    t.ok(answer.split(' ').length <= 50, `${question} short`)
    t.match(answer, /\]\([^)]+\)/, `${question} leads on`)
  }
  const runbooks = readdirSync(path.join(root, 'docs/do/runbooks'))
  t.same(
    runbooks.filter((file) => !page.includes(`(do/runbooks/${file})`)),
    []
  )
})

t.test('a part of a file is shown as it is in the file', async (t) => {
  const shown = pages().flatMap((page) =>
    [...readPage(page).matchAll(/^```\w+ .*?(?:from|a part of) (\S+)\n([^]*?)^```$/gm)].map(
      ([, file = '', text = '']) => ({ page, file, text })
    )
  )
  t.ok(shown.length >= 3, 'parts are shown')
  t.same(
    shown.filter(({ file, text }) => !readPage(file).includes(text)),
    []
  )
})

t.test('the guide of apps names everything that an app can import', async (t) => {
  const page = readPage('docs/do/build-on-the-portal.md')
  for (const names of [Object.keys(ofApps), Object.keys(ofTests)]) {
    t.ok(names.length > 5, 'there are exports')
    t.same(
      names.filter((name) => !new RegExp(`\\b${name}\\b`).test(page)),
      []
    )
  }
})

t.test(
  'no two pages create the same user, role or permission, so that none ends another',
  async (t) => {
    const owners = new Map<string, Set<string>>()
    for (const page of pages()) {
      for (const { text, reason } of blocksOf(page)) {
        if (reason !== undefined) continue
        const emails = text.includes('auth/register') ? text.matchAll(/[\w.]+@example\.com/g) : []
        const keys = /POST \S*api\/admin\/(?:roles|permissions)/.test(text)
          ? text.matchAll(/"key":"[^"]+"/g)
          : []
        for (const [what] of [...emails, ...keys]) {
          owners.set(what, (owners.get(what) ?? new Set()).add(page))
        }
      }
    }
    t.ok(owners.size > 8, 'pages create something')
    t.same(
      [...owners].filter(([, found]) => found.size > 1).map(([what, found]) => [what, ...found]),
      []
    )
  }
)

t.test('every file that a document names exists', async (t) => {
  const name =
    /`((?:src|plugins|routes|db|openapi|test|bench|bin|deploy|docs|examples|\.ci)\/[^`\s*]*)`/g
  const named = pages().flatMap((page) =>
    [...readPage(page).matchAll(name)].map(([, file = '']) => ({ page, file }))
  )
  t.ok(named.length > 40, 'files are named')
  t.same(
    // The examples of docs/do/add-a-route.md and add-more.md are not in the checkout.
    named.filter(
      ({ page, file }) =>
        !/announcements|phone/.test(file) &&
        !blocksOf(page).some((block) => block.file === file) &&
        !existsSync(path.join(root, file)) &&
        !existsSync(path.join(root, path.dirname(page), file)) &&
        !(
          page === 'docs/do/build-on-the-portal.md' &&
          existsSync(path.join(root, 'examples/orders', file))
        )
    ),
    []
  )
})

t.test('every problem code and every code of a field error is used and published', async (t) => {
  const thrown = inSources(/new DomainError\(\s*'([a-z-]+)'/g, 'src', 'plugins')
  t.same(thrown.sort(), Object.keys(problems).sort())
  t.same(wordsOf('ProblemCode').sort(), Object.keys(problems).sort())
  const ofFields = inSources(/(?:\bcode: |\bat\(\s*)'([a-z-]+)'/g, 'src/domain', 'src/http')
  t.ok(thrown.length > 60 && ofFields.length > 15, 'they are found')
  t.same(new Set(ofFields), new Set(Object.keys(fieldCodes)))
  t.same(wordsOf('FieldCode').sort(), Object.keys(fieldCodes).sort())
})

t.test('every problem code is listed by an operation, but for those before routes', async (t) => {
  const unlisted = readPage('docs/lookup/errors.md').matchAll(/^\| `([a-z-]+)` \|.*\| none \|$/gm)
  t.same([...unlisted].map(([, code]) => code).sort(), ['method-not-allowed', 'request-rejected'])
})

t.test('docs/do/flags.md lists every operator, reason and error code', async (t) => {
  const flags = readPage('docs/do/flags.md')
  const first = (heading: string) => rowsOf(flags, heading).flatMap(([name]) => codeIn(name))
  const listed = [...first('How a flag decides'), ...first('Evaluate')]
  const expected = [
    ...operators,
    ...wordsOf('Evaluation', 'reason'),
    ...wordsOf('EvaluationFailure', 'errorCode')
  ]
  t.ok(expected.length > operators.length + 8)
  t.same(
    expected.filter((word) => !listed.includes(word)),
    []
  )
})

t.test(
  'every npm script named in a document exists, and the pages for contributors name all of them',
  async (t) => {
    const scriptsOf = (file: string) =>
      Object.keys(
        (JSON.parse(readFileSync(path.join(root, file), 'utf8')) as { scripts: object }).scripts
      )
    const scripts = scriptsOf('package.json')
    const ofApp = new Set(scriptsOf('bin/scaffold/package.json'))
    const named = (text: string) =>
      [...text.matchAll(/npm (?:run (?:-s )?)?((?<=run (?:-s )?)[a-z:-]+|test|start)\b/g)].map(
        ([, name]) => name
      )
    for (const page of pages()) {
      if (page.startsWith('docs/') || page === 'README.md' || page === 'CONTRIBUTING.md') {
        const isApp = page === 'docs/do/build-on-the-portal.md'
        t.same(
          named(readPage(page)).filter(
            (name = '') => !(isApp ? ofApp.has(name) : scripts.includes(name)) && name !== 'bench'
          ),
          [],
          page
        )
      }
    }
    const hooks = /^(?:pre|post)(?:start|build|pack|lint|typecheck)$/
    t.same(
      scripts.filter((name) => !hooks.test(name)).sort(),
      [
        ...new Set(
          ['contributing', 'release'].flatMap((page) => named(readPage(`docs/do/${page}.md`)))
        )
      ]
        .filter((name) => name !== 'bench')
        .sort()
    )
  }
)

t.test('code blocks of a page are read and compared for .ci/built.mjs', async (t) => {
  const blocks = blocksOf('docs/start/tutorial.md')
  t.ok(blocks.some(({ language, shown }) => language === 'sh' && shown?.language === 'json'))
  t.ok(blocks.some(({ language, shown }) => language === 'js' && shown?.language === 'text'))
  t.ok(blocks.some(({ reason }) => reason !== undefined))
  t.ok(
    blocksOf('docs/do/pages.md').some(({ language }) => language === 'sh'),
    'indented as well'
  )

  const json = (text: string) => ({ language: 'json', text })
  t.equal(differenceOf(json('{"a":"…","b":[1]}'), '{"a":"x","b":[1]}'), undefined)
  for (const other of ['{"a":"","b":[1]}', '{"a":"x","b":[2]}', '{"b":[1],"a":"x"}', '{"a":"x"}']) {
    t.type(differenceOf(json('{"a":"…","b":[1]}'), other), 'string', other)
  }
  const parts = json('{"a":["x","…"],"b":2,"…":"…"}')
  for (const whole of ['{"a":["x","y","z"],"b":2}', '{"z":0,"a":["x"],"c":1,"b":2}']) {
    t.equal(differenceOf(parts, whole), undefined, whole)
  }
  for (const other of [
    '{"a":["y","x"],"b":2}',
    '{"a":["x"]}',
    '{"b":2,"a":["x"]}',
    '{"a":[],"b":2}'
  ]) {
    t.type(differenceOf(parts, other), 'string', other)
  }
  t.equal(differenceOf({ language: 'text', text: 'k1:…\n' }, 'k1:abc\n'), undefined)
  t.type(differenceOf({ language: 'text', text: '' }, 'a problem'), 'string')
})
