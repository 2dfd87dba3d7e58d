import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Db } from '../engine.ts'
import { databaseCode, PartitionProblem } from '../errors.ts'
import { waitUntil } from '../retry.ts'

/** Reports progress to the operator. */
export type Report = (message: string) => void

/**
 * Milliseconds. Requests queue behind an exclusive lock that is waited for, and the role of a
 * server waits two seconds for a lock.
 */
const lockTimeout = 500
/** Milliseconds: longer than `deadlock_timeout`, after which a waiting lock ends an autovacuum. */
const vacuumTimeout = 5000
/**
 * Milliseconds. While a transaction has used the activity for longer, the command waits without
 * asking for a lock.
 */
const longUse = 300
/** Milliseconds after which the transactions in the way are reported as an error. */
const giveUpAfter = 600_000
/** SQLSTATE lock_not_available and deadlock_detected. */
const busy = new Set(['55P03', '40P01'])

/**
 * Runs `work`, which locks the activity briefly, in a transaction of the owner. To keep requests
 * from waiting, it starts when no long transaction is in the way, gives up waiting for a lock after
 * half a second, and tries again.
 * @param table protected from an autovacuum, which would hold its lock for longer
 * @throws PartitionProblem after ten minutes, and for a role that does not own the activity
 */
export async function withBriefLock<T>(
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
    if (now - began > giveUpAfter) {
      throw new PartitionProblem(
        'activity-in-use',
        `The activity is in use by ${users.join(', ') || 'one transaction after another'}. ` +
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
  const owner = await requireOwner(tx)
  await tx.execute(sql`set local role ${sql.identifier(owner)}`)
  await tx.execute(`set local lock_timeout = ${vacuumTimeout}`)
  await tx.execute(sql`lock table only ${sql.identifier(table)} in share update exclusive mode`)
  await tx.execute(`set local lock_timeout = ${lockTimeout}`)
  return work(tx)
}

/**
 * Returns the owner of the activity.
 * @throws PartitionProblem for a role that is neither the owner nor a member of it
 */
export async function requireOwner(db: Db): Promise<string> {
  const [table] = await db
    .select({
      owner: sql<string>`pg_get_userbyid(relowner)::text`,
      isOwn: sql<boolean>`pg_has_role(relowner, 'member')`
    })
    .from(sql`pg_class`)
    .where(sql`oid = to_regclass('activity')`)
  if (table?.isOwn) return table.owner
  throw new PartitionProblem(
    'not-the-owner',
    `Only the owner of the activity can partition it: set MIGRATION_DATABASE_URL to the URL of ` +
      `the role ${table?.owner}.`
  )
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
