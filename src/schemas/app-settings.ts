import { Type } from '@sinclair/typebox'
import type { SettingsDocument } from '../../db/schema/users.ts'

// SETTINGS_SCHEMA says which properties these have. src/http/document/openapi.ts puts it into the
// document that a portal serves.

const document = ($id: string, description: string, examples: SettingsDocument[]) =>
  Type.Unsafe<SettingsDocument>({
    $id,
    type: 'object',
    additionalProperties: true,
    maxProperties: 1000, // of 16 KiB of JSON
    description,
    examples
  })

const none = [{}]

export const UserSettings = document(
  'UserSettings',
  "The settings that the user writes, with the app's defaults",
  none
)
/** @public a component of the API document */
export const NewUserSettings = document(
  'NewUserSettings',
  'User settings that replace all others; those that are left out get their default',
  none
)
/** @public a component of the API document */
export const UserSettingsPatch = document(
  'UserSettingsPatch',
  'Merge patch of user settings: what is left out keeps its value, null removes it',
  none
)

export const AppSettings = document(
  'AppSettings',
  "The settings that only services and operators write, with the app's defaults",
  none
)
/** @public a component of the API document */
export const NewAppSettings = document(
  'NewAppSettings',
  'App settings that replace all others; those that are left out get their default',
  none
)
/** @public a component of the API document */
export const AppSettingsPatch = document(
  'AppSettingsPatch',
  'Merge patch of app settings: what is left out keeps its value, null removes it',
  none
)

export const settingsComponents = {
  user: { shown: UserSettings, whole: NewUserSettings, patch: UserSettingsPatch },
  app: { shown: AppSettings, whole: NewAppSettings, patch: AppSettingsPatch }
} as const

/** A JSON Schema, for programs that make a form of it. */
const partSchema = (description: string) =>
  Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    maxProperties: 20,
    description
  })

export const SettingsSchema = Type.Object(
  {
    user: partSchema('JSON Schema of the user settings'),
    app: partSchema('JSON Schema of the app settings')
  },
  { $id: 'SettingsSchema', additionalProperties: false, description: 'What settings may contain' }
)
