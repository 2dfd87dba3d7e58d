import type { SettingsDocument, SettingsPart } from '../../../db/schema/users.ts'
import type { SettingSchema } from '../../common/settings.ts'
import type { FieldError } from '../errors.ts'

/** A value that is stored although the present schema rejects it: where, and the field code. */
export type Rejected = Pick<FieldError, 'pointer' | 'code'>

/** One compiled part. */
export interface SettingsRules {
  schema: SettingSchema
  /** The errors in the properties with these names, with pointers into the document. */
  check(document: SettingsDocument, names: ReadonlySet<string>): FieldError[]
  /** The document without properties that the schema rejects, and with its defaults. */
  read(stored: SettingsDocument): {
    document: SettingsDocument
    rejected: Rejected[]
    /** Defaults of omitted properties. */
    rejectedNames: ReadonlySet<string>
  }
}

/** Both compiled parts of SETTINGS_SCHEMA. */
export type Settings = Record<SettingsPart, SettingsRules> & {
  /** How many reads of each part have left something out, since the start. */
  rejectedReads: Record<SettingsPart, number>
}
