import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Database } from '../../db/client.ts'
import type { Db, OnWait } from '../../db/engine.ts'
import { isDatabaseUnavailable } from '../../db/errors.ts'
import {
  appJournal,
  createJournal,
  readJournal,
  readMigrations,
  withoutApplied
} from '../../db/migrate.ts'
import { differences, findForbiddenKeys, readOutside } from '../../db/outside.ts'
import { withRetries } from '../../db/schema-changes.ts'
import { AppError } from './load.ts'

type Migration = ReturnType<typeof readOwn>[number]

/** The database with the migrations of an app, which come after those of the portal. */
export function withMigrations(database: Database, folder: string): Database {
  const migrations = readOwn(folder)
  return {
    ...database,
    migrate: (seed, onWait) =>
      database.migrate(async (db) => {
        await seed(db)
        await applyMissing(db, migrations, onWait)
      }, onWait),
    async missingMigrations() {
      const ofPortal = await database.missingMigrations()
      const missing = await withoutApplied(database.db, migrations, appJournal)
      return [...ofPortal, ...missing.map(({ name }) => `app/${name}`)]
    }
  }
}

/** @throws AppError */
function readOwn(folder: string) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  if (files.length === 0) return []
  try {
    const migrations = readMigrations(folder)
    const unlisted = files.find((file) => !migrations.some(({ name }) => `${name}.sql` === file))
    if (unlisted !== undefined) throw new Error(`${unlisted} is not in meta/_journal.json`)
    return migrations.map((each) => ({ ...each, file: path.join(folder, `${each.name}.sql`) }))
  } catch (error) {
    throw new AppError(
      `${folder}: ${(error as Error).message}. Write migrations with: drizzle-kit generate, or ` +
        'for SQL of your own: drizzle-kit generate --custom',
      { cause: error }
    )
  }
}

async function applyMissing(db: Db, migrations: Migration[], onWait: OnWait = () => {}) {
  const missing = await withoutApplied(db, migrations, appJournal)
  if (missing.length === 0) return
  const known = new Set(migrations.map(({ hash }) => hash))
  const others = (await readJournal(db, appJournal)).filter(({ hash }) => !known.has(hash))
  // The time identifies a migration whose text was changed.
  const times = others.map(({ createdAt }) => createdAt)
  const edited = missing.find(({ folderMillis }) => times.includes(folderMillis))
  if (edited) {
    throw new AppError(
      `${edited.file} was changed after it had been applied. Restore its text, and write the ` +
        'change as another migration.'
    )
  }
  await createJournal(db, appJournal)
  for (const migration of missing) await apply(db, migration, onWait)
}

/** Drizzle writes this into the first migration. The schema exists already. */
const creatingSchema = /^create schema (?:if not exists )?"?app"?;?$/i

/** @param doneBefore what happened outside of the schema during the last attempt */
async function apply(db: Db, migration: Migration, onWait: OnWait, doneBefore: string[] = []) {
  const { file, sql: statements, hash, folderMillis: createdAt } = migration
  let at: number | undefined
  let done: string[] = []
  const work = async (tx: Db) => {
    at = undefined
    const before = await readOutside(tx)
    await tx.execute('create schema if not exists app')
    for (const [n, statement] of statements.entries()) {
      at = n
      if (!creatingSchema.test(statement.trim())) await tx.execute(inBlock(statement, hash))
    }
    for (const statement of ending) await tx.execute(statement)
    at = undefined
    done = differences(before, await readOutside(tx))
    const isRepeated = done.some((each) => doneBefore.includes(each))
    if (done.length > 0 && !isRepeated) throw new PerhapsOfOthers()
    refuse(file, done)
    refuse(file, await findForbiddenKeys(tx))
    await tx.insert(appJournal).values({ hash, createdAt })
  }
  try {
    await withRetries(db, work, onWait)
  } catch (error) {
    if (error instanceof PerhapsOfOthers) return apply(db, migration, onWait, done)
    if (at === undefined || isDatabaseUnavailable(error)) throw error
    const failure = failureOf(error, statements, at)
    throw new AppError(`${file}:${failure}. ${nothingKept} Correct it.`, { cause: error })
  }
}

/**
 * Something outside of the schema changed during a migration. Another session may have done it:
 * only what happens in two attempts is an effect of the migration.
 */
class PerhapsOfOthers extends Error {}

/**
 * Run what a migration has put off until the commit, and remove its temporary tables, which hide
 * those of the portal and the catalogs.
 */
const ending = ['set constraints all immediate', 'close all', 'discard temp']

/**
 * A statement that can have several parts on both engines, and cannot end the transaction.
 * @param hash that of its file, which the file cannot contain
 */
const inBlock = (statement: string, hash: string) =>
  `do $b${hash}$ begin execute $s${hash}$${statement}$s${hash}$; end $b${hash}$`

const nothingKept = 'Nothing of this migration was kept.'
/** Things that a message names; the others are counted. */
const shown = 3

/** @throws AppError for what a migration has done and must not do */
function refuse(file: string, done: string[]) {
  if (done.length === 0) return
  const more = done.length > shown ? ` and ${done.length - shown} more` : ''
  throw new AppError(
    `${file} ${done.slice(0, shown).join(', ')}${more}. ${nothingKept} Migrations of an app ` +
      "change only its own schema, which is pgSchema('app'), and refer to users(id) only, with " +
      "onDelete: 'cascade', or 'set null' for a column that can be null."
  )
}

/** The line of the file, and what PostgreSQL says about it. */
function failureOf(error: unknown, statements: string[], at: number) {
  let cause = error as Error & { internal_position?: string; internalPosition?: string }
  while (cause.cause instanceof Error) cause = cause.cause
  const statement = statements[at] ?? ''
  const position = cause.internal_position ?? cause.internalPosition
  const start = position === undefined ? statement.search(/\S/) : Number(position) - 1
  const before = [...statements.slice(0, at), statement.slice(0, start)].join('')
  // The author has written no function: see inBlock.
  const message = cause.message.replace('be executed from a function', 'run in a transaction')
  return `${before.split('\n').length}: ${message}`
}
