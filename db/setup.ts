import { sql } from 'drizzle-orm'
import type { Db } from './engine.ts'
import { DatabaseUnusable } from './errors.ts'

const isTable = (schema: string, name: string) => sql`exists (select 1 from pg_class
  join pg_namespace n on n.oid = relnamespace where nspname = ${schema} and relname = ${name})`

/** The settings that a database must have, which its owner decides. */
export async function readSetup(db: Db) {
  const [setup] = await db
    .select({
      role: sql<string>`quote_ident(current_user)`,
      encoding: sql<string | null>`current_setting('server_encoding', true)`,
      searchPath: sql<string>`current_setting('search_path')`,
      /** Where new tables go; null if no schema of the path exists. */
      schema: sql<string | null>`current_schema()`,
      /** The schema of the portal's tables, if the path does not lead to them. */
      hiddenIn: sql<string | null>`(select min(quote_ident(nspname)) from pg_class c
        join pg_namespace n on n.oid = relnamespace
        where relname = 'outbox' and relkind in ('r', 'p') and to_regclass('outbox') is null
          and ${isTable('drizzle', '__drizzle_migrations')})`,
      isUsed: isTable('drizzle', '__drizzle_migrations').mapWith(Boolean)
    })
    .from(sql`(select 1) as one`)
  if (!setup) throw new Error('the database did not describe itself')
  return setup
}

interface Fault {
  finding: string
  todo: string
}

/** Undefined for UTF8, and for an engine that does not say. */
export const encodingFault = ({ encoding }: Setup): Fault | undefined =>
  encoding === null || encoding === 'UTF8'
    ? undefined
    : {
        finding: `the encoding is ${encoding}, and names of users need UTF8`,
        todo:
          `Create another database, and name it in DATABASE_URL: CREATE DATABASE portal_utf8 ` +
          `ENCODING 'UTF8' TEMPLATE template0; Then move the data with pg_dump and psql.`
      }

export function pathFault({ role, searchPath, schema, hiddenIn }: Setup): Fault | undefined {
  if (hiddenIn === null && schema !== null) return undefined
  const found =
    hiddenIn === null ? 'names no schema that exists' : `hides the tables, which are in ${hiddenIn}`
  return {
    finding: `search_path (${searchPath}) ${found}`,
    todo:
      `Run: ALTER ROLE ${role} SET search_path = ${hiddenIn ?? 'public'}; If it stays, remove ` +
      'search_path from DATABASE_URL, or from the settings of the role in this database.'
  }
}

type Setup = Awaited<ReturnType<typeof readSetup>>

/**
 * Before a migration. A database that is in use keeps its encoding: it works for most names, and
 * must still get new releases.
 * @throws DatabaseUnusable
 */
export async function requireSetup(db: Db) {
  const setup = await readSetup(db)
  refuse((setup.isUsed ? undefined : encodingFault(setup)) ?? pathFault(setup))
}

/** @throws DatabaseUnusable when the tables exist, and cannot be found */
export const requirePath = async (db: Db) => refuse(pathFault(await readSetup(db)))

function refuse(fault: Fault | undefined) {
  if (fault) {
    throw new DatabaseUnusable(`The database cannot be used: ${fault.finding}. ${fault.todo}`)
  }
}
