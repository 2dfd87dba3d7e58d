import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { momentColumns, userEpochs } from '../../../db/epochs.ts'
import type { Assurance } from '../../../db/schema/sessions.ts'
import { coalesce, outcomeOf } from '../freshness/fresh-cache.ts'
import { userTags } from '../freshness/user-epochs.ts'
import type { RightsKept } from '../keys/rights.ts'
import { setBounded } from '../lru.ts'
import { scopedRightsOf } from '../users/users.ts'
import type { ScopedRights } from '../users/users.ts'

/** Scopes that are kept for each principal, the least recently used of which go. */
const keptScopes = 50
/** Questions per statement, as with sessions. */
const batchSize = 200

/** A principal, or the caller of a key, that was current after the request arrived. */
interface Holder {
  userId: string
  assurance: Assurance
  kept: RightsKept
}

interface Question extends Holder {
  scope: string
  done: (error: unknown, rights?: ScopedRights) => void
}

/** What a caller may do in a scope, besides what they may do everywhere. */
export interface RightsHere extends ScopedRights {
  /** Whether the user has a role in it, even one that does not count now. */
  isMember: boolean
}

export const noRightsHere: RightsHere = {
  ...{ roles: [], suspendedRoles: [], permissions: [] },
  isMember: false
}

/**
 * Reads what users may do in scopes, and keeps it with their principals. Nothing is read for those
 * who name no scope.
 *
 * Why no result is ever stale, in the words of `createFreshCache`:
 * (1) A change of roles in a scope, or of their permissions, commits together with new epochs of
 * all users whom it affects, and rights are read with these epochs by one statement.
 * (2) Rights are kept with a principal only if the epochs read with them equal its tags. No epoch
 * occurs twice, so the rights belong to each state in which the principal is current.
 * (3) A request compares the tags of its principal with a state after it arrived. If they are
 * equal, whatever is kept with the principal is current as well.
 * (4) Rights with other epochs are not kept, and only used by requests that arrived before the
 * statement began.
 */
export function createScopedRights(db: Db) {
  const statement = db
    .select({
      at: sql<number>`wanted.at::int`,
      inRecovery: momentColumns.inRecovery, // the connection rejects true
      epochs: userEpochs(sql`wanted.user_id`),
      rights: scopedRightsOf(sql`wanted.user_id`, sql`wanted.scope`, sql`wanted.assurance`)
    })
    .from(
      sql`unnest(
        string_to_array(${sql.placeholder('users')}::text, ',')::uuid[],
        string_to_array(${sql.placeholder('scopes')}::text, ','),
        string_to_array(${sql.placeholder('assurances')}::text, ',')::int[]
      ) with ordinality as wanted(user_id, scope, assurance, at)`
    )
    .prepare('scoped_rights')

  const readBatch = async (batch: Question[]) => {
    const rows = await statement.execute({
      users: batch.map(({ userId }) => userId).join(),
      scopes: batch.map(({ scope }) => scope).join(),
      assurances: batch.map(({ assurance }) => assurance).join()
    })
    if (rows.length !== batch.length) throw new Error('a question about a scope has no answer')
    return rows.flatMap(({ at, epochs, rights }) => {
      const question = batch[at - 1]
      return question ? { question, rights, tags: userTags(question.userId, epochs) } : []
    })
  }
  const read = coalesce<Question>(async (questions) => {
    for (let start = 0; start < questions.length; start += batchSize) {
      const batch = questions.slice(start, start + batchSize)
      const [error, answers] = await outcomeOf(readBatch(batch))
      if (!answers) for (const { done } of batch) done(error)
      for (const { question, rights, tags } of answers ?? []) {
        const { kept, scope, done } = question
        if (tags.number === kept.tags.number && tags.roles === kept.tags.roles) {
          setBounded((kept.scopes ??= new Map()), scope, rights, keptScopes)
        }
        done(undefined, rights)
      }
    }
  })

  /** Returns the rights in a scope, which must be well-formed. */
  return ({ userId, assurance, kept }: Holder, scope: string) => {
    const rights = kept.scopes?.get(scope)
    if (kept.scopes && rights) {
      setBounded(kept.scopes, scope, rights, keptScopes)
      return rights
    }
    return new Promise<ScopedRights>((resolve, reject) => {
      const done: Question['done'] = (error, found) => {
        if (found) resolve(found)
        else reject(error instanceof Error ? error : new Error('rights in a scope were not read'))
      }
      read({ userId, assurance, kept, scope, done })
    })
  }
}
