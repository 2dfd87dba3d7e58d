import { Option } from 'commander'
import type { Command } from 'commander'
import type { Assurance } from '../../db/schema/sessions.ts'
import { loadSettingsConfig } from '../config/config.ts'
import { tryFlag } from '../domain/flags/trial.ts'
import { findUserId } from '../domain/users/users.ts'
import { FlagTrial, maxSample } from '../schemas/flag-trial.ts'
import { UsageError } from './errors.ts'
import { asData, assuranceOption, collect, example, numberUpTo } from './options.ts'
import type { Json } from './options.ts'
import { printJson, printOne } from './output.ts'
import { withPortal } from './portal.ts'
import { settingsOf } from './settings.ts'
import { checked, parseJson, readJson } from './terminal.ts'

interface Options extends Json {
  file?: string
  user?: string
  assurance?: Assurance
  targetingKey?: string
  role?: string[]
  attribute?: Record<string, unknown>
  appSettings?: string
  sample?: number
  at?: string
}

export function addTry(flag: Command) {
  const attempt = asData(
    flag
      .command('try')
      .description(
        'evaluate a flag for a user or a made-up caller, and say which rule and bucket decided'
      )
      .argument('[key]', 'key of a saved flag')
  )
    .option('--file <file>', 'JSON file with a flag that need not be saved; - for stdin')
    .option('--user <user>', 'id or e-mail address: evaluate as for this user')
    .addOption(assuranceOption())
    .option('--targeting-key <key>', 'targeting key of a made-up caller')
    .option('--role <key>', 'role of a made-up signed-in user; can be repeated', collect)
    .option(
      '--attribute <name=value>',
      'attribute of the context, with text or JSON; can be repeated',
      attribute
    )
    .option('--app-settings <json>', 'app settings of a made-up signed-in user')
    .option('--at <time>', 'evaluate for this time, such as 2026-12-01T08:00:00+01:00')
    .addOption(
      new Option(
        '--sample <count>',
        `count the variants of up to ${maxSample} made-up keys`
      ).argParser(numberUpTo(maxSample))
    )
  example(
    attempt,
    'portal flag try new-checkout --user ada@example.com',
    'portal flag try --file new-checkout.json --targeting-key visitor-7 --attribute country=DE',
    'portal flag try new-checkout --role accountant --sample 1000'
  )
  attempt.action(async (key: string | undefined, given: Options) => {
    const { file, user, json, sample, assurance, targetingKey, at, role: roles } = given
    if ((key === undefined) === (file === undefined)) {
      throw new UsageError('Specify either a key or --file.')
    }
    const appSettings = given.appSettings === undefined ? undefined : parseJson(given.appSettings)
    const trial = await checked(FlagTrial, {
      key,
      sample,
      flag: file === undefined ? undefined : await readJson(file),
      context: { assurance, targetingKey, roles, attributes: given.attribute, at, appSettings }
    })
    await withPortal(async ({ db, actor, config }) => {
      const userId = user === undefined ? undefined : await findUserId(db, user)
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
  })
}

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
