import { warning } from './findings.ts'
import type { Outcome } from './findings.ts'

/** The last day with security updates of each version. docs/do/install.md has those of Node. */
export const ends = {
  /** Source: github.com/nodejs/release */
  Node: { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30', 26: '2029-04-30' },
  /** Source: postgresql.org/support/versioning */
  PostgreSQL: { 15: '2027-11-11', 16: '2028-11-09', 17: '2029-11-08', 18: '2030-11-14' }
} as const

/** Undefined while a version gets security updates, and for those that are newer than the list. */
export function endFinding(
  of: keyof typeof ends,
  version: number,
  finding: string,
  today: string = new Date().toISOString().slice(0, 10)
): Outcome | undefined {
  const all: Record<number, string> = ends[of]
  const end = all[version]
  if (end === undefined || today <= end) return undefined
  const newest = Math.max(...Object.keys(all).map(Number))
  return warning(
    `${finding}, which has had no security updates since ${end}`,
    `Upgrade to ${of} ${newest}.`
  )
}
