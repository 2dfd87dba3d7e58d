import type { Db } from '../../../db/engine.ts'
import { flagsScope } from '../../../db/schema/epochs.ts'
import { changeAs, requirePermission } from '../access/rights.ts'
import { record } from '../activity/record.ts'
import type { Actor, Permitted } from '../actor.ts'
import { flagExists, flagNotFound, revisionNotRestorable } from '../errors.ts'
import { bump } from '../freshness/epochs.ts'
import type { Window } from '../keyset.ts'
import { requireRevision } from '../revisions.ts'
import type { Expected } from '../revisions.ts'
import { findFlag, lockFlag, withDefaults, withRevision } from './flags.ts'
import type { NewFlag } from './flags.ts'
import { restorable } from './restorable.ts'
import { findDefinition, findNewest, listRevisions } from './revisions.ts'
import { findUnknown } from './missing.ts'
import { beginHistory, cleanFlag, insertFlag, rewriteFlag } from './writing.ts'
import type { NewFlagRow } from './writing.ts'

/** The history of a flag, also of a deleted one. Throws `flag-not-found`. */
export async function listFlagRevisions(
  db: Db,
  reader: Actor,
  { key, ...window }: { key: string } & Window<'version'>
) {
  const { items, next } = await listRevisions(db, reader, { kind: 'flag', key, ...window })
  // A flag from before 0.2 has no history until its first change.
  if (items.length === 0 && !window.after) await findFlag(db, key)
  return {
    items: items.map(({ definition, ...revision }) => ({
      ...revision,
      definition: definition && complete(key, definition)
    })),
    next
  }
}

/** A stored definition with the defaults of fields that did not exist then. */
function complete(key: string, definition: object): NewFlagRow {
  return withDefaults({ ...(definition as Omit<NewFlag, 'key'>), key })
}

/**
 * Writes a new version with the definition of an earlier one. A deleted flag is created again,
 * which requires `flags:create` as well; its revision is that of the deletion. Throws
 * `flag-not-found`, `revision-not-found`, `precondition-failed` and `revision-not-restorable`.
 */
export async function restoreFlag(
  db: Db,
  actor: Actor,
  { key, version, expected }: { key: string; version: number; expected?: Expected }
) {
  return changeAs(db, actor, 'flags:update', lockFlag(key), async (tx, by, [before]) => {
    const subject = { kind: 'flag' as const, key }
    const newest = await findNewest(tx, subject)
    const current = before?.version ?? newest?.version
    if (current === undefined) throw flagNotFound()
    requireRevision(String(current), expected)
    const wanted = complete(key, await findDefinition(tx, subject, version))
    if (before && before.type !== wanted.type) {
      throw revisionNotRestorable(
        `This version has the type ${wanted.type}, and the flag has the type ${before.type}. ` +
          'Delete the flag first.'
      )
    }
    const after = await restorable(
      () => cleanFlag(tx, wanted, before),
      () => findUnknown(tx, wanted.rules, before?.rules)
    )
    const { flag, fields } = before
      ? await rewriteFlag(tx, by, before, after, 'restore')
      : await createAgain(tx, by, actor, after)
    if (fields?.length === 0) return withRevision(flag)
    const target = { type: 'flag' as const, id: key }
    const details = { key, fields, version: flag.version }
    await record(tx, by, 'flag.restore', { target, details })
    await bump(tx, flagsScope)
    return withRevision(flag)
  })
}

async function createAgain(tx: Db, by: Permitted, actor: Actor, flag: NewFlagRow) {
  const made = await insertFlag(tx, flag)
  await by.judgeAgain() // the insertion may have waited
  await requirePermission(tx, actor, 'flags:create')
  if (!made) throw flagExists()
  return { flag: await beginHistory(tx, by, made, 'restore'), fields: undefined }
}
