import { versionsOf } from '../supported-versions.ts'
import type { Software } from '../supported-versions.ts'
import { ok, problem, warning } from './findings.ts'
import type { Outcome } from './findings.ts'

/** Whether a version of Node or PostgreSQL is tested, and still gets updates for security. */
export function supportFinding(
  software: Software,
  version: number,
  finding: string,
  today: string = new Date().toISOString().slice(0, 10)
): Outcome {
  const all = versionsOf(software)
  const [oldest] = all[0] ?? [0]
  const [newest, { until }] = all.at(-1) ?? [0, { until: '' }]
  const todo = `Use ${software} ${newest}, which gets security updates until ${until}.`
  if (version < oldest) return problem(`${finding}, which is too old for the portal`, todo)
  const [, facts] = all.find(([each]) => each === version) ?? []
  if (facts === undefined) {
    return warning(
      `${finding}, which was not tested with this version of the portal`,
      version > newest ? `Look for a newer portal. Until then: ${todo}` : todo
    )
  }
  return today <= facts.until
    ? ok(finding)
    : warning(`${finding}, which has had no security updates since ${facts.until}`, todo)
}
