import type { Db } from '../../db/engine.ts'
import { findSystemRoles } from '../domain/access/registry.ts'
import { findRequirements } from '../domain/factors/enrolment.ts'
import { named, ok, problem, warning } from './findings.ts'
import type { Finding } from './findings.ts'

/** For each role that requires a second factor. Members without one cannot use the role. */
export async function roleFindings(db: Db): Promise<Finding[]> {
  const found = await findRequirements(db)
  return found.map(({ role, members, withFactor }) => {
    const finding =
      `requires a second factor, which ${withFactor} of ${members} ` + 'active members have'
    const outcome =
      withFactor === members
        ? ok(finding)
        : warning(
            finding,
            `Run portal user list --role ${role} and portal user show to find the others. They ` +
              'need a link to set one up, which portal user enrolment-link prints.'
          )
    return named(`role ${role}`, outcome)
  })
}

/** Whether the roles of the portal are as it needs them; a manual change may have altered them. */
export async function systemRoleFindings(db: Db): Promise<Finding[]> {
  const found = await findSystemRoles(db)
  return found.flatMap((role) => {
    const outcome = outcomeOf(role)
    return outcome ? [named(`role ${role.key}`, outcome)] : []
  })
}

type SystemRole = Awaited<ReturnType<typeof findSystemRoles>>[number]

function outcomeOf({ key, system, lacking }: SystemRole) {
  const grants = lacking.map((permission) => `portal role grant ${key} ${permission}`)
  if (!system) {
    return problem(
      'not marked as a role of the portal: it can be deleted, and a new release adds no ' +
        'permissions to it',
      'Run as the owner of the tables:\n' +
        `    UPDATE roles SET system = true WHERE key = '${key}';`
    )
  }
  if (lacking.length === 0) return undefined
  const names = lacking.join(', ')
  // An administrator may have revoked those of other roles.
  return key === 'admin'
    ? problem(`lacks permissions: ${names}`, ['Run:', ...grants].join('\n    '))
    : ok(`without ${names}; to grant it again: ${grants.join('; ')}`)
}
