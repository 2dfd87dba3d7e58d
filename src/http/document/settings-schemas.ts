import { defaultOf } from '../../domain/settings/schema.ts'
import type { SettingSchema, SettingsSchemas } from '../../domain/settings/schema.ts'
import { settingsParts } from '../../../db/schema/user-settings.ts'
import { settingsComponents } from '../../schemas/app-settings.ts'

type Shown = Record<string, unknown>

/** The components as SETTINGS_SCHEMA has them, by which generated clients are typed. */
export function settingsSchemas(schemas: SettingsSchemas): Record<string, Shown> {
  return Object.fromEntries(
    settingsParts.flatMap((part) => {
      const { shown, whole, patch } = settingsComponents[part]
      const schema = schemas[part]
      return [
        [shown.$id, described(shown, shownOf(schema))],
        [whole.$id, described(whole, wholeOf(schema))],
        [patch.$id, described(patch, patchOf(schema))]
      ] as [string, Shown][]
    })
  )
}

const described = ({ description }: { description?: string }, schema: Shown) => ({
  description,
  ...schema
})

/** As a response has it: what has a default is always there. */
function shownOf(schema: SettingSchema): Shown {
  return within(schema, shownOf, (properties, required) => [
    ...new Set([
      ...required,
      ...Object.keys(properties).filter((name) => defaultOf(properties[name]!) !== undefined)
    ])
  ])
}

/** As a request sends the whole: what has a default may be left out. */
function wholeOf({ default: _, ...schema }: SettingSchema): Shown {
  return within(schema, wholeOf, (_properties, required) => required)
}

/** As a merge patch: everything may be left out, and null removes it. */
function patchOf({ default: _, ...schema }: SettingSchema): Shown {
  if (schema.type !== 'object') return wholeOf(schema)
  return within(
    schema,
    (property) => ({ anyOf: [patchOf(property), { type: 'null' }] }),
    () => []
  )
}

function within(
  { properties, required = [], items, ...schema }: SettingSchema,
  convert: (schema: SettingSchema) => Shown,
  requiredOf: (properties: Record<string, SettingSchema>, required: string[]) => string[]
): Shown {
  if (items) return { ...schema, items: convert(items) }
  if (!properties) return schema
  const names = requiredOf(properties, required)
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, convert(property)])
    ),
    ...(names.length > 0 && { required: names })
  }
}
