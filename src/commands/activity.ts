import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../db/engine.ts'
import { isDatabaseUnavailable } from '../../db/errors.ts'
import { actionNames } from '../../db/schema/actions.ts'
import { activityBuckets, activitySorts, feedLimit } from '../../db/schema/activity.ts'
import { feedCursor, readFeed } from '../domain/activity/feed.ts'
import {
  findActivity,
  findByRequest,
  listActivity,
  summarizeActivity
} from '../domain/activity/list.ts'
import { DomainError } from '../domain/errors.ts'
import { findLabels } from '../domain/users/list.ts'
import { cursor, filterOptions, idIn, time, toFilters } from './activity-options.ts'
import { command, group, inPortal, list } from './command.ts'
import { UsageError } from './errors.ts'
import type { Json } from './options.ts'
import { asJson, printJson, printOne, printTable, say, tablePrinter, write } from './output.ts'
import type { Column } from './output.ts'
import { withPortal } from './portal.ts'

type ActivityRecord = Awaited<ReturnType<typeof listActivity>>['items'][number]

const columns: Column<ActivityRecord & { targetName: string | null }>[] = [
  ['time', (row) => row.at],
  'action',
  ['outcome', ({ outcome, reason }) => (reason === null ? outcome : `${outcome} ${reason}`)],
  ['actor', (row) => row.actorLabel],
  ['target', (row) => row.targetName ?? row.targetId],
  'ip',
  ['details', ({ details }) => detailsOf(details)]
]

export const activityCommands = group({
  what: 'the audit trail',
  examples: ['portal activity list --action auth.login', 'portal activity summary'],
  commands: {
    list: list({
      what: 'list activity records',
      options: filterOptions,
      examples: [
        '--action auth.login --outcome failure --from 2026-01-31',
        '--ip 203.0.113.0/24 --from 1h'
      ],
      sorts: activitySorts,
      newestFirst: true,
      rows: async ({ db }, window, given) => {
        const page = await listActivity(db, { ...(await toFilters(db, given)), ...window })
        return { ...page, items: await withTargetNames(db, page.items) }
      },
      columns
    }),
    tail: command({
      what: 'print records in their order, 15 seconds after they were made; with --json one a line',
      options: [
        [
          '--after <cursor>',
          'cursor in an earlier record, or a time; 10 minutes ago by default',
          { parse: cursor }
        ],
        ['--follow', 'go on with new records until the command is stopped']
      ],
      examples: ['', '--json --after 2026-01-31 --follow'],
      run: tail
    }),
    'show <id>': command({
      what: 'show an activity record, or all records of a request',
      args: { id: 'id of a record or of a request: the instance of a refusal' },
      examples: [
        '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e',
        'urn:uuid:5e2d5f0c-8f8e-4f0b-9b62-0d2c8a4b7f11'
      ],
      run: show
    }),
    summary: command({
      what: 'count records by action and outcome, per day (at most 92) or hour (at most 7 days)',
      options: [
        ...filterOptions,
        ['--bucket <bucket>', 'length of a bucket', { choices: activityBuckets, default: 'day' }]
      ],
      examples: ['--bucket hour --from 2026-01-31'],
      run: inPortal(async ({ db }, { json, bucket, ...filters }) => {
        const counts = await summarizeActivity(db, { bucket, ...(await toFilters(db, filters)) })
        if (json) return printJson(counts)
        await printTable(counts.items, ['start', 'action', 'outcome', 'count', 'occurrences'])
      })
    }),
    actions: command({
      what: 'list the actions that are recorded',
      run: async ({ json }) =>
        json ? printJson(actionNames) : write(actionNames.map((name) => `${name}\n`).join(''))
    })
  }
})

/** Milliseconds between two looks for new records. */
const pause = 2000

async function tail({ json, after = time('10m').toISOString(), follow }: Tail) {
  await withPortal(async ({ db }) => {
    const table = tablePrinter(columns)
    const read = async (cursor: string) => {
      const { items, next } = await readFeed(db, { after: cursor })
      const named = json ? [] : await withTargetNames(db, items)
      return { items, named, next: next ?? cursor }
    }
    let isGone = false
    for (let cursor = after; ;) {
      const found = await read(cursor).catch((error: unknown) => {
        if (!follow || !isDatabaseUnavailable(error)) throw error
        if (!isGone) say('The database does not answer. Trying until it does.')
        return undefined
      })
      isGone = !found
      const items = found?.items ?? []
      cursor = found?.next ?? cursor
      if (json) {
        const lines = items.map((row) => `${asJson({ ...row, cursor: feedCursor(row) })}\n`)
        await write(lines.join(''))
      } else if (items.length > 0 || !follow) {
        await table.add(found?.named ?? [])
        await table.end()
      }
      if (items.length === feedLimit) continue
      if (!follow) return
      await sleep(pause)
    }
  })
}

interface Tail extends Json {
  after?: string
  follow?: true
}

async function show({ json }: Json, text: string) {
  const id = idIn(text)
  if (id === undefined) {
    throw new UsageError(
      'An id looks like 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e. ' +
        'Run portal activity list --json to find it.'
    )
  }
  await withPortal(async ({ db }) => {
    const records = await findByRequest(db, id)
    if (records.length === 0) return printOne(await findRecord(db, id), json)
    if (json) return printJson(records)
    for (const [n, record] of records.entries()) {
      if (n > 0) await write('\n')
      await printOne(record)
    }
  })
}

const findRecord = (db: Db, id: string) =>
  findActivity(db, id).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
    throw new DomainError('activity-record-not-found', {
      detail:
        'No activity record has this id, and none was left by a request with this id. Requests ' +
        'that change nothing leave no record, nor do most refusals; old records are deleted ' +
        `after ACTIVITY_RETENTION_DAYS. Search the log of the servers for "reqId":"${id}".`
    })
  })

/** Adds the e-mail address or key of each target: the current one, else the recorded one. */
async function withTargetNames(db: Db, records: ActivityRecord[]) {
  const users = records.filter(({ targetType }) => targetType === 'user')
  const labels = await findLabels(
    db,
    users.map(({ targetId }) => targetId)
  )
  return records.map((record) => {
    const { targetType, targetId, actorLabel, details } = record
    const { email, key } = details
    const name =
      targetType === 'user'
        ? (labels.get(targetId ?? '')?.email ?? email)
        : targetType === 'session'
          ? actorLabel // the user whose session it is
          : (key ?? targetId)
    return { ...record, targetName: typeof name === 'string' ? name : null }
  })
}

/** Writes separate words, which a terminal can wrap: `theme="light"→"dark" role=admin`. */
const detailsOf = ({ changes = {}, fields = [], ...details }: ActivityRecord['details']) => {
  const others = fields.filter((field) => !(field in changes))
  return [
    ...Object.entries(changes).map(
      ([field, { from, to }]) => `${field}=${JSON.stringify(from)}→${JSON.stringify(to)}`
    ),
    ...Object.entries({ ...(others.length > 0 && { fields: others }), ...details }).map(
      ([name, value]) => {
        const isObject = typeof value === 'object' && !Array.isArray(value)
        return `${name}=${isObject ? JSON.stringify(value) : value}`
      }
    )
  ].join(' ')
}
