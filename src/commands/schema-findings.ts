import { sql } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { estimateRows } from '../../db/server-info.ts'
import type { readServerInfo } from '../../db/server-info.ts'
import { findBrokenIndexes } from '../../db/index-check.ts'
import type { BrokenIndex } from '../../db/index-check.ts'
import { countMissingEpochs } from '../../db/missing-epochs.ts'
import { findLeftBound, readCoverage } from '../../db/partitions.ts'
import { activity } from '../../db/schema/activity.ts'
import type { Config } from '../config/config.ts'
import { covers, rpIdOf } from '../config/passkeys.ts'
import { findSystemRoles } from '../domain/access/registry.ts'
import { findRequirements } from '../domain/factors/enrolment.ts'
import { countPasskeys } from '../domain/factors/passkeys.ts'
import { countSealed, createSealing } from '../domain/sealing.ts'
import { ok, problem, warning } from './findings.ts'
import type { Outcome } from './findings.ts'

const states = ['missing', 'invalid', 'different'] as const

/** Whether each index is as in the schema: a restore may leave some out, and a build may fail. */
export async function indexFinding(db: Db): Promise<Outcome> {
  const broken = await findBrokenIndexes(db)
  if (broken.length === 0) return ok('as in the schema')
  const named = (state: BrokenIndex['state']) => {
    const names = broken.filter((index) => index.state === state).map(({ name }) => name)
    return names.length > 0 ? [`${state}: ${names.join(', ')}`] : []
  }
  const unique = broken.some((index) => index.unique)
  return problem(
    states.flatMap(named).join('; ') +
      (unique ? '; without a unique index, equal values can be stored' : ''),
    'Run: portal migrate --repair\n    It builds them while servers run.'
  )
}

export async function epochsFinding(db: Db): Promise<Outcome> {
  const missing = await countMissingEpochs(db)
  return missing === 0
    ? ok('complete')
    : problem(
        `missing rows: ${missing}; requests that need one of them get 503`,
        'Run: portal refresh\n    It adds them, and every instance reloads its data.'
      )
}

/** Session checks use these connections besides those of DATABASE_POOL_MAX. */
const forChecks = 2

type Facts = Awaited<ReturnType<typeof readServerInfo>>

/** Milliseconds of a round trip, above which people wait for it. */
const near = 50

/** The fastest of three, because one may open a connection. */
export async function distanceFinding(db: Db) {
  let fastest = Infinity
  for (let n = 0; n < 3; n++) {
    const since = performance.now()
    await db.select({ one: sql`1` }).from(sql`(select 1) as one`)
    fastest = Math.min(fastest, performance.now() - since)
  }
  const finding = `a round trip to the database takes ${Math.ceil(fastest)} ms`
  const todo =
    'Move the portal near its database. A session check waits for one round trip, for a second ' +
    'at most, and a sign-in for nine.'
  return fastest > near ? warning(finding, todo) : ok(finding)
}

/** Whether one instance may open all of its connections. */
export function connectionFinding({ facts, poolMax }: { facts: Facts; poolMax: number }) {
  const { role, database, roleLimit, databaseLimit, serverLimit } = facts
  const needed = poolMax + forChecks
  const limits = [
    {
      of: `the role ${role}`,
      limit: roleLimit,
      todo: `ALTER ROLE ${role} CONNECTION LIMIT ${needed};`
    },
    {
      of: `the database ${database}`,
      limit: databaseLimit,
      todo: `ALTER DATABASE ${database} CONNECTION LIMIT ${needed};`
    },
    {
      of: 'the server',
      limit: serverLimit,
      todo: `ALTER SYSTEM SET max_connections = ${needed + 10}; -- then restart the server`
    }
  ]
  const low = limits.filter(({ limit }) => limit !== null && limit < needed)
  if (low.length === 0) return ok(`an instance may open its ${needed}`)
  return warning(
    `an instance opens up to ${needed} (DATABASE_POOL_MAX + ${forChecks}), but the limit of ` +
      low.map(({ of, limit }) => `${of} is ${limit}`).join(', and of '),
    [
      'Lower DATABASE_POOL_MAX, or raise the limit, for several instances to their sum (behind ' +
        'PgBouncer, to its default_pool_size):',
      ...low.map(({ todo }) => todo)
    ].join('\n    ')
  )
}

/** Members without a second factor cannot use a role that requires one. */
export async function roleFindings(db: Db) {
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
    return { check: `role ${role}`, ...outcome }
  })
}

/** Whether the roles of the portal are as it needs them; a manual change may have altered them. */
export async function systemRoleFindings(db: Db) {
  const found = await findSystemRoles(db)
  return found.flatMap((role) => {
    const outcome = outcomeOf(role)
    return outcome ? [{ check: `role ${role.key}`, ...outcome }] : []
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

/** The number of records above which deleting them one by one costs too much. */
export const manyRecords = 50_000_000
const fewestMonths = 2

/** Checks whether the activity should be partitioned, and has partitions for the next months. */
export async function partitionFinding(db: Db): Promise<Outcome> {
  const bounded = await findLeftBound(db)
  if (bounded !== undefined) {
    return problem(
      'an interrupted portal activity partition of an earlier version has left a check: from ' +
        'some day on, records are rejected, and so are most requests',
      'Run as the owner of the tables:\n' +
        `    ALTER TABLE ${bounded} DROP CONSTRAINT activity_bound;`
    )
  }
  const coverage = await readCoverage(db)
  if (!coverage) {
    const records = await estimateRows(db, sql`select 1 from ${activity}`)
    const millions = `${Math.round(records / 1e6)} million records, not partitioned`
    return records > manyRecords && records < Infinity
      ? warning(`some ${millions}`, 'Consider pg_partman: docs/do/partition.md')
      : ok('not partitioned')
  }
  const { until, monthsLeft, hasPartman } = coverage
  const finding = `partitioned until ${dateOf(until)}, ${monthsLeft} months ahead`
  if (monthsLeft >= fewestMonths) return ok(finding)
  return hasPartman
    ? warning(finding, 'Run partman.run_maintenance_proc() every day: docs/do/partition.md')
    : warning(
        `${finding}, and without pg_partman none is created`,
        'Records of later months are kept together in activity_default. Install pg_partman: ' +
          'docs/do/partition.md'
      )
}

const dateOf = (time: Date) => time.toISOString().slice(0, 10)

const lockedOut =
  'For owners who need a second factor and have no other one, run: portal user reset-second-factor'

/** Whether passkeys can be used, and whether a change of their host name has left some behind. */
export async function passkeyFinding(db: Db, config: Config): Promise<Outcome> {
  const rpId = rpIdOf(config)
  const { all, lost } = await countPasskeys(db, rpId ?? '')
  if (rpId === undefined) {
    const reason = config.PASSKEYS === 'off' ? '' : ', because PUBLIC_ORIGIN is an IP address'
    return all === 0
      ? ok(`off${reason}`)
      : warning(
          `off${reason}, but users have passkeys: ${all}`,
          'Set PASSKEYS=on and a host name in PUBLIC_ORIGIN, or tell their owners that these ' +
            `passkeys no longer work. ${lockedOut}`
        )
  }
  if (lost > 0) {
    return warning(
      `${lost} of ${all} are for a host name other than ${rpId} and cannot be used`,
      'Set PASSKEY_RP_ID to the host name that they were added for, or tell their owners to add ' +
        `new ones. ${lockedOut}`
    )
  }
  if (!covers(rpId, config.CORS_ORIGINS)) {
    return warning(
      `pages of some CORS_ORIGINS cannot use passkeys of ${rpId}`,
      'Set PASSKEY_RP_ID to a parent domain of PUBLIC_ORIGIN and all CORS_ORIGINS, before users ' +
        'add passkeys.'
    )
  }
  return ok(`${all}, all for ${rpId}`)
}

/** After a change of SECRET_KEYS, no current key may open some values. */
export async function sealedFinding(db: Db, { SECRET_KEYS: keys }: Config): Promise<Outcome> {
  const { current, old, unreadable, locked } = await countSealed(db, createSealing(keys))
  if (unreadable > 0) {
    return warning(
      `${unreadable} cannot be opened with any key in SECRET_KEYS` +
        (locked > 0 ? `; users who cannot use their authenticator app: ${locked}` : ''),
      'Check that SECRET_KEYS match the keys of the server, or add the key that was removed.'
    )
  }
  if (old > 0) {
    return warning(
      `${old} sealed with an older key`,
      'Before you remove that key, run: portal reseal'
    )
  }
  return ok(current === 0 ? 'none' : `${current}, all sealed with the first key`)
}
