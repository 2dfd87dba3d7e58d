import { drizzle } from 'drizzle-orm/postgres-js'
import type { Sql } from 'postgres'
import type { Db } from '../db/engine.ts'

const large = ['users', 'user_roles', 'scoped_roles', 'sessions', 'activity', 'outbox']

/** Returns a function that has PostgreSQL explain, on this connection, what a page of a list reads. */
export function explainOn(client: Sql) {
  const queries: { query: string; params: unknown[] }[] = []
  /** Only captures the SQL of a list. */
  const captured = drizzle({
    client,
    logger: {
      logQuery: (query, params) => {
        queries.push({ query, params })
      }
    }
  }) as unknown as Db

  /**
   * Planning and execution times of the statements of a page, and its sequential scans of large
   * tables.
   */
  return async function explain(
    read: (db: Db, after: unknown[] | undefined) => Promise<unknown>,
    after: unknown[] | undefined
  ) {
    queries.length = 0
    await read(captured, after)
    let ms = 0
    const scans: string[] = []
    for (const { query, params } of queries.filter(({ query }) => !query.startsWith('explain'))) {
      const [row] = await client.unsafe(
        `explain (analyze, timing off, format json) ${query}`,
        params as never[]
      )
      const [plan] = row?.['QUERY PLAN'] as [
        { 'Planning Time': number; 'Execution Time': number; Plan: Node }
      ]
      ms += plan['Planning Time'] + plan['Execution Time']
      scans.push(...scansIn(plan.Plan).filter((table) => large.includes(table)))
    }
    return { ms, scans }
  }
}

interface Node {
  'Node Type': string
  'Relation Name'?: string
  Plans?: Node[]
}

function scansIn(node: Node): string[] {
  return [
    ...(node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []),
    ...(node.Plans ?? []).flatMap(scansIn)
  ]
}
