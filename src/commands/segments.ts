import { segmentSorts } from '../../db/schema/flags.ts'
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
import {
  command,
  group,
  inPortal,
  list,
  printItem,
  removal,
  searchOption,
  show
} from './command.ts'
import { UsageError } from './errors.ts'
import { historyCommands } from './flag-history.ts'
import { repeated, requireOne, whoHelp } from './options.ts'
import { say } from './output.ts'
import { withPortal } from './portal.ts'
import { settingsOf } from './settings.ts'
import { checked, readChecked } from './terminal.ts'

const fileHelp = 'JSON file with the segment, in the format of the admin API; - for stdin'

const userChange = (change: 'add' | 'remove', what: string) =>
  command({
    what,
    examples: ['pilots ann@example.com'],
    run: inPortal(async ({ db, actor }, { json }, key, who) => {
      const userId = await findUserId(db, who)
      const changed = await changeSegmentUser(db, actor, { key, userId, change })
      if (json) return printItem(changed, json)
      const count = changed.when.users?.length ?? 0
      say(`The segment lists ${count === 1 ? '1 user' : `${count} users`}.`)
    })
  })

export const segmentCommands = group({
  what: 'segments, groups of callers that rules of feature flags refer to',
  examples: ['portal segment list', 'portal segment create beta-testers --role beta'],
  commands: {
    list: list({
      what: 'list segments',
      options: searchOption('the key or the description'),
      sorts: segmentSorts,
      rows: ({ db }, window, { q }) => listSegments(db, { q, ...window }),
      columns: [
        'key',
        ['conditions', ({ when }) => Object.keys(when).join(' ')],
        ['flags', ({ usedBy }) => usedBy.length],
        'updatedAt'
      ]
    }),
    'show <key>': show({
      what: 'show a segment',
      examples: ['beta-testers --json'],
      find: findSegment
    }),
    'create [key]': command({
      what: 'create a segment: by key with roles or users, or any segment from a file',
      options: [
        repeated('--role <key>', 'users with this role; can be repeated'),
        repeated('--user <who>', `${whoHelp}; can be repeated`),
        ['--description <text>', 'purpose of the segment'],
        ['--file <file>', fileHelp]
      ],
      examples: [
        'beta-testers --role beta',
        'pilots --user ann@example.com --user bob@example.com'
      ],
      async run({ file, json, ...given }, key?: string) {
        requireOne('either a key or --file', key, file)
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
              : await readChecked(NewSegment, file)
          requireSettings(await settingsOf(config), [['/when', input.when]])
          await printItem(await createSegment(db, actor, input), json)
        }, loadSettingsConfig)
      }
    }),
    'update <key>': command({
      what: 'update a segment; `when` is replaced',
      options: [['--file <file>', fileHelp, { required: true }]],
      examples: [
        'echo \'{"when":{"rolesAny":["beta"]}}\' | portal segment update beta-testers --file -'
      ],
      async run({ file, json }, key) {
        const changes = await readChecked(SegmentPatch, file)
        await withPortal(async ({ db, actor, config }) => {
          requireSettings(await settingsOf(config), changes.when && [['/when', changes.when]])
          await printItem(await updateSegment(db, actor, { key, changes }), json)
        }, loadSettingsConfig)
      }
    }),
    'add-user <key> <user>': userChange('add', 'add a user to a segment that lists users'),
    'remove-user <key> <user>': userChange(
      'remove',
      'remove a user from a segment that lists users'
    ),
    'delete <key>': removal({
      what: 'delete a segment that no flag names',
      examples: ['beta-testers --yes'],
      find: findSegment,
      remove: deleteSegment,
      question: (key) => `This deletes the segment ${key}.`
    }),
    ...historyCommands({
      name: 'segment',
      key: 'beta-testers',
      list: listSegmentRevisions,
      restore: restoreSegment
    })
  }
})
