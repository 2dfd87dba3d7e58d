import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { momentColumns, userEpochs } from '../../../db/epochs.ts'
import type { Assurance } from '../../../db/schema/sessions.ts'
import { batched } from '../freshness/fresh-cache.ts'
import { userTags } from '../freshness/user-epochs.ts'
import type { RightsKept } from '../keys/rights.ts'
import { setBounded } from '../lru.ts'
import { scopedRightsOf } from '../users/users.ts'
import type { ScopedRights } from '../users/users.ts'

/** Scopes that are kept for each principal, the least recently used of which go. */
const keptScopes = 50

/** A principal, or the caller of a key, that was current after the request arrived. */
interface Holder {
  userId: string
  assurance: Assurance
  kept: RightsKept
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
    .orderBy(sql`wanted.at`)
    .prepare('scoped_rights')

  const read = batched<Holder & { scope: string }, ScopedRights>(async (questions) => {
    const rows = await statement.execute({
      users: questions.map(({ userId }) => userId).join(),
      scopes: questions.map(({ scope }) => scope).join(),
      assurances: questions.map(({ assurance }) => assurance).join()
    })
    return questions.map(({ userId, scope, kept }, i) => {
      const row = rows[i]
      if (!row) throw new Error('rights in a scope are missing')
      const tags = userTags(userId, row.epochs)
      if (tags.number === kept.tags.number && tags.roles === kept.tags.roles) {
        setBounded((kept.scopes ??= new Map()), scope, row.rights, keptScopes)
      }
      return row.rights
    })
  })

  /** Returns the rights in a scope, which must be well-formed. */
  return async (holder: Holder, scope: string) => {
    const { scopes } = holder.kept
    const rights = scopes?.get(scope)
    if (!scopes || !rights) return read({ ...holder, scope })
    setBounded(scopes, scope, rights, keptScopes)
    return rights
  }
}
