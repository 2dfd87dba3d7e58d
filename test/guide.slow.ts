import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { temporaryFolder } from './support/app.ts'
import { root } from './support/root.ts'

// Performs the example of docs/do/add-a-route.md in a copy of the repository: it generates the
// documents, checks all types and starts a database server.
// Takes about 75 s, so it begins first.

const folder = temporaryFolder(t)
const left = /(^|\/)(node_modules|\.git|\.build|\.data|dist)$/
cpSync(root, folder, { recursive: true, filter: (file) => !left.test(file) })
symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
const git = (...args: string[]) =>
  spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
git('init', '-q')
git('add', '.')
/** Files that differ from the repository. */
const changed = () => git('status', '--porcelain', '-uall').filter((line) => line[1] !== ' ')

const run = (...args: string[]) => {
  const env = { ...process.env }
  // The run of the tests in the copy starts a server of its own, with the new table.
  for (const name of Object.keys(env)) {
    if (/^(TEST_|PORTAL_TEST|TAP)/.test(name)) delete env[name]
  }
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env
  })
  return { status, output: stdout + stderr }
}

const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')
function write(file: string, text: string) {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true })
  writeFileSync(path.join(folder, file), text)
}

/** Adds a block at the beginning of a list, an object or a section of a file. */
function insert(file: string, name: string, block: string) {
  const begin = new RegExp(`(?:\\b${name} = [[{]|^#+ ${name}\\n)`, 'm').exec(read(file))
  if (!begin) throw new Error(`${file} has no ${name}`)
  const at = begin.index + begin[0].length
  write(file, `${read(file).slice(0, at)}\n${block}${read(file).slice(at).replace(/^\n/, '')}`)
}

/** Applies the blocks of the example: new files by their names, and additions by their places. */
function perform(guide: string) {
  for (const [, file, place, name, block = ''] of guide.matchAll(
    /^(?:`(\S+)`|In `(\S+)`, in `(\w+)`[^`]*):\n\n```(?:ts|md)\n([^]*?)^```$/gm
  )) {
    if (file) write(file, block)
    else if (place && name) insert(place, name, block)
  }
}

perform(read('docs/do/add-a-route.md'))

t.test('the example of the guide needs nine files by hand', async (t) => {
  const files = changed().map((line) => line.slice(3))
  t.same(files.sort(), [
    'CHANGELOG.md',
    'db/schema/actions.ts',
    'db/schema/announcements.ts',
    'routes/api/announcements.ts',
    'src/domain/announcements/announcements.ts',
    'src/domain/permissions.ts',
    'src/http/document/operation-tags.ts',
    'src/schemas/announcements.ts',
    'test/routes/api/announcements.test.ts'
  ])
})

t.test('one command writes everything else', async (t) => {
  const first = run('generate', '--', '--check')
  t.match(first, { status: 1, output: /is stale: docs\/lookup\/api.md/ })
  t.match(first.output, /npm run generate -- --name NAME also writes the migration/)
  t.match(run('generate', '--', '--name', 'announcements'), { status: 0 })
  const page = read('docs/lookup/api.md')
  t.ok(page.includes('| `announcement.create` | an announcement is published |'))
  t.ok(page.includes('| `POST /api/announcements` | `announcements:create` |'))
})

t.test('the types hold, and so do the tests that once compared a list with its copy', async (t) => {
  t.match(run('typecheck'), { status: 0, output: /^$/ })
  const { status, output } = run(
    'test:file',
    '--',
    '--jobs=2', // beside the slow tests that run now
    'test/routes/api/announcements.test.ts',
    'test/domain/access/registry.test.ts',
    'test/routes/openapi.test.ts',
    'test/openapi/documents.test.ts',
    'test/documents.test.ts',
    'test/architecture.test.ts',
    'test/account-words.test.ts'
  )
  // Only what failed: a report that is cut would hide it among what passed.
  const failed = output.split('\n').filter((line) => /^\s*(FAILED|not ok|error:)/.test(line))
  t.match({ status, failed }, { status: 0, failed: [] })
})
