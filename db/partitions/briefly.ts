import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Db } from '../engine.ts'
import { databaseCode } from '../errors.ts'
import { waitUntil } from '../waiting.ts'

/** Tells the operator about progress. */
export type Report = (message: string) => void

/** An operator has to do something before the activity can be partitioned. */
export class PartitionProblem extends Error {
  override name = 'PartitionProblem'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Milliseconds. Requests queue behind an exclusive lock that is waited for, and the role of a
 * server waits two seconds for a lock.
 */
const lockTimeout = 500
/** Milliseconds: longer than `deadlock_timeout`, after which a waiting lock ends an autovacuum. */
const vacuumTimeout = 5000
/** Milliseconds. A transaction that has used the activity for longer is waited for, unlocked. */
const longUse = 300
/** Milliseconds after which the transactions in the way are reported as an error. */
const patience = 600_000
/** SQLSTATE lock_not_available and deadlock_detected. */
const busy = new Set(['55P03', '40P01'])

/**
 * Runs `work`, which locks the activity for a moment, in a transaction of the owner. So that
 * requests never wait long, it begins when no long transaction is in the way, gives up a lock that
 * takes half a second, and tries again.
 * @param table is kept from an autovacuum, which would hold its lock for longer
 * @throws PartitionProblem after ten minutes
 */
export async function briefly<T>(
  db: Db,
  table: string,
  work: (tx: Db) => Promise<T>,
  report: Report
): Promise<T> {
  const began = performance.now()
  let seen = new Map<string, number>()
  let users: string[] = []
  let result: { value: T } | undefined
  const attempt = async () => {
    const now = performance.now()
    const found = await findUsers(db)
    seen = new Map(found.map(({ id }) => [id, seen.get(id) ?? now]))
    users = found.filter(({ id }) => now - (seen.get(id) ?? now) > longUse).map(({ name }) => name)
    if (now - began > patience) {
      throw new PartitionProblem(
        'activity-in-use',
        `The activity is in use by ${users.join(', ') || 'one transaction after the other'}. ` +
          'Run the command again later: it continues where it stopped.'
      )
    }
    if (users.length > 0 || (found.length > 0 && now - began < longUse)) return false
    try {
      result = { value: await db.transaction((tx) => asOwner(tx, table, work)) }
      return true
    } catch (error) {
      if (!busy.has(databaseCode(error) ?? '')) throw error
      await sleep(longUse)
      return false
    }
  }
  await waitUntil(attempt, () =>
    report(`Waiting for transactions that use the activity: ${users.join(', ') || 'many'}.`)
  )
  return (result as { value: T }).value
}

async function asOwner<T>(tx: Db, table: string, work: (tx: Db) => Promise<T>) {
  const [activity] = await tx
    .select({ owner: sql<string>`pg_get_userbyid(relowner)::text` })
    .from(sql`pg_class`)
    .where(sql`oid = to_regclass('activity')`)
  if (activity) await tx.execute(sql`set local role ${sql.identifier(activity.owner)}`)
  await tx.execute(`set local lock_timeout = ${vacuumTimeout}`)
  await tx.execute(sql`lock table only ${sql.identifier(table)} in share update exclusive mode`)
  await tx.execute(`set local lock_timeout = ${lockTimeout}`)
  return work(tx)
}

/** Transactions of other sessions that read or write the activity. */
const findUsers = (db: Db) =>
  db
    .select({
      id: sql<string>`virtualtransaction`,
      name: sql<string>`concat_ws(' ', 'pid', pid, nullif(application_name, ''))`
    })
    .from(sql`pg_locks left join pg_stat_activity using (pid)`)
    .where(
      sql`relation = to_regclass('activity') and granted and pid <> pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database())
        and mode <> 'ShareUpdateExclusiveLock'`
    )
