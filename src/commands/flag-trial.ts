import { loadSettingsConfig } from '../config/config.ts'
import { tryFlag } from '../domain/flags/trial.ts'
import { FlagTrial, maxSample } from '../schemas/flag-trial.ts'
import { command } from './command.ts'
import { UsageError } from './errors.ts'
import { assuranceOption, count, repeated, requireOne } from './options.ts'
import { printJson, printOne } from './output.ts'
import { withPortal } from './portal.ts'
import { settingsOf } from './settings.ts'
import { checked, parseJson, readJson } from './terminal.ts'
import { optionalUserId } from './user-argument.ts'

export const tryCommand = command({
  what: 'evaluate a flag for a user or a made-up caller, and say which rule and bucket decided',
  args: { key: 'key of a saved flag' },
  options: [
    ['--file <file>', 'JSON file with a flag that need not be saved; - for stdin'],
    ['--user <user>', 'id or e-mail address: evaluate as for this user'],
    assuranceOption,
    ['--targeting-key <key>', 'targeting key of a made-up caller'],
    repeated('--role <key>', 'role of a made-up signed-in user; can be repeated'),
    ['--scope <scope>', 'scope of the evaluation, such as org:1'],
    [
      '--attribute <name=value>',
      'attribute of the context, with text or JSON; can be repeated',
      { parse: attribute }
    ],
    ['--app-settings <json>', 'app settings of a made-up signed-in user'],
    ['--at <time>', 'evaluate for this time, such as 2026-12-01T08:00:00+01:00'],
    count('--sample <count>', `count the variants of up to ${maxSample} made-up keys`, maxSample)
  ],
  examples: [
    'new-checkout --user ada@example.com',
    '--file new-checkout.json --targeting-key visitor-7 --attribute country=DE',
    'new-checkout --role accountant --sample 1000'
  ],
  async run(given, key?: string) {
    const { file, user, json, sample, assurance, targetingKey, at, scope, role: roles } = given
    requireOne('either a key or --file', key, file)
    const appSettings = given.appSettings === undefined ? undefined : parseJson(given.appSettings)
    const trial = await checked(FlagTrial, {
      key,
      sample,
      flag: file === undefined ? undefined : await readJson(file),
      context: {
        assurance,
        targetingKey,
        roles,
        scope,
        attributes: given.attribute,
        at,
        appSettings
      }
    })
    await withPortal(async ({ db, actor, config }) => {
      const userId = await optionalUserId(db, user)
      const tried = { ...trial, context: { ...trial.context, userId } }
      const result = await tryFlag({ db, settings: await settingsOf(config) }, actor, tried)
      if (json) return printJson(result)
      const { context, shares, ...decision } = result
      await printOne({
        ...decision,
        roles: context.roles,
        suspendedRoles: context.suspendedRoles,
        shares: shares?.map(({ variant, count }) => `${variant} ${count}`).join(', ')
      })
    }, loadSettingsConfig)
  }
})

function attribute(given: string, before: Record<string, unknown> = {}) {
  const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(given) ?? []
  if (name === undefined) throw new UsageError('Write an attribute like country=DE or age=42.')
  return { ...before, [name]: jsonOrText(value) }
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
