import type { serverFacts } from '../../db/facts.ts'
import { ok, warning } from './findings.ts'
import type { Outcome } from './findings.ts'

/** Besides those of DATABASE_POOL_MAX: for session checks. */
const forChecks = 2

type Facts = Awaited<ReturnType<typeof serverFacts>>

/** Whether one instance may open all of its connections. */
export function connectionFinding(
  { role, database, roleLimit, databaseLimit, serverLimit }: Facts,
  poolMax: number
): Outcome {
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
