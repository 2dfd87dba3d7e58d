import type { Db } from '../../db/engine.ts'
import { countForeignHashes } from '../domain/accounts/stored-passwords.ts'
import { named, ok } from './findings.ts'

/** How many imported passwords still wait for their first sign-in. */
export async function passwordFindings(db: Db) {
  const count = await countForeignHashes(db)
  if (count === 0) return []
  return [
    named('passwords', ok(`${count} still in the form of another system: see docs/do/moving.md`))
  ]
}
