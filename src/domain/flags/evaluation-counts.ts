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

/** Two numbers for each variant, one of each kind: counting must cost next to nothing. */
interface Counts {
  key: string
  variants: string[]
  numbers: number[]
}

interface Row {
  key: string
  variant: string
  kind: Kind
  count: number
}

/**
 * Counts what is sent to apps, by flag and variant, off the request path. What callers make up,
 * such as targeting keys, takes no memory.
 * @param onError called when a batch could not be stored; the next flush adds it
 */
export function createEvaluationCounts(db: Db, onError: (error: unknown) => void) {
  let pending = new Map<string, Counts>()
  /** By position: flags are in the same order in almost all requests. Saves looking them up. */
  let inOrder: Counts[] = []

  const countsOf = (key: string) => {
    const found = pending.get(key) ?? { key, variants: [], numbers: [] }
    pending.set(key, found)
    return found
  }
  return {
    count(kind: Kind, evaluated: readonly Evaluated[]) {
      const place = evaluationKinds.indexOf(kind)
      for (let n = 0; n < evaluated.length; n++) {
        const { key, variant = '' } = evaluated[n] as Evaluated
        let counts = inOrder[n]
        if (counts?.key !== key) counts = inOrder[n] = countsOf(key)
        add(counts, variant, place, 1)
      }
    },
    async flush() {
      const rows = rowsOf(pending)
      pending = new Map()
      inOrder = []
      for (let start = 0; start < rows.length; start += batchSize) {
        const batch = rows.slice(start, start + batchSize)
        await write(db, batch).catch((error: unknown) => {
          onError(error)
          for (const { key, variant, kind, count } of batch) {
            add(countsOf(key), variant, evaluationKinds.indexOf(kind), count)
          }
        })
      }
    }
  }
}

function add({ variants, numbers }: Counts, variant: string, place: number, count: number) {
  let index = 0
  while (index < variants.length && variants[index] !== variant) index += 1
  if (index === variants.length) {
    variants.push(variant)
    numbers.push(0, 0)
  }
  const at = index * evaluationKinds.length + place
  numbers[at] = (numbers[at] ?? 0) + count
}

const rowsOf = (all: Map<string, Counts>): Row[] =>
  Array.from(all).flatMap(([key, { variants, numbers }]) =>
    variants.flatMap((variant, index) =>
      evaluationKinds.flatMap((kind, place) => {
        const count = numbers[index * evaluationKinds.length + place] ?? 0
        return count === 0 ? [] : [{ key, variant, kind, count }]
      })
    )
  )

/**
 * Adds to the rows of today. Skips flags that no longer exist, and locks the others, so that the
 * deletion of a flag finds all of its rows. Writes in the order of the key, because instances do so
 * concurrently.
 */
async function write(db: Db, rows: Row[]) {
  const given = JSON.stringify(rows)
  await transaction(db, (tx) =>
    tx.execute(sql`
      with given as (
        select key, variant, kind, count
        from jsonb_to_recordset(${given}::text::jsonb)
          as each(key text, variant text, kind text, count bigint)
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
