import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { evaluationKinds, flagEvaluations } from '../../../db/schema/flag-evaluations.ts'
import { flags } from '../../../db/schema/flags.ts'
import { transaction } from '../../../db/transaction.ts'
import { utcToday } from './daily-evaluations.ts'

/** Milliseconds between two flushes. */
export const flushInterval = 60_000
const batchSize = 500

type Kind = (typeof evaluationKinds)[number]

/** What a flag served; without a variant, a split lacked the targeting key. */
interface Evaluated {
  key: string
  variant?: string
}

interface Row {
  key: string
  variant: string
  count: number
}

/**
 * Counts what is sent to apps, by flag and variant, off the request path. What callers make up,
 * such as targeting keys, takes no memory.
 * @param onError called when a batch could not be stored; the next flush adds it
 */
export function createEvaluationCounts(db: Db, onError: (error: unknown) => void) {
  const pending = { single: createCounts(), bulk: createCounts() }
  return {
    count(kind: Kind, evaluated: readonly Evaluated[]) {
      const { add } = pending[kind]
      for (let n = 0; n < evaluated.length; n++) {
        const { key, variant = '' } = evaluated[n] as Evaluated
        add(n, key, variant, 1)
      }
    },
    async flush() {
      for (const kind of evaluationKinds) {
        const rows = pending[kind].rows()
        pending[kind] = createCounts()
        for (let start = 0; start < rows.length; start += batchSize) {
          const batch = rows.slice(start, start + batchSize)
          await write(db, kind, batch).catch((error: unknown) => {
            onError(error)
            for (const [n, { key, variant, count }] of batch.entries()) {
              pending[kind].add(n, key, variant, count)
            }
          })
        }
      }
    }
  }
}

/** How often a variant of a flag was served. */
interface Counted extends Row {
  /** Another variant of the same flag. */
  next: Counted | undefined
}

/** Counting must cost next to nothing: for each flag it reads one object of 56 bytes or two. */
function createCounts() {
  const flags = new Map<string, Counted>()
  /** By position: flags are in one order in almost all requests. Saves looking them up. */
  const inOrder: Counted[] = []

  const newRow = (key: string, variant: string): Counted => ({
    key,
    variant,
    count: 0,
    next: undefined
  })
  const firstRow = (key: string, variant: string) => {
    const row = flags.get(key) ?? newRow(key, variant)
    flags.set(key, row)
    return row
  }
  return {
    add(position: number, key: string, variant: string, count: number) {
      let row = inOrder[position]
      if (row?.key !== key) row = inOrder[position] = firstRow(key, variant)
      while (row.variant !== variant) row = row.next ??= newRow(key, variant)
      row.count += count
    },
    rows: (): Row[] => [...flags.values()].flatMap(listFrom)
  }
}

function listFrom(first: Counted) {
  const rows: Row[] = []
  for (let row: Counted | undefined = first; row; row = row.next) {
    const { key, variant, count } = row
    rows.push({ key, variant, count })
  }
  return rows
}

/**
 * Adds to the rows of today. Skips flags that no longer exist, and locks the others, so that the
 * deletion of a flag finds all of its rows. Writes in the order of the key, because instances do so
 * concurrently.
 */
async function write(db: Db, kind: Kind, rows: Row[]) {
  const given = JSON.stringify(rows)
  await transaction(db, (tx) =>
    tx.execute(sql`
      with given as (
        select key, variant, ${kind}::text as kind, count
        from jsonb_to_recordset(${given}::text::jsonb)
          as each(key text, variant text, count bigint)
      ), existing as (
        select ${flags.key} as key from ${flags} where ${flags.key} in (select key from given)
        order by ${flags.key} for key share
      )
      insert into ${flagEvaluations} (flag_key, day, variant, kind, count)
      select key, ${utcToday}, variant, kind, count from given join existing using (key)
      order by key, variant, kind
      on conflict (flag_key, day, variant, kind)
      do update set count = flag_evaluations.count + excluded.count`)
  )
}
