import type { Db } from '../../db/engine.ts'
import { examineKeys, unusedDays } from '../domain/keys/findings.ts'
import { expirySoon } from '../domain/keys/keys.ts'
import { named, ok, warning } from './findings.ts'
import type { Finding } from './findings.ts'

export async function keyFindings(db: Db): Promise<Finding[]> {
  const { active, expiring, unused, admins } = await examineKeys(db)
  const outcomes = [
    expiring > 0 &&
      warning(
        `${expiring} of ${active} expire within ${expirySoon} days`,
        `Run portal key list --expiring ${expirySoon}, and replace those that are in use.`
      ),
    unused > 0 &&
      warning(
        `${unused} of ${active} were not used for ${unusedDays} days`,
        'Run portal key list --all, and revoke those that are no longer needed.'
      ),
    admins.length > 0 &&
      warning(
        `the role admin belongs to services: ${admins.join(', ')}`,
        'Anyone who has one of its keys may do everything. Grant a role with fewer permissions.'
      )
  ].filter((outcome) => outcome !== false)
  const none = [ok(active === 0 ? 'there are none' : `${active} active`)]
  return (outcomes.length > 0 ? outcomes : none).map((outcome) => named('API keys', outcome))
}
