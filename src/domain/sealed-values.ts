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
  table: PgTable
  /** The context of the value in the same row. */
  id: PgColumn
  value: PgColumn
}

// Without `pendingTotp` of sessions: after a change of keys, the user starts again.
const columns: SealedColumn[] = [
  { purpose: 'mail', table: outbox, id: outbox.id, value: outbox.payload },
  { purpose: 'totp', table: totp, id: totp.userId, value: totp.secret }
]

interface Sealed {
  id: string
  value: Uint8Array
}

const batchSize = 500

/** All values, in the order of their ids. */
async function* batches(db: Db) {
  for (const column of columns) {
    const { table, id, value } = column
    let after: string | undefined
    do {
      const rows = (await db
        .select({ id, value })
        .from(table)
        .where(and(isNotNull(value), after === undefined ? undefined : gt(id, after)))
        .orderBy(asc(id))
        .limit(batchSize)) as Sealed[]
      yield { column, rows }
      after = rows.length === batchSize ? rows.at(-1)?.id : undefined
    } while (after !== undefined)
  }
}

/** Leaves out rows whose value has changed since it was read. */
async function replace(
  db: Db,
  { table, id: idColumn, value: column }: SealedColumn,
  rows: (Sealed & { resealed: Uint8Array })[]
) {
  const values = rows.map(
    ({ id, value, resealed }) => sql`(${id}::uuid, ${value}::bytea, ${resealed}::bytea)`
  )
  await transaction(db, (tx) =>
    tx
      .update(table)
      .set({ [column.name]: sql`resealed` })
      .from(sql`(values ${sql.join(values, sql`, `)}) as renewed (renewed_id, sealed, resealed)`)
      .where(sql`${idColumn} = renewed_id and ${column} = sealed`)
  )
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
      if (judgement === 'unreadable' && column.purpose === 'totp') counts.locked += 1
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
    if (renewed.length > 0) await replace(db, column, renewed)
    counts.resealed += renewed.length
  }
  return counts
}
