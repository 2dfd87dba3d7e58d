import type { Db } from '../../db/engine.ts'
import { findSystemRoles } from '../domain/access/registry.ts'
import { findRequirements } from '../domain/factors/enrolment.ts'
import { ok, problem, warning } from './findings.ts'
import type { Finding } from './findings.ts'

/** For each role that requires a second factor. Members without one cannot use the role. */
export async function roleFindings(db: Db): Promise<Finding[]> {
  const found = await findRequirements(db)
  return found.map(({ role, members, withFactor }) => {
    const check = `role ${role}`
    const finding =
      `requires a second factor, which ${withFactor} of ${members} ` + 'active members have'
    return withFactor === members
      ? ok(check, finding)
      : warning(
          check,
          finding,
          `Run portal user list --role ${role} and portal user show to find the others. They ` +
            'need a link to set one up, which portal user enrolment-link prints.'
        )
  })
}

/** Whether the roles of the portal are as it needs them; a manual change may have altered them. */
export async function systemRoleFindings(db: Db): Promise<Finding[]> {
  const found = await findSystemRoles(db)
  return found.flatMap(({ key, system, lacking }) => {
    const check = `role ${key}`
    const grants = lacking.map((permission) => `portal role grant ${key} ${permission}`)
    if (!system) {
      return [
        problem(
          check,
          'not marked as a role of the portal: it can be deleted, and a new release adds no ' +
            'permissions to it',
          'Run as the owner of the tables:\n' +
            `    UPDATE roles SET system = true WHERE key = '${key}';`
        )
      ]
    }
    if (lacking.length === 0) return []
    // An administrator may have revoked those of other roles.
    return key === 'admin'
      ? [
          problem(
            check,
            `lacks permissions: ${lacking.join(', ')}`,
            ['Run:', ...grants].join('\n    ')
          )
        ]
      : [ok(check, `without ${lacking.join(', ')}; to grant it again: ${grants.join('; ')}`)]
  })
}
