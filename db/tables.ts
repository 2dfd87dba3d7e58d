import path from 'node:path'
import { is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { exportsIn } from './folder.ts'

/** Every table of the portal: those that the files of db/schema export. */
export const tables = (await exportsIn(path.join(import.meta.dirname, 'schema'))).filter(
  (each): each is PgTable => is(each, PgTable)
)
