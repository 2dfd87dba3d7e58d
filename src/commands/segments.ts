import type { Command } from 'commander'
import type { segmentSorts } from '../../db/schema/flags.ts'
import { loadSettingsConfig } from '../config/config.ts'
import { requireSettings } from '../domain/flags/caller-settings.ts'
import { listSegmentRevisions, restoreSegment } from '../domain/flags/restore.ts'
import {
  changeSegmentUser,
  createSegment,
  deleteSegment,
  findSegment,
  listSegments,
  updateSegment
} from '../domain/flags/segments.ts'
import { findUserId } from '../domain/users/users.ts'
import { NewSegment, SegmentPatch } from '../schemas/segments.ts'
import { UsageError } from './errors.ts'
import { addHistory } from './flag-history.ts'
import { printList } from './list.ts'
import { whoHelp } from './user-argument.ts'
import { asData, asList, collect, example } from './options.ts'
import type { Json, ListOptions } from './options.ts'
import { printJson, printOne, say } from './output.ts'
import { withPortal } from './portal.ts'
import { settingsOf } from './settings.ts'
import { checked, checker, readJson, requireConfirmation } from './terminal.ts'

type Segment = Awaited<ReturnType<typeof findSegment>>
const show = ({ version, revision, ...segment }: Segment, json?: boolean) => printOne(segment, json)
const fileHelp = 'JSON file with the segment, in the format of the admin API; - for stdin'

export function addSegmentCommands(program: Command) {
  const segment = program
    .command('segment')
    .description('segments, groups of callers that rules of feature flags refer to')
  example(segment, 'portal segment list', 'portal segment create beta-testers --role beta')
  addReading(segment)
  addCreate(segment)
  addUpdate(segment)
  addUsers(segment)
  addDelete(segment)
  addHistory(segment, {
    name: 'segment',
    key: 'beta-testers',
    list: listSegmentRevisions,
    async restore(db, actor, wanted) {
      const { version, revision, ...restored } = await restoreSegment(db, actor, wanted)
      return restored
    }
  })
}

function addReading(segment: Command) {
  const list = asList(segment.command('list').description('list segments'), ['key', '-createdAt'])
  example(list, 'portal segment list')
  list.action(async (options: ListOptions<(typeof segmentSorts)[number]>) =>
    withPortal(async ({ db }) =>
      printList(options, (window) => listSegments(db, window), [
        'key',
        ['conditions', ({ when }) => Object.keys(when).join(' ')],
        ['flags', ({ usedBy }) => usedBy.length],
        'updatedAt'
      ])
    )
  )

  const one = asData(segment.command('show').description('show a segment').argument('<key>'))
  example(one, 'portal segment show beta-testers --json')
  one.action(async (key: string, { json }: Json) =>
    withPortal(async ({ db }) => show(await findSegment(db, key), json))
  )
}

function addCreate(segment: Command) {
  type Options = Json & { file?: string; description?: string; role?: string[]; user?: string[] }
  const create = asData(
    segment
      .command('create')
      .description('create a segment: by key with roles or users, or any segment from a file')
      .argument('[key]')
  )
    .option('--role <key>', 'users with this role; can be repeated', collect)
    .option('--user <who>', `${whoHelp}; can be repeated`, collect)
    .option('--description <text>', 'purpose of the segment')
    .option('--file <file>', fileHelp)
  example(
    create,
    'portal segment create beta-testers --role beta',
    'portal segment create pilots --user ann@example.com --user bob@example.com'
  )
  create.action(async (key: string | undefined, { file, json, ...given }: Options) => {
    if ((key === undefined) === (file === undefined)) {
      throw new UsageError('Specify either a key or --file.')
    }
    if (file !== undefined && Object.keys(given).length > 0) {
      throw new UsageError(
        '--role, --user and --description cannot be combined with --file: put them in the file.'
      )
    }
    await withPortal(async ({ db, actor, config }) => {
      const { role, user, ...words } = given
      const users = user && (await Promise.all(user.map((who) => findUserId(db, who))))
      const when = { ...(role && { rolesAny: role }), ...(users && { users }) }
      const input =
        file === undefined
          ? await checked(NewSegment, { key, when, ...words })
          : (await checker(NewSegment))(await readJson(file))
      requireSettings(await settingsOf(config), [['/when', input.when]])
      await show(await createSegment(db, actor, input), json)
    }, loadSettingsConfig)
  })
}

function addUpdate(segment: Command) {
  const update = asData(
    segment.command('update').description('update a segment; `when` is replaced').argument('<key>')
  ).requiredOption('--file <file>', fileHelp)
  example(
    update,
    'echo \'{"when":{"rolesAny":["beta"]}}\' | portal segment update beta-testers --file -'
  )
  update.action(async (key: string, { file, json }: Json & { file: string }) => {
    const changes = (await checker(SegmentPatch))(await readJson(file))
    await withPortal(async ({ db, actor, config }) => {
      requireSettings(await settingsOf(config), changes.when && [['/when', changes.when]])
      await show(await updateSegment(db, actor, { key, changes }), json)
    }, loadSettingsConfig)
  })
}

function addUsers(segment: Command) {
  for (const [change, what] of [
    ['add', 'add a user to a segment that lists users'],
    ['remove', 'remove a user from a segment that lists users']
  ] as const) {
    const command = asData(
      segment
        .command(`${change}-user`)
        .description(what)
        .argument('<key>')
        .argument('<user>', whoHelp)
    )
    example(command, `portal segment ${change}-user pilots ann@example.com`)
    command.action(async (key: string, who: string, { json }: Json) =>
      withPortal(async ({ db, actor }) => {
        const userId = await findUserId(db, who)
        const changed = await changeSegmentUser(db, actor, { key, userId, change })
        if (json) return show(changed, json)
        const count = changed.when.users?.length ?? 0
        say(`The segment lists ${count === 1 ? '1 user' : `${count} users`}.`)
      })
    )
  }
}

function addDelete(segment: Command) {
  const remove = asData(
    segment.command('delete').description('delete a segment that no flag names').argument('<key>')
  ).option('--yes', 'do not ask for confirmation')
  example(remove, 'portal segment delete beta-testers --yes')
  remove.action(async (key: string, { yes, json }: Json & { yes?: boolean }) =>
    withPortal(async ({ db, actor }) => {
      await findSegment(db, key)
      await requireConfirmation(`This deletes the segment ${key}.`, yes)
      await deleteSegment(db, actor, { key })
      say('Deleted.')
      if (json) await printJson({ deleted: key })
    })
  )
}
