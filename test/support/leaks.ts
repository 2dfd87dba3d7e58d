import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'

/** The rows of all tables as text. */
export async function storedText(db: Db): Promise<string> {
  const tables = await rowsOf<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`
  )
  const texts = []
  for (const { name } of tables) {
    const table = sql.identifier(name)
    texts.push(
      JSON.stringify(await rowsOf(db, sql`select to_jsonb(${table}) as row from ${table}`))
    )
  }
  return texts.join('\n')
}

/** The results of both drivers in one form. */
async function rowsOf<Row>(db: Db, statement: SQL) {
  const answer = (await db.execute(statement)) as unknown
  return (Array.isArray(answer) ? answer : (answer as { rows: unknown[] }).rows) as Row[]
}

const spellings = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64url').slice(2, -4)
]

/** The secrets that a text contains, in any usual spelling. */
export const leaksIn = (text: string, secrets: Iterable<string>) =>
  [...secrets].filter((secret) => spellings(secret).some((spelling) => text.includes(spelling)))
