import type { SettingsDocument } from '../../db/schema/users.ts'
import { withDefaults } from '../common/settings.ts'
import type { SettingSchema, SettingsSchemas } from '../common/settings.ts'
import type { FieldError } from '../domain/errors.ts'
import { hasRounded, roundedMessage } from '../domain/exact-numbers.ts'
import { isStorable, settingFormats } from '../domain/settings/formats.ts'
import type { Settings, SettingsRules } from '../domain/settings/settings.ts'
import { explainViolations } from './field-errors.ts'

/** An error of Ajv, with `verbose`. */
interface Violation {
  keyword: string
  instancePath: string
  params: Record<string, unknown>
}
type Validate = ((document: unknown) => boolean) & { errors?: Violation[] | null }

/**
 * Compiles SETTINGS_SCHEMA. The library is loaded here, so that a portal without settings does not
 * load it.
 */
export async function compileSettings(schemas: SettingsSchemas): Promise<Settings> {
  const { Ajv } = await import('ajv')
  const ajv = new Ajv({
    strict: true,
    allErrors: true,
    verbose: true,
    formats: settingFormats,
    // They were checked when the file was read: see src/config/settings-schema.ts.
    meta: false,
    validateSchema: false
  })
  const rulesOf = (schema: SettingSchema) => ({
    schema,
    ...compiled(schema, ajv.compile(schema) as Validate)
  })
  return {
    user: rulesOf(schemas.user),
    app: rulesOf(schemas.app),
    rejectedReads: { user: 0, app: 0 }
  }
}

function compiled(
  schema: SettingSchema,
  validate: Validate
): Pick<SettingsRules, 'check' | 'read'> {
  const violations = (document: SettingsDocument) =>
    validate(document) ? [] : (validate.errors ?? [])
  return {
    check(document, names) {
      const unstorable = Object.entries(document).flatMap(([name, value]) => {
        if (!names.has(name)) return []
        const pointer = `/${name}`
        if (!isStorable(value)) return [invalidText(pointer)]
        return hasRounded(value) ? [outOfRange(pointer)] : []
      })
      const found = violations(document).filter((each) => names.has(propertyOf(each)))
      return [...unstorable, ...explainViolations(found)]
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

const invalidText = (pointer: string): FieldError => ({
  pointer,
  code: 'invalid-characters',
  message: 'Must not contain NUL or unpaired surrogates'
})
const outOfRange = (pointer: string): FieldError => ({
  pointer,
  code: 'out-of-range',
  message: roundedMessage
})
