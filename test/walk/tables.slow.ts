// Takes about 60 s: it starts a portal in a process of its own.

import { execFileSync } from 'node:child_process'
import path from 'node:path'
import t from 'tap'
import { built, root } from '../support/root.ts'
import { textOf } from '../support/sources.ts'

interface Walk {
  flow: string
  files: { file: string; ran: number; lines: number; own: boolean }[]
}

const flows = ['session-check', 'user-creation', 'user-list']
const command = [path.join(built, 'test/walk/walk.js'), '--json', ...flows]
const walks = JSON.parse(
  execFileSync(process.execPath, command, { cwd: root }).toString()
) as Walk[]
const [check = [], creation = [], list = []] = walks.map(({ files }) =>
  files.map(({ file }) => file)
)

/** The files in the rows of the table below a heading, in their order. */
function filesOf(page: string, heading: string) {
  const [, section = ''] = textOf(page).split(`\n## ${heading}\n`)
  const [first = ''] = section.split('\n## ')
  const rows = [...first.matchAll(/^\| \d.*$/gm)].join('\n')
  return [...new Set([...rows.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file))]
}

t.test('a walk has the files that a request enters, and the lines that ran', async (t) => {
  const [{ files } = { files: [] }] = walks
  t.same(
    files.filter(({ own }) => own).map(({ file }) => file),
    ['routes/api/auth/me.ts']
  )
  for (const { file, ran, lines } of files) t.ok(ran > 0 && ran <= lines, file)
})

t.test('the steps of a session check are those that freshness.md lists', async (t) => {
  const steps = filesOf('docs/understand/freshness.md', 'A session check, step by step')
  t.same(check.filter((file) => steps.includes(file)).toSorted(), steps.toSorted())
  // A background task may call the engine before the check does.
  const inOrder = steps.filter((file) => file !== 'db/postgres/engine.ts')
  t.same(
    check.filter((file) => inOrder.includes(file)),
    inOrder
  )
  const rooms = /^src\/domain\/freshness\/|authentication|cookies|tokens|principals/
  t.same(
    check.filter((file) => /^src\//.test(file) && rooms.test(file) && !steps.includes(file)),
    []
  )
})

t.test('a request passes the files that architecture.md lists, in their order', async (t) => {
  const steps = filesOf('docs/understand/architecture.md', 'The path of a request')
  const entered = (walk: string[]) => steps.filter((file) => walk.includes(file))
  t.same([...new Set([...entered(creation), ...entered(list)])].sort(), steps.toSorted())
  // A route calls this plugin as well, before the hook does.
  const inOrder = steps.filter((file) => file !== 'plugins/etags.ts')
  for (const walk of [creation, list]) {
    t.same(
      walk.filter((file) => inOrder.includes(file)),
      inOrder.filter((file) => walk.includes(file))
    )
  }
})
