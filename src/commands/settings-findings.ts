import type { Db } from '../../db/engine.ts'
import type { Config } from '../config/config.ts'
import { countDocuments } from '../domain/settings/stored.ts'
import { warning } from './findings.ts'
import type { Outcome } from './findings.ts'

/** Undefined where nothing is wrong: few portals have settings. */
export async function settingsFinding(
  db: Db,
  { SETTINGS_SCHEMA: file }: Config
): Promise<Outcome | undefined> {
  if (file !== undefined) return undefined
  const count = await countDocuments(db)
  return count === 0
    ? undefined
    : warning(
        `${count} documents are stored, and SETTINGS_SCHEMA is not set`,
        'Set it to the file with their schema, or the app cannot read them.'
      )
}
