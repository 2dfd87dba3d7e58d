import type { TSchema } from '@sinclair/typebox'
import type { Command } from 'commander'
import { causes } from '../db/causes.ts'
import { actions } from '../db/schema/actions.ts'
import { reasons } from '../src/problems/provider-reasons.ts'
import { createProgram } from '../src/commands/program.ts'
import { withDefaults } from '../src/config/read-environment.ts'
import { environment } from '../src/config/variables.ts'
import { versionsOf } from '../src/supported-versions.ts'
import type { Software } from '../src/supported-versions.ts'

/** A table in Markdown. */
export const table = (heads: string[], rows: string[][]) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

export const code = (text: unknown) => `\`${String(text)}\``
/** Text from the code; a placeholder in angle brackets would be HTML. */
export const cell = (text: string) => text.replaceAll('<', '&lt;').replaceAll('|', '\\|')

export const actionTable = () =>
  table(
    ['action', 'recorded when', 'details'],
    Object.entries(actions).map(([name, { when, details }]) => [
      code(name),
      cell(when),
      details.map(code).join(', ')
    ])
  )

/** Why the database does not do what it was asked to. */
export const causeTable = () =>
  table(
    ['cause', 'the database cannot be used:', 'do'],
    causes.map(({ name, operators, remedy }) => [code(name), cell(operators), cell(remedy)])
  )

/** Why a provider did not sign somebody in. */
export const reasonTable = () =>
  table(
    ['reason', 'the provider'],
    Object.entries(reasons).map(([reason, words]) => [code(reason), cell(words)])
  )

/** The versions of Node or PostgreSQL that the portal is tested with, the newest first. */
export const versionTable = (software: Software) =>
  table(
    [software, 'security updates until', ''],
    versionsOf(software)
      .toReversed()
      .map(([version, { until, note }]) => [String(version), until, note])
  )

/** Every command, those of a group under its name. */
export const commandTable = () =>
  table(
    ['command', 'what it does'],
    createProgram()
      .commands.filter((command) => command.name() !== 'help')
      .flatMap((command) => rowsOf(command, 'portal'))
  )

const rowsOf = (command: Command, parent: string): string[][] => {
  const name = `${parent} ${command.name()}`
  return command.commands.length > 0
    ? command.commands.flatMap((each) => rowsOf(each, name))
    : [[code(name), cell(command.description())]]
}

/** Every variable with its values and its default, or in words what holds without it. */
export function variableTable() {
  const [development, production] = [{ NODE_ENV: 'development' }, { NODE_ENV: 'production' }].map(
    (given) => withDefaults(given) as Record<string, unknown>
  )
  return table(
    ['variable', 'default', 'meaning'],
    Object.entries(environment.properties as Record<string, TSchema>).map(([name, schema]) => [
      code(name),
      schema.unset ?? defaultOf(production?.[name], development?.[name]),
      meaningOf(schema)
    ])
  )
}

function defaultOf(production: unknown, development: unknown) {
  const isSet = (value: unknown) => value !== undefined && value !== ''
  if (!isSet(production)) return isSet(development) ? `${code(development)} in development` : 'none'
  return production === development
    ? code(production)
    : `${code(development)} in development, else ${code(production)}`
}

const meaningOf = ({ description, meaning = description, note, ...schema }: TSchema) =>
  [`${cell(capitalized(meaning))}${valuesOf(schema)}`, note].filter(Boolean).join('. ')

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function valuesOf({ type, anyOf, minimum, maximum }: Omit<TSchema, symbol>) {
  if (anyOf) return ` (${anyOf.map((each: TSchema) => code(each.const)).join(', ')})`
  return type === 'integer' ? ` (${minimum} to ${maximum})` : ''
}
