import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import type { Db } from '../../db/engine.ts'
import type { CommandLine } from '../domain/actor.ts'
import { revisionNotFound } from '../domain/errors.ts'
import { listFlagRevisions, restoreFlag } from '../domain/flags/restore.ts'
import { listDeleted } from '../domain/flags/revisions.ts'
import type { Page, Window } from '../domain/keyset.ts'
import { diffLines } from '../domain/line-diff.ts'
import { UsageError } from './errors.ts'
import { printList } from './list.ts'
import { asData, asList, example } from './options.ts'
import type { Json, ListOptions } from './options.ts'
import { plain, printJson, printOne, say, write } from './output.ts'
import type { Row } from './output.ts'
import { withPortal } from './portal.ts'

type Revision = Awaited<ReturnType<typeof listFlagRevisions>>['items'][number]
type Shown = Omit<Revision, 'definition'> & { definition: object | null }

/** What the commands of a history need to know about its subject. */
interface Revisioned<T extends Row> {
  /** The group of the commands, such as `flag`. */
  name: string
  /** For examples. */
  key: string
  list(db: Db, actor: CommandLine, of: { key: string } & Window<'version'>): Promise<Page<Shown>>
  restore(db: Db, actor: CommandLine, wanted: { key: string; version: number }): Promise<T>
}

export const addFlagHistory = (flag: Command) =>
  addHistory(flag, {
    name: 'flag',
    key: 'new-checkout',
    list: listFlagRevisions,
    async restore(db, actor, wanted) {
      const { version, revision, ...restored } = await restoreFlag(db, actor, wanted)
      return restored
    }
  })

/** The commands `history`, `diff` and `restore`. */
export function addHistory<T extends Row>(group: Command, subject: Revisioned<T>) {
  const { name, key: exampleKey, list, restore } = subject
  const history = asList(
    group.command('history').description(`list the versions of a ${name}, also of a deleted one`),
    ['-version']
  ).argument('<key>')
  example(history, `portal ${name} history ${exampleKey}`)
  history.action(async (key: string, options: ListOptions<'version'>) =>
    withPortal(async ({ db, actor }) =>
      printList(options, (window) => list(db, actor, { key, ...window }), [
        'version',
        'at',
        ['by', (row) => row.actorLabel ?? row.actorType],
        'change',
        'fields'
      ])
    )
  )

  const diff = asData(
    group
      .command('diff')
      .description(
        'show what the last change has changed, what has changed since a version, or between two'
      )
      .argument('<key>')
      .argument('[from]', 'version', version)
      .argument('[to]', 'version; the last one by default', version)
  )
  example(diff, `portal ${name} diff ${exampleKey}`, `portal ${name} diff ${exampleKey} 6 7`)
  diff.action(
    async (key: string, from: number | undefined, to: number | undefined, { json }: Json) =>
      withPortal(async ({ db, actor }) => {
        const find = async (wanted?: number) => versionOf(db, actor, subject, { key, wanted })
        const after = await find(to)
        const before =
          from === undefined ? await previous(db, actor, subject, key) : await find(from)
        if (json) return printJson({ from: before, to: after })
        const changed = diffLines(linesOf(before), linesOf(after))
        await write(changed.map((line) => `${plain(line)}\n`).join(''))
        if (changed.every((line) => line.startsWith(' '))) say('no difference')
      })
  )

  const back = asData(
    group
      .command('restore')
      .description(`restore an earlier version of a ${name}, or a deleted ${name}`)
      .argument('<key>')
      .argument('[version]', `by default the last one of a deleted ${name}`, version)
  )
  example(back, `portal ${name} restore ${exampleKey} 6`)
  back.action(async (key: string, wanted: number | undefined, { json }: Json) =>
    withPortal(async ({ db, actor }) => {
      const version = wanted ?? (await beforeDeletion(db, actor, subject, key))
      await printOne(await restore(db, actor, { key, version }), json)
    })
  )
}

/** `portal flag list --deleted` */
export const printDeleted = (options: ListOptions<string>) =>
  withPortal(async ({ db, actor }) => {
    if (!/^-?key$/.test(options.sort)) throw new UsageError('Deleted flags are sorted by key.')
    await printList(
      { ...options, sort: options.sort as 'key' | '-key' },
      (window) => listDeleted(db, actor, window),
      ['kind', 'key', 'deletedAt', ['by', (row) => row.actorLabel ?? row.actorType]]
    )
  })

function version(text: string) {
  if (/^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 31 - 1) return Number(text)
  throw new InvalidArgumentError('A version is a whole number, as the command history lists it.')
}

type Named = Pick<Revisioned<Row>, 'list' | 'name'>

/** The wanted version, or the newest one. */
async function versionOf(
  db: Db,
  actor: CommandLine,
  { list }: Named,
  { key, wanted }: { key: string; wanted: number | undefined }
) {
  const after = wanted === undefined ? undefined : [wanted + 1]
  const [found] = (await list(db, actor, { key, limit: 1, sort: '-version', after })).items
  if (!found || (wanted !== undefined && found.version !== wanted)) throw revisionNotFound()
  return found
}

/** The version before the newest one, if there is one. */
async function previous(db: Db, actor: CommandLine, { list }: Named, key: string) {
  return (await list(db, actor, { key, limit: 2, sort: '-version' })).items[1]
}

async function beforeDeletion(db: Db, actor: CommandLine, subject: Named, key: string) {
  const { change } = await versionOf(db, actor, subject, { key, wanted: undefined })
  const last = await previous(db, actor, subject, key)
  if (change === 'delete' && last) return last.version
  throw new UsageError(
    `The ${subject.name} is not deleted. Specify a version: portal ${subject.name} history KEY ` +
      'lists them.'
  )
}

const linesOf = (revision: Shown | undefined) =>
  revision?.definition ? JSON.stringify(revision.definition, null, 2).split('\n') : []
