import type { Sql } from 'postgres'

/** Of each record, with its indexes. */
export const bytesPerRecord = 1000
const actors = 1_000_000

/** The nth user of the records. */
export const actor = async (client: Sql, n: number) =>
  String((await client`select md5(${String(n)})::uuid as id`)[0]?.id)

/** Fills a table without indexes with records in even distances between two times. */
const fill = (client: Sql, table: string, count: number, from: Date, to: Date) =>
  client.unsafe(
    `insert into ${table} (id, at, action, outcome, reason, actor_type, actor_id, actor_label,
      target_type, target_id, ip, source, details)
    select gen_random_uuid(), '${from.toISOString()}'::timestamptz + n * interval '${
      (to.getTime() - from.getTime()) / count
    } milliseconds',
      (array['auth.login', 'auth.login', 'auth.logout', 'user.update', 'auth.register'])[1 + n % 5],
      case when n % 12 = 0 then 'failure' else 'success' end,
      case when n % 12 = 0 then 'wrong-password' end, 'user',
      case when n % 20 = 0 then md5('1')::uuid else md5((n % ${actors})::text)::uuid end,
      'ada@example.com', 'user', md5((n % ${actors})::text)::uuid::text, '203.0.113.7', 'api', '{}'
    from generate_series(0, ${count - 1}) as n`
  )

/** Fills the activity of a fresh database, and builds its indexes afterwards. */
export async function fillActivity(client: Sql, count: number, from: Date, to: Date) {
  const indexes = await client`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'activity' and indexname <> 'activity_pkey'`
  await client`alter table activity drop constraint activity_pkey`
  for (const { name } of indexes) await client`drop index ${client(name)}`
  await fill(client, 'activity', count, from, to)
  await client`alter table activity add constraint activity_pkey primary key (id)`
  for (const { definition } of indexes) await client.unsafe(definition)
  await client`vacuum analyze activity`
}

/**
 * Gives a partitioned activity partitions with records for the months before this one, and moves
 * the border of the first partition before them, which has no records of that time.
 */
export async function addMonths(client: Sql, months: Date[], count: number) {
  await client`alter table activity detach partition activity_before`
  const [{ to } = { to: '' }] = await client`
    select min(substring(pg_get_expr(relpartbound, oid) from $$FROM \\('([^']+)'\\)$$)) as to
    from pg_class join pg_inherits on oid = inhrelid
    where inhparent = 'activity'::regclass`
  const ends = [...months.slice(1).map((month) => month.toISOString()), String(to)]
  for (const [n, month] of months.entries()) {
    const end = new Date(ends[n] ?? '')
    const name = `activity_${month.toISOString().slice(0, 7).replace('-', '_')}`
    await client.unsafe(`create table ${name} (like activity including all excluding indexes)`)
    await fill(client, name, count, month, n < months.length - 1 ? end : new Date())
    const range = `('${month.toISOString()}') to ('${end.toISOString()}')`
    await client.unsafe(`alter table activity attach partition ${name} for values from ${range}`)
  }
  const first = months[0]?.toISOString()
  await client.unsafe(
    `alter table activity attach partition activity_before for values from (minvalue) to ('${first}')`
  )
  await client`vacuum analyze activity`
}
