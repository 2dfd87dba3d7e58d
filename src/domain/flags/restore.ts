import type { Db } from '../../../db/engine.ts'
import { flagsScope } from '../../../db/schema/epochs.ts'
import { authorized, requirePermission } from '../access/authorize.ts'
import type { Actor } from '../actor.ts'
import { DomainError, requireRevision } from '../errors.ts'
import { bump } from '../freshness/epochs.ts'
import type { Window } from '../keyset.ts'
import { flagKind, withDefaults } from './flags.ts'
import type { NewFlag } from './flags.ts'
import type { Missing } from './references.ts'
import { findDefinition, findNewest, listRevisions } from './revisions.ts'
import { segmentKind } from './segments.ts'
import { insertAll, lockRows, rewriteAll } from './writing.ts'
import type { Kind, Target } from './writing.ts'

type History = { key: string } & Window<'version'>

/** The history of a flag or a segment, also of a deleted one. Throws if the key never existed. */
async function listHistory<D extends object>(
  kind: Kind<D>,
  db: Db,
  reader: Actor,
  { key, ...window }: History
) {
  const { items, next } = await listRevisions(db, reader, { kind: kind.name, key, ...window })
  // A flag that version 0.1 created has no history until its first change.
  if (items.length === 0 && !window.after) await kind.find(db, key)
  return {
    items: items.map((each) => ({ ...each, definition: each.definition as D | null })),
    next
  }
}

export async function listFlagRevisions(db: Db, reader: Actor, wanted: History) {
  const { items, next } = await listHistory(flagKind, db, reader, wanted)
  const complete = (flag: Omit<NewFlag, 'key'>) => withDefaults({ ...flag, key: wanted.key })
  return {
    items: items.map(({ definition, ...each }) => ({
      ...{ ...each, definition: definition && complete(definition) }
    })),
    next
  }
}

export const listSegmentRevisions = async (db: Db, reader: Actor, wanted: History) =>
  listHistory(segmentKind, db, reader, wanted)

/**
 * Writes a new version with the definition of an earlier one. A deleted key is created again, which
 * requires `flags:create` as well; its revision is that of the deletion. Throws
 * `revision-not-found`, `precondition-failed` and `revision-not-restorable`.
 */
const restore =
  <D extends object, Found>(kind: Kind<D, Found>) =>
  async (db: Db, actor: Actor, { key, version, expected }: Target & { version: number }) =>
    authorized(db, actor, 'flags:update', lockRows(kind, [key]), async (tx, by, [before]) => {
      const subject = { kind: kind.name, key }
      const current = before ?? (await findNewest(tx, subject))
      if (!current) throw kind.notFound()
      requireRevision(String(current.version), expected)
      const wanted = { key, ...((await findDefinition(tx, subject, version)) as D) }
      if (before) kind.requireRestorable?.(wanted, before)
      const after = await restorable(
        () => kind.clean(tx, wanted, before),
        () => kind.findMissing(tx, wanted, before)
      )
      const creator = {
        ...by,
        async recheck() {
          await by.recheck()
          await requirePermission(tx, actor, 'flags:create')
        }
      }
      let isChanged = true
      if (before) isChanged = await rewriteAll(kind, tx, by, [{ before, after }], 'restore')
      else await insertAll(kind, tx, creator, [after], 'restore')
      if (isChanged) await bump(tx, flagsScope)
      if (!before) await kind.requireFew?.(tx)
      return kind.find(tx, key)
    })

export const restoreFlag = restore(flagKind)
export const restoreSegment = restore(segmentKind)

/** Checks a definition that was valid when it was written. Throws `revision-not-restorable`. */
async function restorable<T>(clean: () => Promise<T>, findMissing: () => Promise<Missing[]>) {
  try {
    return await clean()
  } catch (error) {
    if (!(error instanceof DomainError && error.errors)) throw error
    throw new DomainError('revision-not-restorable', { detail: detailOf(await findMissing()) })
  }
}

function detailOf(missing: Missing[]) {
  const names = [...new Set(missing.map(({ what, key }) => `the ${what} ${key}`))]
  if (names.length === 0) return 'This version does not meet the rules of today.'
  const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
  return `This version names ${names.slice(0, 3).join(', ')}${more}, which no longer exist.`
}
