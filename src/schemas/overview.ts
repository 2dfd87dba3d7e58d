import { Type } from '@sinclair/typebox'
import { unavailableReasons } from './health.ts'
import { closed, Count, integer, nullable, oneOf, text } from './primitives.ts'

const engines = ['postgresql', 'pglite'] as const

const estimated = (description: string) =>
  closed(
    {
      count: Count('Number of users or sessions'),
      approximate: Type.Boolean({
        description:
          "Whether the number is an estimate from the database's statistics, as it is " +
          'for large tables'
      })
    },
    { description }
  )

export const Overview = closed(
  {
    version: text(40, { description: 'Version of the portal', examples: ['0.2.0'] }),
    ready: Type.Boolean({ description: 'Whether this instance can take traffic' }),
    reason: nullable(
      oneOf(unavailableReasons, { description: 'Why it is not ready, as in `GET /health`' })
    ),
    database: closed(
      {
        engine: oneOf(engines, { description: 'Database engine' }),
        version: integer(1, 1000, 'Major version of PostgreSQL'),
        label: text(1000, {
          description: 'Engine and location of the database',
          examples: ['PostgreSQL at 127.0.0.1:5432/portal']
        })
      },
      { description: 'The database' }
    ),
    users: estimated('Users, deactivated ones included'),
    foreignHashes: estimated('Users whose password is still hashed as another system did'),
    liveSessions: estimated('Active sessions'),
    outbox: closed(
      {
        pending: Count('Number of mails that wait for delivery'),
        oldestSeconds: Type.Number({
          minimum: 0,
          maximum: 1e12,
          description: 'Age of the oldest pending mail in seconds; 0 if there is none',
          examples: [0]
        }),
        dead: Count('Number of mails that were refused for good')
      },
      { description: 'Mail in the outbox' }
    ),
    signUps: closed(
      {
        sentInHour: Count('Number of these mails in the last hour'),
        recent: Count('Number of the last ones, at most 100'),
        confirmed: Count('Number of those that were confirmed within a day'),
        difficulty: Count(
          'Expected number of hashes of a challenge for a new source; 0: no challenge'
        ),
        suspicious: Type.Boolean({
          description: 'Whether so few are confirmed that somebody may be registering strangers'
        })
      },
      { description: 'Mails that ask to confirm an address' }
    ),
    limitedAccounts: Count(
      'Number of accounts with more attempts in the last 24 hours than the rate limits allow'
    ),
    lateJobs: Count('Number of clean-up jobs that have not finished for more than a day')
  },
  { $id: 'Overview', description: 'State of the portal' }
)
