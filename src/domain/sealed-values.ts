import { and, asc, gt, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { retried } from '../../db/transaction.ts'
import type { SealPurpose, Sealing } from './sealing.ts'

// All sealed values of the database, for a change of SECRET_KEYS.

interface Place {
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

const places: Place[] = [
  {
    purpose: 'mail',
    async read(db, after, limit) {
      const rows = await db
        .select({ id: outbox.id, value: outbox.payload })
        .from(outbox)
        .where(
          and(isNotNull(outbox.payload), after === undefined ? undefined : gt(outbox.id, after))
        )
        .orderBy(asc(outbox.id))
        .limit(limit)
      return rows.map(({ id, value }) => ({ id, value: value ?? new Uint8Array() }))
    },
    async replace(db, rows) {
      const values = sql.join(
        rows.map(
          ({ id, value, resealed }) => sql`(${id}::uuid, ${value}::bytea, ${resealed}::bytea)`
        ),
        sql`, `
      )
      await retried(() =>
        db
          .update(outbox)
          .set({ payload: sql`resealed` })
          .from(sql`(values ${values}) as renewed (renewed_id, sealed, resealed)`)
          .where(sql`${outbox.id} = renewed_id and ${outbox.payload} = sealed`)
      )
    }
  }
]

const batchSize = 500

async function* batches(db: Db) {
  for (const place of places) {
    let after: string | undefined
    do {
      const rows = await place.read(db, after, batchSize)
      yield { place, rows }
      after = rows.length === batchSize ? rows.at(-1)?.id : undefined
    } while (after !== undefined)
  }
}

/**
 * Counts values by the key that opens them: the first, an older one, or none. Opens each, some
 * 20,000 a second.
 */
export async function countSealed(db: Db, sealing: Sealing) {
  const counts = { current: 0, old: 0, unreadable: 0 }
  for await (const { place, rows } of batches(db)) {
    for (const { id, value } of rows) counts[sealing.judge(place.purpose, id, value)] += 1
  }
  return counts
}

/**
 * Seals under the first key every value that an older one sealed. Values that no key opens stay as
 * they are. May run while the portal does, and again after it was interrupted.
 */
export async function reseal(db: Db, sealing: Sealing) {
  const counts = { resealed: 0, unreadable: 0 }
  for await (const { place, rows } of batches(db)) {
    const { purpose } = place
    const renewed = rows.flatMap((row) => {
      const judgement = sealing.judge(purpose, row.id, row.value)
      if (judgement === 'unreadable') counts.unreadable += 1
      const plain = judgement === 'old' && sealing.open(purpose, row.id, row.value)
      return plain ? { ...row, resealed: sealing.seal(purpose, row.id, plain) } : []
    })
    if (renewed.length > 0) await place.replace(db, renewed)
    counts.resealed += renewed.length
  }
  return counts
}
