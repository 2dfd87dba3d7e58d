import { and, asc, gt, isNotNull, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/engine.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { totp } from '../../db/schema/second-factors.ts'
import { transaction } from '../../db/transaction.ts'
import type { SealPurpose, Sealing } from './sealing.ts'

// Counts and reseals all sealed values of the database, for a change of SECRET_KEYS.

interface SealedColumn {
  purpose: SealPurpose
  /** The next rows in the order of their ids. */
  read(db: Db, after: string | undefined, limit: number): Promise<Sealed[]>
  /** Leaves out rows whose value has changed since it was read. */
  replace(db: Db, rows: (Sealed & { resealed: Uint8Array })[]): Promise<void>
}

interface Sealed {
  id: string
  value: Uint8Array
}

/** The sealed values in a column `name`, whose context is the id in another column. */
function sealedColumn<T extends PgTable>(
  purpose: SealPurpose,
  table: T,
  idColumn: PgColumn,
  name: string & keyof T['_']['columns'] & keyof T
): SealedColumn {
  const column = table[name] as PgColumn
  return {
    purpose,
    async read(db, after, limit) {
      const rows = await db
        .select({ id: idColumn, value: column })
        .from(table as PgTable)
        .where(and(isNotNull(column), after === undefined ? undefined : gt(idColumn, after)))
        .orderBy(asc(idColumn))
        .limit(limit)
      return rows as Sealed[]
    },
    async replace(db, rows) {
      const values = sql.join(
        rows.map(
          ({ id, value, resealed }) => sql`(${id}::uuid, ${value}::bytea, ${resealed}::bytea)`
        ),
        sql`, `
      )
      await transaction(db, (tx) =>
        tx
          .update(table as PgTable)
          .set({ [name]: sql`resealed` })
          .from(sql`(values ${values}) as renewed (renewed_id, sealed, resealed)`)
          .where(sql`${idColumn} = renewed_id and ${column} = sealed`)
      )
    }
  }
}

const secrets = sealedColumn('totp', totp, totp.userId, 'secret')
// Without `pendingTotp` of sessions: after a change of keys, the user starts again.
const columns = [sealedColumn('mail', outbox, outbox.id, 'payload'), secrets]

const batchSize = 500

async function* batches(db: Db) {
  for (const column of columns) {
    let after: string | undefined
    do {
      const rows = await column.read(db, after, batchSize)
      yield { column, rows }
      after = rows.length === batchSize ? rows.at(-1)?.id : undefined
    } while (after !== undefined)
  }
}

/**
 * Counts values by the key that opens them: the first, an older one, or none. Opens each, some
 * 20,000 a second. `locked`: the users whose secret no key opens, so that they cannot use codes.
 */
export async function countSealed(db: Db, sealing: Sealing) {
  const counts = { current: 0, old: 0, unreadable: 0, locked: 0 }
  for await (const { column, rows } of batches(db)) {
    for (const { id, value } of rows) {
      const judgement = sealing.judge(column.purpose, id, value)
      counts[judgement] += 1
      if (judgement === 'unreadable' && column === secrets) counts.locked += 1
    }
  }
  return counts
}

/**
 * Seals under the first key every value that an older one sealed. Values that no key opens stay as
 * they are. May run while the portal does, and again after it was interrupted.
 */
export async function reseal(db: Db, sealing: Sealing) {
  const counts = { resealed: 0, unreadable: 0 }
  for await (const { column, rows } of batches(db)) {
    const { purpose } = column
    const renewed = rows.flatMap((row) => {
      const judgement = sealing.judge(purpose, row.id, row.value)
      if (judgement === 'unreadable') counts.unreadable += 1
      const plain = judgement === 'old' && sealing.open(purpose, row.id, row.value)
      return plain ? { ...row, resealed: sealing.seal(purpose, row.id, plain) } : []
    })
    if (renewed.length > 0) await column.replace(db, renewed)
    counts.resealed += renewed.length
  }
  return counts
}
