import { sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Database } from '../../db/client.ts'
import { partitionActivity } from '../../db/partitions/partition.ts'
import { activity } from '../../db/schema/activity.ts'

const retention = { days: 180, certain: true }
const silent = () => {}
export const partition = (
  database: Database,
  options = {},
  report: (message: string) => void = silent
) =>
  database.exclusively((db) =>
    partitionActivity(db, { retention, repair: false, ...options }, report)
  )

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
export const ago = (days: number) => sql`now() - make_interval(days => ${days}::int)`
export const ids = async ({ db }: Database) =>
  (await db.select({ id: activity.id }).from(activity)).map(({ id }) => id).sort()
export const partOf = async ({ db }: Database, id: string) => {
  const rows = await db.execute(sql`select tableoid::regclass::text from activity where id = ${id}`)
  return (rows as unknown as { tableoid: string }[])[0]?.tableoid
}

export const indexes = async ({ db }: Database, table: string) =>
  (
    await db
      .select({ name: sql<string>`indexname` })
      .from(sql`pg_indexes`)
      .where(sql`tablename = ${table}`)
      .orderBy(sql`indexname`)
  ).map(({ name }) => name)
