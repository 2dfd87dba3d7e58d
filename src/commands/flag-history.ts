import { InvalidArgumentError } from 'commander'
import type { Db } from '../../db/engine.ts'
import { revisionSorts } from '../../db/schema/flags.ts'
import type { CommandLine } from '../domain/actor.ts'
import { revisionNotFound } from '../domain/errors.ts'
import type { listFlagRevisions } from '../domain/flags/restore.ts'
import { listDeleted } from '../domain/flags/revisions.ts'
import type { Page, Window } from '../domain/keyset.ts'
import { diffLines } from '../common/line-diff.ts'
import { command, inPortal, list, prints } from './command.ts'
import { UsageError } from './errors.ts'
import { printList } from './list.ts'
import type { Json, ListOptions } from './options.ts'
import { plain, printJson, say, write } from './output.ts'
import type { Portal } from './portal.ts'

type Revision = Awaited<ReturnType<typeof listFlagRevisions>>['items'][number]
type Shown = Omit<Revision, 'definition'> & { definition: object | null }

/** A flag or a segment. */
interface Revisioned {
  /** The group of the commands, such as `flag`. */
  name: string
  /** For examples. */
  key: string
  list(db: Db, actor: CommandLine, of: { key: string } & Window<'version'>): Promise<Page<Shown>>
  restore(db: Db, actor: CommandLine, wanted: { key: string; version: number }): Promise<object>
}

/** The commands `history`, `diff` and `restore`. */
export function historyCommands(subject: Revisioned) {
  const { name, key: exampleKey } = subject
  return {
    'history <key>': list({
      what: `list the versions of a ${name}, also of a deleted one`,
      examples: [exampleKey],
      sorts: revisionSorts,
      newestFirst: true,
      rows: ({ db, actor }, window, _, key) => subject.list(db, actor, { key, ...window }),
      columns: [
        'version',
        'at',
        ['by', (row) => row.actorLabel ?? row.actorType],
        'change',
        'fields'
      ]
    }),
    'diff <key> [from] [to]': command({
      what:
        'show what the last change has changed, what has changed since a version, ' +
        'or between two',
      args: { from: ['version', version], to: ['version; the last one by default', version] },
      examples: [exampleKey, `${exampleKey} 6 7`],
      run: inPortal<Json, [key: string, from?: number, to?: number]>(
        async ({ db, actor }, { json }, key, from, to) => {
          const find = async (wanted?: number) => versionOf(db, actor, subject, { key, wanted })
          const after = await find(to)
          const before =
            from === undefined ? await previous(db, actor, subject, key) : await find(from)
          if (json) return printJson({ from: before, to: after })
          const changed = diffLines(linesOf(before), linesOf(after))
          await write(changed.map((line) => `${plain(line)}\n`).join(''))
          if (changed.every((line) => line.startsWith(' '))) say('no difference')
        }
      )
    }),
    'restore <key> [version]': command({
      what: `restore an earlier version of a ${name}, or a deleted ${name}`,
      args: { version: [`by default the last one of a deleted ${name}`, version] },
      examples: [`${exampleKey} 6`],
      run: prints<Json, [key: string, version?: number]>(async ({ db, actor }, _, key, wanted) =>
        subject.restore(db, actor, {
          key,
          version: wanted ?? (await beforeDeletion(db, actor, subject, key))
        })
      )
    })
  }
}

/** Prints the rows of `portal flag list --deleted`. */
export async function printDeleted({ db, actor }: Portal, options: ListOptions<string>) {
  if (!/^-?key$/.test(options.sort)) throw new UsageError('Deleted flags are sorted by key.')
  await printList(
    { ...options, sort: options.sort as 'key' | '-key' },
    (window) => listDeleted(db, actor, window),
    ['kind', 'key', 'deletedAt', ['by', (row) => row.actorLabel ?? row.actorType]]
  )
}

function version(text: string) {
  if (/^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 31 - 1) return Number(text)
  throw new InvalidArgumentError('A version is a whole number, as the command history lists it.')
}

/** The wanted version, or the newest one. */
async function versionOf(
  db: Db,
  actor: CommandLine,
  { list }: Revisioned,
  { key, wanted }: { key: string; wanted: number | undefined }
) {
  const after = wanted === undefined ? undefined : [wanted + 1]
  const [found] = (await list(db, actor, { key, limit: 1, sort: '-version', after })).items
  if (!found || (wanted !== undefined && found.version !== wanted)) throw revisionNotFound()
  return found
}

/** The version before the newest one, if there is one. */
async function previous(db: Db, actor: CommandLine, { list }: Revisioned, key: string) {
  return (await list(db, actor, { key, limit: 2, sort: '-version' })).items[1]
}

async function beforeDeletion(db: Db, actor: CommandLine, subject: Revisioned, key: string) {
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
