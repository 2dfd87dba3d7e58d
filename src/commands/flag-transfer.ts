import { loadSettingsConfig } from '../config/config.ts'
import { DomainError } from '../domain/errors.ts'
import type { FieldError } from '../domain/errors.ts'
import { exportSegments } from '../domain/flags/segment-transfer.ts'
import type { Step } from '../domain/flags/segment-transfer.ts'
import {
  countUnknownUsers,
  exportFlags,
  findOthers,
  importFlags,
  planImport
} from '../domain/flags/transfer.ts'
import { FlagFile, flagFormat } from '../schemas/transfer.ts'
import { command, inPortal } from './command.ts'
import { yes } from './options.ts'
import { exitCodes } from './exit-codes.ts'
import { asJson, plain, printJson, say, write } from './output.ts'
import { withPortal } from './portal.ts'
import { settingsOf } from './settings.ts'
import { checker, readJson, requireConfirmation } from './terminal.ts'

export const flagExport = command({
  what: 'export all feature flags and segments as one JSON document, in the format of import flags',
  json: false,
  examples: ['> flags.json'],
  run: inPortal(async ({ db }) => {
    const [segments, flags] = [await exportSegments(db), await exportFlags(db)]
    // Indented on every output: the file is compared and kept in Git.
    await write(`${asJson({ format: flagFormat, segments, flags }, 2)}\n`)
    say(`exported ${flags.length}${segments.length > 0 ? ` and ${segments.length} segments` : ''}`)
  })
})

export const flagImport = command({
  what: 'create and update feature flags and segments from a file, all of them or none',
  args: { file: 'file to read; - for stdin' },
  options: [
    ['--dry-run', 'print what would happen without changing anything'],
    ['--keep-state', 'leave flags that exist here enabled or disabled as they are'],
    ['--prune', 'delete flags and segments that are not in the file'],
    yes
  ],
  examples: ['flags.json --dry-run', 'flags.json --keep-state'],
  async run({ dryRun, keepState, prune, yes, json }, name) {
    const given = await readJson(name)
    await reported(given, async () => {
      const { segments = [], flags } = (await checker(FlagFile))(given)
      const file = { segments, flags }
      await withPortal(async ({ db, actor, config }) => {
        const remove = prune ? await findOthers(db, file) : { segments: [], flags: [] }
        const input = { ...file, settings: await settingsOf(config), keepState, remove }
        const plan = await planImport(db, input)
        const unknown = await countUnknownUsers(db, file)
        if (unknown > 0) say(`warning: ${unknown} ids in conditions are not those of users here`)
        const gone = plan.filter(({ change }) => change === 'delete').map(nameOf)
        if (!dryRun && gone.length > 0) {
          const question = `This deletes what is not in the file: ${gone.join(', ')}.`
          await requireConfirmation(question, yes)
        }
        const steps = dryRun ? plan : await importFlags(db, actor, input)
        if (json) await printJson(steps)
        else if (dryRun) await write(steps.map(lineOf).join(''))
        const count = (change: string) => steps.filter((step) => step.change === change).length
        const not = dryRun ? 'would be ' : ''
        say(
          `${not}created ${count('create')}, updated ${count('update')}, ` +
            `deleted ${count('delete')}; ${count('same')} are the same`
        )
      }, loadSettingsConfig)
    })
  }
})

const nameOf = ({ kind, key }: Step) => (kind === 'flag' ? key : `${kind} ${key}`)
const lineOf = (step: Step) =>
  `${step.change} ${nameOf(step)}${step.fields.length > 0 ? `: ${step.fields.join(' ')}` : ''}\n`

/** Prints the errors of a file by the keys of its flags and segments. */
async function reported(file: unknown, work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof DomainError) || !error.errors) throw error
    for (const each of error.errors) say(explained(file, each))
    say('Nothing was imported.')
    process.exitCode = exitCodes.failed
  }
}

function explained(file: unknown, { pointer, message }: FieldError) {
  const [, list, index = '', ...place] = pointer.split('/')
  const all =
    list === 'flags' || list === 'segments'
      ? (file as Record<string, unknown> | null)?.[list]
      : undefined
  const item: unknown = Array.isArray(all) && index !== '' ? all[Number(index)] : undefined
  const key = (item as { key?: unknown } | null | undefined)?.key
  const where =
    typeof key === 'string' ? [plain(key), place.join('/')] : [pointer.slice(1) || 'file']
  return [...where.filter((each) => each !== ''), message].join(': ')
}
