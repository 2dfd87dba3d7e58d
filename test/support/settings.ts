import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Database } from '../../db/client.ts'
import type { Config } from '../../src/config/config.ts'
import { readSettingsSchemas } from '../../src/config/settings-schema.ts'
import type { SettingsSchemas } from '../../src/common/settings.ts'
import { ownApp, temporaryFolder, testApp } from './app.ts'

type Test = Parameters<typeof testApp>[0]

/** The settings that a small app keeps for its users. */
export const schemaFile = {
  user: {
    type: 'object',
    additionalProperties: false,
    properties: {
      startPage: {
        type: 'string',
        title: 'Start page',
        enum: ['inbox', 'calendar'],
        default: 'inbox'
      },
      columns: { type: 'array', maxItems: 20, items: { type: 'string', maxLength: 40 } },
      note: { type: 'string', maxLength: 4000 }
    }
  },
  app: {
    type: 'object',
    additionalProperties: false,
    properties: {
      plan: { type: 'string', enum: ['free', 'pro'], default: 'free' },
      limits: {
        type: 'object',
        additionalProperties: false,
        properties: {
          projects: { type: 'integer', minimum: 0, maximum: 1000, default: 3 },
          seats: { type: 'integer', minimum: 0, maximum: 1000 }
        }
      }
    }
  }
}

/** A file with this content as JSON. */
export function settingsFile(t: Pick<Test, 'teardown'>, content: unknown): string {
  const file = path.join(temporaryFolder(t), 'settings.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

/** The schemas of a file with this content, which must be valid. */
export function settingsOf(t: Pick<Test, 'teardown'>, content: unknown): SettingsSchemas {
  const problems: string[] = []
  const schemas = readSettingsSchemas(settingsFile(t, content), problems)
  if (!schemas) throw new Error(problems.join('\n'))
  return schemas
}

/** A shared application that keeps settings. */
export const settingsApp = (t: Test, content: unknown = schemaFile) =>
  testApp(t, { settingsSchemas: settingsOf(t, content) })

/** An application of one test that keeps settings. */
export const ownSettingsApp = (
  t: Test,
  content: unknown = schemaFile,
  changes: Partial<Config> = {},
  database?: Database
) => ownApp(t, { ...changes, settingsSchemas: settingsOf(t, content) }, database)
