import { spawnSync } from 'node:child_process'
import t from 'tap'
import { installPackages } from '../support/packages.ts'
import { blocksOf, pages } from '../support/documents.ts'

// Every diagram of the documents, with the parser that draws it.
const folder = await installPackages('formats', 'parse-diagrams.js')

function mistakesIn(diagrams: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['parse-diagrams.js'], {
    cwd: folder,
    input: JSON.stringify(diagrams),
    encoding: 'utf8'
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as (string | null)[]
}

t.test('every diagram of the documents can be drawn', async (t) => {
  const diagrams = pages().flatMap((page) =>
    blocksOf(page)
      .filter(({ language }) => language === 'mermaid')
      .map(({ line, text }) => ({ at: `${page}:${line}`, text }))
  )
  t.ok(diagrams.length >= 8, 'there are diagrams')
  const mistakes = mistakesIn(diagrams.map(({ text }) => text))
  t.same(
    diagrams.map(({ at }, index) => [at, mistakes[index]]).filter(([, mistake]) => mistake),
    []
  )
})

t.test('a mistake in a diagram is found', async (t) => {
  const mistakes = mistakesIn([
    'flowchart LR\n  a[one -->',
    'no diagram',
    'flowchart LR\n  a --> b'
  ])
  t.same(
    mistakes.map((mistake) => mistake === null),
    [false, false, true]
  )
})
