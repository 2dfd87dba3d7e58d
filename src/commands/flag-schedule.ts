import type { Command } from 'commander'
import { listSchedule } from '../domain/flags/schedule.ts'
import { asData, example } from './options.ts'
import type { Json } from './options.ts'
import { plain, printJson, say, write } from './output.ts'
import { withPortal } from './portal.ts'

type Serve = Awaited<ReturnType<typeof listSchedule>>[number]['serve']

export function addSchedule(flag: Command) {
  const schedule = asData(
    flag
      .command('schedule')
      .description('list when rules begin and end, in the order of time')
      .argument('[key]', 'key of one flag')
  )
  example(schedule, 'portal flag schedule', 'portal flag schedule new-checkout')
  schedule.action(async (key: string | undefined, { json }: Json) =>
    withPortal(async ({ db }) => {
      const changes = await listSchedule(db, key)
      if (json) return printJson(changes)
      const lines = changes.map(({ at, key, rule, change, serve }) => {
        const time = at.toISOString().replace(/\.000Z$/, 'Z')
        return `${time}  ${key}  rule ${rule + 1} ${change}: ${plain(served(serve))}\n`
      })
      await write(lines.join(''))
      if (changes.length === 0) say('none')
    })
  )
}

const served = (serve: Serve) =>
  'variant' in serve
    ? serve.variant
    : serve.split.map(({ variant, weight }) => `${variant} ${weight / 1000} %`).join(', ')
