import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from '../support/app.ts'
import { root } from '../support/root.ts'

export const migrations = path.join(root, 'db/migrations')

interface Entry {
  idx: number
  when: number
  tag: string
}
const journalIn = (folder: string) => path.join(folder, 'meta/_journal.json')
const read = (folder: string) =>
  JSON.parse(readFileSync(journalIn(folder), 'utf8')) as { entries: Entry[] }

/** The names of all migrations, in order. */
export const tags = () => read(migrations).entries.map(({ tag }) => tag)

/** A copy of the migrations with more after them, each of some statements. */
export function migrationsAnd(t: Pick<Test, 'teardown'>, ...added: string[][]) {
  const folder = path.join(temporaryFolder(t), 'migrations')
  cpSync(migrations, folder, { recursive: true })
  const journal = read(folder)
  for (const statements of added) {
    const idx = journal.entries.length
    const tag = `added_${idx}`
    const when = (journal.entries.at(-1)?.when ?? 0) + 1
    journal.entries.push({ ...journal.entries[0], idx, when, tag })
    writeFileSync(path.join(folder, `${tag}.sql`), statements.join('--> statement-breakpoint\n'))
  }
  writeFileSync(journalIn(folder), JSON.stringify(journal))
  return folder
}

/**
 * Made-up migrations, in the steps in which a version after this one would change tables that are
 * in use.
 */
export const nextMigrations = [
  [
    'CREATE TABLE "notes" ("id" uuid PRIMARY KEY NOT NULL, "user_id" uuid NOT NULL, "text" text NOT NULL);',
    'ALTER TABLE "notes" ADD CONSTRAINT "notes_user" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE cascade;',
    'CREATE INDEX "notes_user_id" ON "notes" USING btree ("user_id");',
    'ALTER TABLE "users" ADD COLUMN "nickname" text;',
    `ALTER TABLE "sessions" ADD COLUMN "platform" text DEFAULT 'web' NOT NULL;`,
    `ALTER TABLE "sessions" ADD CONSTRAINT "sessions_platform" CHECK ("platform" in ('web', 'app')) NOT VALID;`,
    'ALTER TABLE "tokens" DROP CONSTRAINT "tokens_owner";',
    'ALTER TABLE "tokens" ADD CONSTRAINT "tokens_owner" CHECK (num_nonnulls("user_id", "registration_id") >= 1) NOT VALID;',
    'ALTER TABLE "activity" SET (fillfactor = 95);'
  ],
  [
    'ALTER TABLE "sessions" VALIDATE CONSTRAINT "sessions_platform";',
    'ALTER TABLE "tokens" VALIDATE CONSTRAINT "tokens_owner";'
  ],
  [
    'CREATE INDEX CONCURRENTLY "users_nickname" ON "users" USING gin ("nickname" gin_trgm_ops);',
    'CREATE INDEX CONCURRENTLY "sessions_platform_created" ON "sessions" USING btree ("platform","created_at","id");',
    'CREATE INDEX CONCURRENTLY "throttle_fails" ON "throttle" USING btree ("fails");',
    'CREATE INDEX CONCURRENTLY "activity_reason" ON "activity" USING btree ("reason","at","id") WHERE "reason" is not null;'
  ],
  ['DROP INDEX CONCURRENTLY "sessions_platform_created";']
]
