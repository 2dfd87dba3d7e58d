import { isDeepStrictEqual } from 'node:util'
import { and, desc, eq, inArray, lte, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/engine.ts'
import { flagRevisions } from '../../../db/schema/flags.ts'
import type {
  deletedSorts,
  revisionChanges,
  revisionKinds,
  revisionSorts
} from '../../../db/schema/flags.ts'
import { isPermitted } from '../access/authorize.ts'
import type { Actor, AuthorizedActor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { page } from '../keyset.ts'
import type { Page, Window } from '../keyset.ts'

export interface Subject {
  kind: (typeof revisionKinds)[number]
  key: string
}

/** Everything that a change can change, as the table has it. */
type Definition = object

const isOf = ({ kind, key }: Subject) =>
  and(eq(flagRevisions.kind, kind), eq(flagRevisions.key, key))

const selectNewest = (tx: Db, subject: Subject) =>
  tx.select().from(flagRevisions).where(isOf(subject)).orderBy(desc(flagRevisions.version))

/** The newest revision, also that of a deletion. */
export async function findNewest(tx: Db, subject: Subject) {
  const [newest] = await selectNewest(tx, subject).limit(1)
  return newest
}

/** Throws `revision-not-found`, and `revision-not-restorable` for a deletion. */
export async function findDefinition(tx: Db, subject: Subject, version: number) {
  const [found] = await tx
    .select({ definition: flagRevisions.definition })
    .from(flagRevisions)
    .where(and(isOf(subject), eq(flagRevisions.version, version)))
  if (!found) throw new DomainError('revision-not-found')
  if (!found.definition) {
    throw new DomainError('revision-not-restorable', {
      detail: 'This version is a deletion. Choose a version before it.'
    })
  }
  return found.definition
}

interface State {
  key: string
  version: number
  definition: Definition
}

/**
 * The versions of changes that are about to be made to locked rows, by key. A state without a
 * revision is stored first, because version 0.1 kept no history: that of a flag that it created, or
 * of a change that it made during the upgrade.
 */
export async function nextVersions(
  tx: Db,
  kind: Subject['kind'],
  all: State[]
): Promise<ReadonlyMap<string, number>> {
  const newest = await findAllNewest(tx, kind, all)
  const unknown: Inserted[] = []
  const versions = new Map<string, number>()
  for (const { key, version, definition } of all) {
    const last = newest.get(key)
    const next = Math.max((last?.version ?? 0) + 1, version)
    if (isDeepStrictEqual(last?.definition, definition)) {
      versions.set(key, Math.max(next, version + 1))
      continue
    }
    const fields = changedFields(last?.definition, definition)
    unknown.push({ kind, key, version: next, change: 'found', fields, definition })
    versions.set(key, next + 1)
  }
  if (unknown.length > 0) await insert(tx, unknown)
  return versions
}

/** The newest revisions by key, also those of deletions: the history of a deleted key goes on. */
export async function findAllNewest(tx: Db, kind: Subject['kind'], all: { key: string }[]) {
  const { key, version, definition } = flagRevisions
  const keys = all.map((each) => each.key)
  const found = await tx
    .selectDistinctOn([key], { key, version, definition })
    .from(flagRevisions)
    .where(and(eq(flagRevisions.kind, kind), inArray(key, keys)))
    .orderBy(key, desc(version))
  return new Map(found.map((each) => [each.key, each]))
}

/** Names of the fields that differ; none if there is nothing to compare with. */
export const changedFields = (before: Definition | null | undefined, after: Definition) =>
  before
    ? Object.entries(after).flatMap(([name, value]) =>
        isDeepStrictEqual(value, (before as Record<string, unknown>)[name]) ? [] : [name]
      )
    : []

export type Change = (typeof revisionChanges)[number]
interface Revision extends Subject {
  version: number
  change: Exclude<Change, 'found'>
  fields: string[]
  /** Null for a deletion. */
  definition: Definition | null
}

/** The newest revisions of a key, which are kept whatever their age. More are kept for a while. */
export const keptRevisions = { always: 100, atMost: 1000 } as const

type Inserted = Omit<typeof flagRevisions.$inferInsert, 'definition'> & Pick<Revision, 'definition'>

const authorOf = ({ type: actorType, id: actorId, label: actorLabel }: AuthorizedActor) => ({
  ...{ actorType, actorId, actorLabel }
})

/** Stores new states. Call it in the transaction of the change. */
export async function addRevisions(tx: Db, by: AuthorizedActor, all: Revision[]) {
  await insert(
    tx,
    all.map((each) => ({ ...each, ...authorOf(by) }))
  )
  for (const each of all) if (each.version > keptRevisions.atMost) await deleteOldest(tx, each)
}

async function deleteOldest(tx: Db, subject: Subject) {
  const [oldest] = await selectNewest(tx, subject).offset(keptRevisions.atMost).limit(1)
  if (!oldest) return
  const isOld = lte(flagRevisions.version, oldest.version)
  await tx.delete(flagRevisions).where(and(isOf(subject), isOld))
}

async function insert(tx: Db, revisions: Inserted[]) {
  // At a strict isolation level this fails in a way that is tried again, unlike a duplicate key.
  const inserted = await tx
    .insert(flagRevisions)
    .values(
      revisions.map(({ definition, ...revision }) => ({
        ...revision,
        definition: definition as Record<string, unknown> | null
      }))
    )
    .onConflictDoNothing()
    .returning({ version: flagRevisions.version })
  if (inserted.length < revisions.length) throw new Error('the version of a revision is in use')
}

const { version, change, fields, at, actorType, actorId, actorLabel, definition } = flagRevisions
const actor = { actorType, actorId, actorLabel }
const list = {
  table: flagRevisions,
  columns: { version, change, fields, at, ...actor, definition },
  orders: { version: [version] }
}

/** Actors without `activity:read` do not learn who made a change. */
export async function listRevisions(
  db: Db,
  reader: Actor,
  { kind, key, ...window }: Subject & Window<(typeof revisionSorts)[number]>
) {
  return shownTo(db, reader, await page(db, list, window, isOf({ kind, key })))
}

const deletions = {
  table: flagRevisions,
  columns: { kind: flagRevisions.kind, key: flagRevisions.key, version, deletedAt: at, ...actor },
  orders: { key: [flagRevisions.key, flagRevisions.kind, version] }
}
const newer = alias(flagRevisions, 'newer')
/** A literal, like the condition of the index. */
export const isDeletion = sql`${change} = 'delete'`
/** Not created again since. */
export const isLast = sql`not exists (select from ${flagRevisions} as newer
  where ${newer.kind} = ${flagRevisions.kind} and ${newer.key} = ${flagRevisions.key}
    and ${newer.version} > ${version})`

/** Keys that were deleted and do not exist, with their last version. */
export async function listDeleted(
  db: Db,
  reader: Actor,
  window: Window<(typeof deletedSorts)[number]>
) {
  return shownTo(db, reader, await page(db, deletions, window, and(isDeletion, isLast)))
}

async function shownTo<T extends { actorId: string | null; actorLabel: string | null }>(
  db: Db,
  reader: Actor,
  { items, next }: Page<T>
): Promise<Page<T>> {
  if (await isPermitted(db, reader, 'activity:read')) return { items, next }
  return { items: items.map((item) => ({ ...item, actorId: null, actorLabel: null })), next }
}
