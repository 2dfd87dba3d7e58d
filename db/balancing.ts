import { sql } from 'drizzle-orm'
import type { Db } from './engine.ts'
import { isReadOnly } from './errors.ts'

const reads = 8

/**
 * The evidence that reads may reach a standby, which can lack confirmed changes for a while;
 * undefined if there is none. The portal rejects a standby's answer only to statements that ask for
 * it, which not all do.
 * @param db with several connections, because most proxies choose a server for each
 */
export async function findBalancing(db: Db): Promise<string | undefined> {
  const answers = await Promise.allSettled(
    Array.from({ length: reads }, () =>
      db.select({ recovery: sql<boolean>`pg_is_in_recovery()` }).from(sql`(select 1) as one`)
    )
  )
  const standby = answers.filter((answer) =>
    answer.status === 'fulfilled' ? answer.value[0]?.recovery : isReadOnly(answer.reason)
  )
  if (standby.length > 0 && standby.length < reads) {
    return `${standby.length} of ${reads} reads reached a standby`
  }
  if ((await show(db, 'show pool_version')) === undefined) return undefined
  const mode = await show(db, 'pgpool show load_balance_mode')
  return mode === 'off' ? undefined : `Pgpool-II has load_balance_mode ${mode ?? 'unknown'}`
}

/** The value that a statement of Pgpool-II shows; undefined on PostgreSQL, which rejects it. */
async function show(db: Db, statement: string) {
  try {
    const [row] = (await db.execute(statement)) as unknown as Record<string, string>[]
    return row && Object.values(row)[0]
  } catch {
    return undefined
  }
}
