import type { Db } from './client.ts'
import { isRetryable } from './errors.ts'

const attempts = 3

/** Runs `work` in a transaction; after a serialization failure or a deadlock again, three times in all. */
export async function transaction<T> (db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work)
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error
    }
  }
}
