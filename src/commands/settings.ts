import type { Db } from '../../db/engine.ts'
import { settingsParts } from '../../db/schema/users.ts'
import type { SettingsDocument, SettingsPart } from '../../db/schema/users.ts'
import { ConfigError, loadSettingsConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { readSettingsSchemas } from '../config/settings-schema.ts'
import { invalidFields } from '../domain/errors.ts'
import { changeSettings, readSettings, requireSettings } from '../domain/settings/settings.ts'
import type { Settings } from '../domain/settings/settings.ts'
import { countDocuments, countRejected, pruneSettings } from '../domain/settings/stored.ts'
import { findUserId } from '../domain/users/users.ts'
import { command, group, inPortal } from './command.ts'
import { UsageError } from './errors.ts'
import { exitCodes } from './exit-codes.ts'
import { warning } from './findings.ts'
import { yes } from './options.ts'
import { done, printJson, printTable, say, tablePrinter } from './output.ts'
import { withPortal } from './portal.ts'
import type { Portal } from './portal.ts'
import { readJson, requireConfirmation } from './terminal.ts'

/** The compiled settings of the configuration, or undefined without SETTINGS_SCHEMA. */
export async function settingsOf({ settingsSchemas }: Config): Promise<Settings | undefined> {
  if (!settingsSchemas) return undefined
  const { compileSettings } = await import('../http/settings-rules.ts')
  return compileSettings(settingsSchemas)
}

const withSettings = (work: (portal: Portal, settings: Settings) => Promise<void>) =>
  withPortal(
    async (portal) => work(portal, requireSettings(await settingsOf(portal.config))),
    loadSettingsConfig
  )

/** The command `portal user settings`. */
export const userSettingsCommand = command({
  what: 'show the settings that the app keeps for a user, or change a part of them',
  options: [
    ['--part <part>', 'the part to change', { choices: settingsParts }],
    ['--file <file>', 'JSON file with a merge patch of this part; - for stdin'],
    ['--replace', 'the file replaces the whole part']
  ],
  examples: [
    'ada@example.com',
    'echo \'{"plan":"pro"}\' | portal user settings ada@example.com --part app --file -'
  ],
  async run({ part, file, replace, json }, who) {
    if ((part === undefined) !== (file === undefined)) {
      throw new UsageError('A change needs both --part and --file.')
    }
    const input = file === undefined ? undefined : documentIn(await readJson(file))
    await withSettings(async (portal, settings) => {
      const userId = await findUserId(portal.db, who)
      if (input && part) {
        await changeSettings({ db: portal.db, settings }, portal.actor, {
          userId,
          part,
          permission: 'users:update',
          change: replace ? { document: input } : { patch: input }
        })
      }
      await show(portal, settings, userId, part, json)
    })
  }
})

function documentIn(value: unknown): SettingsDocument {
  if (typeof value === 'object' && value && !Array.isArray(value)) return value as SettingsDocument
  throw invalidFields({ pointer: '', code: 'wrong-type', message: 'Must be an object' })
}

async function show(
  { db }: Portal,
  settings: Settings,
  userId: string,
  part: SettingsPart | undefined,
  json: true | undefined
) {
  const shown = await Promise.all(
    settingsParts.map(async (part) => ({
      part,
      ...(await readSettings(db, settings, { userId, part }))
    }))
  )
  if (json) {
    const of = <T>(value: (each: (typeof shown)[number]) => T) =>
      Object.fromEntries(shown.map((each) => [each.part, value(each)]))
    return printJson({
      ...of(({ document }) => document),
      rejected: of(({ rejected }) => rejected.map(({ pointer }) => pointer))
    })
  }
  const printer = tablePrinter<{ part: string; name: string; value: unknown; default: boolean }>([
    'part',
    'name',
    'value',
    'default'
  ])
  for (const each of shown.filter((one) => part === undefined || one.part === part)) {
    await printer.add(
      Object.entries(each.document).map(([name, value]) => ({
        part: each.part,
        name,
        value,
        default: !Object.hasOwn(each.stored, name)
      }))
    )
    for (const { pointer, code } of each.rejected) {
      say(`left out of the ${each.part} settings: ${pointer} (${code})`)
    }
  }
  await printer.end()
}

async function settingsIn(config: Config, file: string) {
  const problems: string[] = []
  const settingsSchemas = readSettingsSchemas(file, problems)
  if (problems.length > 0) throw new ConfigError(problems)
  return requireSettings(await settingsOf({ ...config, settingsSchemas }))
}

export const settingsCommands = group({
  what: 'settings that the app keeps for users',
  examples: ['portal settings check new-settings.json'],
  commands: {
    'check [file]': command({
      what: 'count the stored values that a schema rejects; exit code 1 if there are any',
      args: { file: 'the schema to check; by default that of SETTINGS_SCHEMA' },
      examples: ['new-settings.json'],
      run: inPortal(async ({ db, config }, { json }, file?: string) => {
        const rules =
          file === undefined
            ? requireSettings(await settingsOf(config))
            : await settingsIn(config, file)
        const found = await countRejected(db, rules)
        await (json
          ? printJson(found)
          : printTable(found, ['part', 'pointer', 'code', 'documents']))
        if (found.length > 0) process.exitCode = exitCodes.failed
      }, loadSettingsConfig)
    }),
    prune: command({
      what: 'remove the stored values that SETTINGS_SCHEMA rejects',
      options: [yes],
      examples: ['--yes'],
      run: async ({ yes, json }) =>
        withSettings(async ({ db, actor }, rules) => {
          await requireConfirmation('This removes settings that the schema rejects.', yes)
          const removed = await pruneSettings({ db, settings: rules }, actor)
          await done(`Removed: ${removed}.`, json, { removed })
        })
    })
  }
})

/** Few portals have settings, so nothing is said where nothing is wrong. */
export async function settingsFinding(db: Db, { SETTINGS_SCHEMA: file }: Config) {
  const count = file === undefined ? await countDocuments(db) : 0
  if (count === 0) return undefined
  return warning(
    `${count} documents are stored, and SETTINGS_SCHEMA is not set`,
    'Set it to the file with their schema, or the app cannot read them.'
  )
}
