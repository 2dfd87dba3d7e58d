import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import type { Database } from '../../db/client.ts'
import { openPglite } from '../../db/pglite/engine.ts'
import { openPostgres } from '../../db/postgres/engine.ts'
import { withMigrations } from '../../src/base/migrations.ts'
import { syncRegistry } from '../../src/domain/access/registry.ts'
import { temporaryFolder, testDatabaseUrl } from '../support/app.ts'
import { built } from '../support/root.ts'

/** Migrations by their names, in order. Each has a text, or statements for breakpoints between. */
export type Texts = Record<string, string | string[]>

const breakpoint = '--> statement-breakpoint\n'

/** Writes a folder of migrations, as drizzle-kit does. @param when the time of the first one */
function writeMigrations(folder: string, texts: Texts, when = 1_700_000_000_000) {
  mkdirSync(path.join(folder, 'meta'), { recursive: true })
  const entries = Object.entries(texts).map(([tag, text], idx) => {
    writeFileSync(path.join(folder, `${tag}.sql`), [text].flat().join(breakpoint))
    return { idx, version: '7', when: when + idx, tag, breakpoints: true }
  })
  const journal = { version: '7', dialect: 'postgresql', entries }
  writeFileSync(path.join(folder, 'meta/_journal.json'), JSON.stringify(journal))
  return folder
}

export const migrationsIn = (t: Test, texts: Texts, when?: number) =>
  writeMigrations(path.join(temporaryFolder(t), 'migrations'), texts, when)

/** A folder with an app. @param definition the argument of defineApp, as a source */
export function anApp(t: Test, texts: Texts, definition = '{}') {
  const folder = temporaryFolder(t)
  writeMigrations(path.join(folder, 'migrations'), texts)
  const source = path.join(built, 'src/base/definition.js')
  writeFileSync(
    path.join(folder, 'portal.mjs'),
    `import { defineApp } from '${source}'\nexport default defineApp(${definition})\n`
  )
  return folder
}

/** A first migration as Drizzle writes it. */
export const orders = [
  'CREATE SCHEMA "app";\n',
  'CREATE TABLE "app"."orders" (\n\t"id" uuid PRIMARY KEY NOT NULL,\n\t"user_id" uuid NOT NULL\n);\n',
  'ALTER TABLE "app"."orders" ADD CONSTRAINT "orders_user" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;'
]

/** A database of a test, and what migrations of an app do in it. */
export async function aPlace(t: Test) {
  const url = await testDatabaseUrl(t)
  const portal = await openDatabase(url, { poolMax: 2 })
  t.teardown(() => portal.close())
  const withApp = (folder: string) => withMigrations(portal, folder)
  return {
    url,
    portal,
    withApp,
    migrate: (folder: string) => withApp(folder).migrate(syncRegistry),
    missing: (folder: string) => withApp(folder).missingMigrations(),
    tables: async () => {
      const rows = await portal.db
        .select({ name: sql<string>`relname` })
        .from(sql`pg_class`)
        .where(sql`relnamespace = to_regnamespace('app') and relkind in ('r', 'v')`)
        .orderBy(sql`relname`)
      return rows.map(({ name }) => name)
    }
  }
}

/** The database of a build of the portal that has these migrations. */
export async function portals(t: Test) {
  const url = await testDatabaseUrl(t)
  const engine = url.startsWith('pglite:')
    ? await openPglite(url.slice('pglite:'.length))
    : openPostgres(url, { poolMax: 2 })
  t.teardown(() => engine.close())
  return {
    db: engine.db,
    portalWith: (folder: string): Database => ({
      ...engine,
      migrate: (seed, onWait) => engine.migrate(folder, seed, onWait),
      missingMigrations: async () => []
    })
  }
}

/** The message of an error without the folder; empty for success. */
export const outcomeOf = (work: Promise<unknown>, folder: string) =>
  work.then(
    () => '',
    (error: Error) => `${error.name} ${error.message.replaceAll(`${folder}/`, '')}`
  )
