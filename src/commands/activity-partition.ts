import type { Command } from 'commander'
import type { Database } from '../../db/client.ts'
import type { Part } from '../../db/partitions/parts.ts'
import { isGiven, loadOperatorConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { OutsideError, UsageError } from './errors.ts'
import { asData, example } from './options.ts'
import type { Json } from './options.ts'
import { printJson, say, tablePrinter } from './output.ts'
import { reportWaiting, withPortal } from './portal.ts'

interface Options extends Json {
  repair?: true
}

export function addPartition(activity: Command) {
  const partition = asData(
    activity
      .command('partition')
      .description(
        'partition the activity by month; later, create months ahead and drop those that are ' +
          'older than ACTIVITY_RETENTION_DAYS'
      )
      .option('--repair', 'also move records of the default partition into their months')
  )
  example(partition, 'portal activity partition', 'portal activity partition --repair')
  partition.action(async ({ json, repair }: Options) => {
    if (loadOperatorConfig().DATABASE_URL.startsWith('pglite:')) {
      throw new UsageError(
        'An embedded database is meant for few records and one process, and cannot be ' +
          'partitioned. Use PostgreSQL above some 50 million records.'
      )
    }
    await withPortal(async ({ database, config }) => {
      const { parts, ...done } = await run(database, config, repair === true)
      if (json) await printJson({ ...done, partitions: parts })
      else await print(parts)
      if (done.converted) {
        say('Partitioned. Run this command from a timer: deploy/portal-partitions.timer')
      }
      if (done.created.length > 0) say(`Created: ${done.created.join(', ')}`)
      if (done.moved > 0) say(`Records moved from the default partition: ${done.moved}`)
      if (done.dropped.length > 0) say(`Dropped: ${done.dropped.join(', ')}`)
      if (done.kept.length > 0) {
        say(
          `Older than ${config.ACTIVITY_RETENTION_DAYS} days, but not empty: ` +
            `${done.kept.join(', ')}. Set ACTIVITY_RETENTION_DAYS to the value of the servers to ` +
            'drop them.'
        )
      }
      if (done.strays > 0) {
        throw new OutsideError(
          'records-without-month',
          'The default partition has records. Move them into their months: ' +
            'portal activity partition --repair'
        )
      }
    })
  })
}

async function run(database: Database, config: Config, repair: boolean) {
  const [{ partitionActivity }, { countStrays, readParts }] = await Promise.all([
    import('../../db/partitions/partition.ts'),
    import('../../db/partitions/parts.ts')
  ])
  const retention = {
    days: config.ACTIVITY_RETENTION_DAYS,
    // The default may be shorter than the period of the servers, whose variables may be elsewhere.
    certain: isGiven('ACTIVITY_RETENTION_DAYS')
  }
  return database.exclusively(async (db) => {
    const done = await partitionActivity(db, { retention, repair }, say)
    return { ...done, strays: await countStrays(db, 1), parts: (await readParts(db)) ?? [] }
  }, reportWaiting)
}

async function print(parts: Part[]) {
  const table = tablePrinter<Part & Record<string, unknown>>([
    'name',
    'from',
    ['until', ({ to }) => to],
    ['records (estimate)', ({ records }) => records],
    ['MB', ({ bytes }) => Math.ceil(bytes / 2 ** 20)]
  ])
  await table.add(parts.map((part) => ({ ...part })))
  await table.end()
}
