import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { userSettings } from '../../../db/schema/users.ts'
import type { SettingsDocument, SettingsPart } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { CommandLine } from '../actor.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { requireSettings } from './settings.ts'
import type { Rejected, Settings, SettingsContext } from './settings.ts'

interface Stored {
  userId: string
  part: SettingsPart
  document: SettingsDocument
}

const batchSize = 1000

/** All documents in the order of their key, in batches: a long transaction delays the vacuum. */
async function* storedDocuments(db: Db): AsyncGenerator<Stored> {
  const { userId, part, document } = userSettings
  let last: Stored | undefined
  for (;;) {
    // Compared as a row: with `or`, each batch would read all rows before it again.
    const after = last && sql`(${userId}, ${part}) > (${last.userId}::uuid, ${last.part}::text)`
    const rows = await db
      .select({ userId, part, document })
      .from(userSettings)
      .where(after)
      .orderBy(asc(userId), asc(part))
      .limit(batchSize)
    yield* rows
    if (rows.length < batchSize) return
    last = rows.at(-1)
  }
}

/** In how many documents a schema rejects a value, by part, pointer and code. */
export async function countRejected(db: Db, settings: Settings) {
  const found = new Map<string, { part: SettingsPart; documents: number } & Rejected>()
  for await (const { part, document } of storedDocuments(db)) {
    const rejected = settings[part].read(document).rejected.map(asOne)
    const once = new Map(rejected.map((each) => [`${part} ${each.pointer} ${each.code}`, each]))
    for (const [key, each] of once) {
      const counted = found.get(key) ?? { part, ...each, documents: 0 }
      counted.documents += 1
      found.set(key, counted)
    }
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, counted]) => counted)
}

/** Elements of a list count as one. */
const asOne = ({ pointer, code }: Rejected): Rejected => ({
  pointer: pointer.replace(/\/\d+(?=\/|$)/g, '/*'),
  code
})

/** Removes properties that the schema rejects, and returns their number. */
export async function pruneSettings(context: SettingsContext, actor: CommandLine) {
  const { db } = context
  const settings = requireSettings(context.settings)
  let count = 0
  try {
    for await (const { userId, part, document } of storedDocuments(db)) {
      if (settings[part].read(document).rejectedNames.size === 0) continue
      count += await transaction(db, (tx) => pruneDocument(tx, settings, { userId, part }))
    }
  } finally {
    if (count > 0) {
      await transaction(db, (tx) => record(tx, actor, 'settings.prune', { details: { count } }))
    }
  }
  return count
}

async function pruneDocument(
  tx: Db,
  settings: Settings,
  { userId, part }: Pick<Stored, 'userId' | 'part'>
) {
  const isOne = and(eq(userSettings.userId, userId), eq(userSettings.part, part))
  const { document, version } = userSettings
  const [row] = await tx.select({ document }).from(userSettings).where(isOne).for('update')
  const rejected = row ? settings[part].read(row.document).rejectedNames : new Set()
  if (!row || rejected.size === 0) return 0
  const kept = Object.entries(row.document).filter(([name]) => !rejected.has(name))
  await tx
    .update(userSettings)
    .set({
      document: Object.fromEntries(kept),
      version: sql`${version} + 1`,
      updatedAt: sql`now()`
    })
    .where(isOne)
  if (part === 'app') await bumpUsers(tx, userId)
  return rejected.size
}

/** The number of documents that are not empty. */
export const countDocuments = (db: Db) => db.$count(userSettings, sql`${userSettings.version} > 0`)
