import { drizzle } from 'drizzle-orm/postgres-js'
import type { Sql } from 'postgres'
import type { Db } from '../../db/engine.ts'

/**
 * Returns a function that runs statements twice on this connection, and returns for how many
 * milliseconds PostgreSQL plans and executes them together.
 */
export function explainOn(client: Sql) {
  const sent: { query: string; params: unknown[] }[] = []
  const db = drizzle({
    client,
    logger: {
      logQuery: (query, params) => {
        sent.push({ query, params })
      }
    }
  }) as unknown as Db
  return async (work: (db: Db) => Promise<unknown>) => {
    sent.length = 0
    await work(db) // fills the caches as well
    let ms = 0
    for (const { query, params } of sent.filter(({ query }) => !query.startsWith('explain'))) {
      const [row] = await client.unsafe(
        `explain (analyze, timing off, format json) ${query}`,
        params as never[]
      )
      const [plan] = row?.['QUERY PLAN'] as [{ 'Planning Time': number; 'Execution Time': number }]
      ms += plan['Planning Time'] + plan['Execution Time']
    }
    return ms
  }
}
