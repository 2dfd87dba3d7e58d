import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from '../support/app.ts'
import { root } from '../support/root.ts'

export const migrations = path.join(root, 'db/migrations')

interface Entry {
  idx: number
  when: number
  tag: string
}
const journalIn = (folder: string) => path.join(folder, 'meta/_journal.json')
const read = (folder: string) =>
  JSON.parse(readFileSync(journalIn(folder), 'utf8')) as { entries: Entry[] }

/** The names of all migrations, in order. */
export const tags = () => read(migrations).entries.map(({ tag }) => tag)

/** A copy of the migrations that ends before the one with this name. */
export const migrationsBefore = (t: Pick<Test, 'teardown'>, tag: string) =>
  copy(t, (entries) =>
    entries.slice(
      0,
      entries.findIndex((entry) => entry.tag === tag)
    )
  )

/** A copy of the migrations with one more. */
export function migrationsAnd(t: Pick<Test, 'teardown'>, statements: string[]) {
  const tag = 'added'
  const folder = copy(t, (entries) => {
    const when = (entries.at(-1)?.when ?? 0) + 1
    return [...entries, { ...entries.at(-1), idx: entries.length, when, tag }]
  })
  writeFileSync(path.join(folder, `${tag}.sql`), statements.join('--> statement-breakpoint\n'))
  return folder
}

function copy(t: Pick<Test, 'teardown'>, change: (entries: Entry[]) => Entry[]) {
  const folder = path.join(temporaryFolder(t), 'migrations')
  cpSync(migrations, folder, { recursive: true })
  const journal = read(folder)
  const changed = { ...journal, entries: change(journal.entries) }
  writeFileSync(journalIn(folder), JSON.stringify(changed))
  return folder
}
