import { sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Database } from '../../db/client.ts'
import type { Db } from '../../db/engine.ts'

const month = (ahead: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString()
}

/** Partitions the activity as the command of earlier versions did, which production still has. */
export const partitionActivity = (database: Database) => database.exclusively(convert)

async function convert(db: Db) {
  const indexes = await db
    .select({ name: sql<string>`indexname`, definition: sql<string>`indexdef` })
    .from(sql`pg_indexes`)
    .where(sql`tablename = 'activity' and indexname <> 'activity_pkey'`)
  const months = Array.from({ length: 11 }, (_, n) => n + 2)
  const statements = [
    'alter table activity rename to activity_before',
    'alter table activity_before drop constraint activity_pkey, add primary key (at, id)',
    'create index activity_before_id on activity_before (id)',
    ...indexes.map(
      ({ name }) => `alter index ${name} rename to ${name.replace('activity', 'activity_before')}`
    ),
    `create table activity (like activity_before including all excluding indexes,
      primary key (at, id)) partition by range (at)`,
    'create index activity_id on activity (id)',
    ...indexes.map(({ definition }) => definition),
    `alter table activity attach partition activity_before
      for values from (minvalue) to ('${month(2)}')`,
    ...months.map(
      (n) => `create table activity_${month(n).slice(0, 7).replace('-', '_')}
        partition of activity for values from ('${month(n)}') to ('${month(n + 1)}')`
    ),
    'create table activity_default partition of activity default'
  ]
  await db.transaction(async (tx) => {
    for (const statement of statements) await tx.execute(statement)
  })
}

export const records = (count: number, at: (n: number) => unknown, other: object = {}) =>
  Array.from({ length: count }, (_, n) => ({
    id: uuid(),
    at: at(n) as Date,
    action: 'auth.login',
    outcome: 'success' as const,
    actorType: 'anonymous' as const,
    source: 'api' as const,
    ...other
  }))

/** The time this many days ago, by the clock of the database. */
export const ago = (days: number) => sql`now() - make_interval(days => ${days}::int)`
