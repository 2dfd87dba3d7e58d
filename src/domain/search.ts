import { and, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { searchText } from '../../db/schema/columns.ts'

/** More words are ignored: each is compared with every row that no index rules out. */
const mostWords = 8

/**
 * Matches rows that have every word of `q`, in any order, as a part of their texts. Fewer than
 * three letters have no trigram, and match the beginning of a word only.
 */
export function matchesWords(q = '', ...columns: AnyPgColumn[]): SQL | undefined {
  const words = q
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .split(/\s+/)
    .filter(Boolean)
  return and(
    ...words.slice(0, mostWords).map((word) => {
      const pattern = word.replace(/[\\%_]/g, String.raw`\$&`)
      // The database knows which letters are the same in lower case for it.
      return sql`${searchText(...columns)}
        like lower(${`%${word.length < 3 ? ' ' : ''}${pattern}%`}::text)`
    })
  )
}
