import { ConfigError } from '../config/config.ts'
import type { SettingsDocument } from '../../db/schema/user-settings.ts'
import { settingsParts } from '../../db/schema/user-settings.ts'
import { settingFormats } from '../domain/settings/formats.ts'
import { withDefaults } from '../domain/settings/schema.ts'
import type {
  Settings,
  SettingSchema,
  SettingsRules,
  SettingsSchemas
} from '../domain/settings/schema.ts'
import { explainViolations } from './field-errors.ts'

/** An error of Ajv, with `verbose`. */
interface Violation {
  keyword: string
  instancePath: string
  params: Record<string, unknown>
}
type Validate = ((document: unknown) => boolean) & { errors?: Violation[] | null }
type Compile = (schema: SettingSchema) => Validate

/**
 * Compiles SETTINGS_SCHEMA. The library is loaded here, so that a portal without settings does not
 * load it. Throws a ConfigError that lists every default that is not valid.
 */
export async function compileSettings(schemas: SettingsSchemas): Promise<Settings> {
  const { Ajv } = await import('ajv')
  const ajv = new Ajv({
    strict: true,
    allErrors: true,
    verbose: true,
    formats: settingFormats,
    // The keywords were checked, and strictly: see src/config/settings-keywords.ts.
    meta: false,
    validateSchema: false
  })
  const compile: Compile = (schema) => ajv.compile(schema) as Validate
  const problems = settingsParts.flatMap((part) =>
    invalidDefaults(compile, schemas[part]).map(
      (pointer) => `SETTINGS_SCHEMA ${part} ${pointer}/default is not valid`
    )
  )
  if (problems.length > 0) throw new ConfigError(problems)
  const rulesOf = (schema: SettingSchema) => ({ schema, ...compiled(schema, compile(schema)) })
  return {
    user: rulesOf(schemas.user),
    app: rulesOf(schemas.app),
    rejectedReads: { user: 0, app: 0 }
  }
}

function invalidDefaults(compile: Compile, schema: SettingSchema, pointer = ''): string[] {
  const { default: value, properties = {}, items } = schema
  const within = [
    ...Object.entries(properties).flatMap(([name, property]) =>
      invalidDefaults(compile, property, `${pointer}/properties/${name}`)
    ),
    ...(items ? invalidDefaults(compile, items, `${pointer}/items`) : [])
  ]
  const isValid = value === undefined || (compile(schema)(value) && !hasForbidden(value))
  return isValid ? within : [pointer, ...within]
}

function compiled(
  schema: SettingSchema,
  validate: Validate
): Pick<SettingsRules, 'check' | 'read'> {
  const violations = (document: SettingsDocument) =>
    validate(document) ? [] : (validate.errors ?? [])
  return {
    check(document, names) {
      const texts = Object.entries(document).flatMap(([name, value]) =>
        names.has(name) && hasForbidden(value) ? [invalidText(`/${name}`)] : []
      )
      const found = violations(document).filter((each) => names.has(propertyOf(each)))
      return [...texts, ...explainViolations(found)]
    },
    read(stored) {
      const found = violations(stored)
      const rejectedNames = new Set(found.map(propertyOf))
      const kept = Object.fromEntries(
        Object.entries(stored).filter(([name]) => !rejectedNames.has(name))
      )
      return {
        document: withDefaults(schema, kept) as SettingsDocument,
        rejectedNames,
        rejected: found.flatMap((each) =>
          explainViolations([each]).map(({ code }) => ({ pointer: pointerOf(each), code }))
        )
      }
    }
  }
}

/** With the name of a property that the schema does not have. */
const pointerOf = ({ keyword, instancePath, params }: Violation) =>
  keyword === 'additionalProperties'
    ? `${instancePath}/${String(params.additionalProperty)}`
    : instancePath

/** The property of the document that a violation is in. */
const propertyOf = (violation: Violation) => pointerOf(violation).split('/')[1] ?? ''

const invalidText = (pointer: string) =>
  ({
    pointer,
    code: 'invalid-characters',
    message: 'Must not contain NUL or unpaired surrogates'
  }) as const

/** What no database can store: PostgreSQL rejects both in jsonb. */
function hasForbidden(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed() || value.includes('\0')
  return typeof value === 'object' && value !== null && Object.values(value).some(hasForbidden)
}
