import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { actions } from '../../../db/schema/actions.ts'
import type { Action, targetTypes } from '../../../db/schema/actions.ts'
import { recordedFields } from '../../../db/schema/activity-details.ts'
import type { ActivityDetails } from '../../../db/schema/activity-details.ts'
import { activity } from '../../../db/schema/activity.ts'
import type { ActivityRow } from '../../../db/schema/activity.ts'
import { transaction } from '../../../db/transaction.ts'
import type { Actor, Author } from '../actor.ts'
import { commitInTime } from '../time-left.ts'

export interface RecordFields<A extends Action> {
  outcome?: ActivityRow['outcome']
  reason?: string
  target?: { type: (typeof targetTypes)[number]; id: string }
  /** Id of the target if it is a user. */
  userId?: string | null | undefined
  details?: { [K in (typeof actions)[A]['details'][number]]?: ActivityDetails[K] | undefined }
}

/** Actions that anybody may cause. Each other action is a change with an author. */
type ByAnybody =
  | `auth.${string}`
  | `${'access' | 'request'}.${string}`
  | 'throttle.limited'
  | 'key.rejected'
type ActorOf<A extends Action> = [A] extends [ByAnybody] ? Actor : Author

/** Stores one record. Call it in the transaction of the recorded change. */
export const record = <A extends Action>(
  tx: Db,
  actor: ActorOf<A>,
  action: A,
  fields: RecordFields<A> = {}
) => recordAll(tx, actor, action, [fields])

/** Stores the record of an attempt that failed, and therefore changes nothing else. */
export const recordFailure = <A extends Action>(
  db: Db,
  actor: ActorOf<A>,
  action: A,
  fields: RecordFields<A>
) => transaction(db, (tx) => record(tx, actor, action, { outcome: 'failure', ...fields }))

/** Stores several records in one statement. What they record is committed in time, or never. */
export async function recordAll<A extends Action>(
  tx: Db,
  actor: ActorOf<A>,
  action: A,
  entries: RecordFields<A>[]
) {
  if (entries.some(({ outcome }) => outcome !== 'failure')) commitInTime(tx, actor)
  await tx.insert(activity).values(
    entries.map(({ outcome = 'success', reason, userId, target, details }) => ({
      id: uuid(),
      action,
      outcome,
      reason,
      actorType: actor.type,
      actorId: actor.id,
      actorLabel: actor.label,
      targetType: userId ? 'user' : target?.type,
      targetId: userId ?? target?.id,
      ip: actor.ip,
      userAgent: actor.userAgent,
      requestId: actor.requestId,
      sessionId: actor.sessionId,
      source: actor.source,
      details: Object.fromEntries(
        Object.entries(details ?? {}).filter(([key]) => isAllowed(action, key))
      )
    }))
  )
}

/** Repeats at run time the rule of the types, for values that the compiler did not check. */
const isAllowed = (action: Action, key: string) =>
  actions[action].details.some((allowed) => allowed === key)

type Recorded = (typeof recordedFields)[number]
type Row = { [F in Recorded]?: string | boolean | undefined }

/** For a record: the changed fields, and what those of `recordedFields` changed from and to. */
export function describeChanges<Field extends string>(
  fields: readonly Field[],
  before: Row,
  after: Row
): Pick<ActivityDetails, 'fields'> & Partial<Pick<ActivityDetails, 'changes'>> {
  const changes: ActivityDetails['changes'] = {}
  for (const field of recordedFields) {
    const [from, to] = [before[field], after[field]]
    const isChanged = fields.some((each) => each === field)
    if (isChanged && from !== undefined && to !== undefined) changes[field] = { from, to }
  }
  return { fields: [...fields], ...(Object.keys(changes).length > 0 && { changes }) }
}
