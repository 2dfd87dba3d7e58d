import type { Db } from '../../db/engine.ts'
import { findRequirements } from '../domain/factors/enrolment.ts'
import { ok, warning } from './findings.ts'
import type { Finding } from './findings.ts'

/** For each role that requires a second factor. Members without one cannot use the role. */
export async function roleFindings(db: Db): Promise<Finding[]> {
  const found = await findRequirements(db)
  return found.map(({ role, members, equipped }) => {
    const check = `role ${role}`
    const finding = `requires a second factor, which ${equipped} of ${members} active members have`
    return equipped === members
      ? ok(check, finding)
      : warning(
          check,
          finding,
          `Run portal user list --role ${role} and portal user show to find the others. They ` +
            'need a link to set one up, which portal user enrolment-link prints.'
        )
  })
}
