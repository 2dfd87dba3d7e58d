import { Option } from 'commander'
import type { Command } from 'commander'
import { uuidForm } from '../../db/schema/columns.ts'
import { activityBuckets, outcomes } from '../../db/schema/activity.ts'
import type { activitySorts } from '../../db/schema/activity.ts'
import type { Db } from '../../db/engine.ts'
import { actionNames } from '../domain/activity/record.ts'
import { findActivity, listActivity } from '../domain/activity/list.ts'
import { summariseActivity } from '../domain/activity/summary.ts'
import type { ActivityFilters } from '../domain/activity/list.ts'
import { findEmails, findUserId } from '../domain/users/users.ts'
import { addPartition } from './activity-partition.ts'
import { UsageError } from './errors.ts'
import { printList } from './list.ts'
import { asData, asList, example } from './options.ts'
import type { Json, ListOptions } from './options.ts'
import { printJson, printOne, tablePrinter } from './output.ts'
import { withPortal } from './portal.ts'

export function addActivityCommands(program: Command) {
  const activity = program.command('activity').description('the audit trail')
  example(activity, 'portal activity list --action auth.login', 'portal activity summary')
  addList(activity)
  addShow(activity)
  addSummary(activity)
  addPartition(activity)
}

const fields = [
  'id',
  'at',
  'action',
  'outcome',
  'reason',
  'actorType',
  'actorId',
  'actorLabel',
  'targetType',
  'targetId',
  'ip',
  'userAgent',
  'requestId',
  'source',
  'details'
] as const

interface Filters extends Omit<ActivityFilters, 'actorId' | 'targetId'> {
  actor?: string | undefined
  target?: string | undefined
}

/** The filters of records, for lists and counts. */
const withFilters = (command: Command) =>
  command
    .addOption(new Option('--action <action>', 'only this action').choices(actionNames))
    .addOption(new Option('--outcome <outcome>', 'only this outcome').choices(outcomes))
    .option('--actor <user>', 'id or e-mail address of the user who acted')
    .option('--target <target>', 'id, key or e-mail address of the target')
    .option('--from <time>', 'earliest time, inclusive', time)

async function toFilters(db: Db, { actor, target, ...filters }: Filters): Promise<ActivityFilters> {
  return {
    ...filters,
    actorId: actor === undefined ? undefined : await findUserId(db, actor),
    targetId: target?.includes('@') ? await findUserId(db, target) : target
  }
}

function addList(activity: Command) {
  const list = withFilters(
    asList(activity.command('list').description('list activity records'), ['-at'])
  ).option('--to <time>', 'latest time, exclusive', time)
  example(list, 'portal activity list --action auth.login --outcome failure --from 2026-01-31')
  list.action(async (given: Filters & ListOptions<(typeof activitySorts)[number]>) => {
    const { action, outcome, actor, target, from, to, ...options } = given
    await withPortal(async ({ db }) => {
      const filters = await toFilters(db, { action, outcome, actor, target, from, to })
      await printList(
        options,
        async (window) => {
          const page = await listActivity(db, { ...filters, ...window })
          return { ...page, items: await withTargetNames(db, page.items) }
        },
        [
          ['time', (row) => row.at],
          'action',
          [
            'outcome',
            (row) => (row.reason === null ? row.outcome : `${row.outcome} ${row.reason}`)
          ],
          ['actor', (row) => row.actorLabel],
          ['target', (row) => row.targetName ?? row.targetId],
          'ip',
          ['details', ({ details }) => detailsOf(details)]
        ]
      )
    })
  })
}

type ActivityRecord = Awaited<ReturnType<typeof listActivity>>['items'][number]

/** Adds the current e-mail address or key of each target, or the recorded one if it is gone. */
async function withTargetNames(db: Db, records: ActivityRecord[]) {
  const users = records.filter(({ targetType }) => targetType === 'user')
  const emails = await findEmails(
    db,
    users.flatMap(({ targetId }) => targetId ?? [])
  )
  return records.map((record) => {
    const {
      targetType,
      targetId,
      details: { email, key }
    } = record
    const name = targetType === 'user' ? (emails.get(targetId ?? '') ?? email) : (key ?? targetId)
    return { ...record, targetName: typeof name === 'string' ? name : null }
  })
}

/** Separate words, which a terminal can wrap: `fields=name,theme role=admin`. */
const detailsOf = (details: Record<string, unknown>) =>
  Object.entries(details)
    .map(([name, value]) => {
      const isObject = typeof value === 'object' && !Array.isArray(value)
      return `${name}=${isObject ? JSON.stringify(value) : value}`
    })
    .join(' ')

function addShow(activity: Command) {
  const one = asData(
    activity.command('show').description('show an activity record').argument('<id>', 'record id')
  )
  example(one, 'portal activity show 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e')
  one.action(async (id: string, { json }: Json) => {
    if (!uuidForm.test(id)) {
      throw new UsageError(
        'A record id looks like 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e. ' +
          'Run portal activity list --json to find it.'
      )
    }
    await withPortal(async ({ db }) => printOne(await findActivity(db, id), fields, json))
  })
}

function addSummary(activity: Command) {
  type Options = Json & Filters & { bucket: (typeof activityBuckets)[number] }
  const summary = withFilters(
    asData(
      activity
        .command('summary')
        .description(
          'count records by action and outcome, per day (at most 92) or hour (at most 7 days)'
        )
    )
  )
    .addOption(
      new Option('--bucket <bucket>', 'length of a bucket').choices(activityBuckets).default('day')
    )
    .option('--to <time>', 'latest time, exclusive; now by default', time)
  example(summary, 'portal activity summary --bucket hour --from 2026-01-31')
  summary.action(async ({ json, bucket, ...filters }: Options) =>
    withPortal(async ({ db }) => {
      const counts = await summariseActivity(db, { bucket, ...(await toFilters(db, filters)) })
      if (json) return printJson(counts)
      const table = tablePrinter<(typeof counts.items)[number]>([
        'start',
        'action',
        'outcome',
        'count',
        'occurrences'
      ])
      await table.add(counts.items)
      await table.end()
    })
  )
}

function time(text: string) {
  const date = new Date(text)
  const year = date.getUTCFullYear()
  if (Number.isNaN(year) || year < 1900 || year > 2199) {
    throw new UsageError(
      `${text} is not a valid time. Write it like 2026-01-31 or 2026-01-31T09:30:00Z.`
    )
  }
  return date
}
