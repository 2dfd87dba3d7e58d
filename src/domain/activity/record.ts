import { sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { actions, targetTypes } from '../../../db/schema/actions.ts'
import type { Action } from '../../../db/schema/actions.ts'
import { recordedFields } from '../../../db/schema/activity-details.ts'
import type { ActivityDetails } from '../../../db/schema/activity-details.ts'
import { activity } from '../../../db/schema/activity.ts'
import type { ActivityRow } from '../../../db/schema/activity.ts'
import { deliveries, webhookEndpoints } from '../../../db/schema/webhooks.ts'
import { ofDays } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import type { Actor, Author } from '../actor.ts'
import { commitInTime } from '../time-left.ts'
import { isOwnDetail, ownActions, ownTargets } from '../vocabulary.ts'
import type { OwnAction, OwnDetails, OwnTarget } from '../vocabulary.ts'

type AnyAction = Action | OwnAction

export interface RecordFields<A extends AnyAction> {
  outcome?: ActivityRow['outcome']
  reason?: string
  target?: { type: (typeof targetTypes)[number] | OwnTarget; id: string }
  /** Id of the target if it is a user. */
  userId?: string | null | undefined
  details?: [A] extends [Action]
    ? { [K in (typeof actions)[A]['details'][number]]?: ActivityDetails[K] | undefined }
    : OwnDetails<A & OwnAction>
}

/** Actions that anybody may cause. Each other action is a change with an author. */
type ByAnybody =
  | `auth.${string}`
  | `${'access' | 'request'}.${string}`
  | 'throttle.limited'
  | 'key.rejected'
type ActorOf<A extends AnyAction> = [A] extends [ByAnybody | OwnAction] ? Actor : Author

/** Stores one record. Call it in the transaction of the recorded change. */
export const record = <A extends AnyAction>(
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

/**
 * Stores several records in one statement, and their deliveries in another one if an endpoint hears
 * them. What they record is committed in time, or never.
 */
export async function recordAll<A extends AnyAction>(
  tx: Db,
  actor: ActorOf<A>,
  action: A,
  entries: RecordFields<A>[]
) {
  if (!Object.hasOwn(actions, action) && !ownActions.has(action)) {
    throw new Error(`There is no action ${action}. Declare it in defineApp: actions`)
  }
  if (entries.some(({ outcome }) => outcome !== 'failure')) commitInTime(tx, actor)
  const rows = entries.map(({ outcome = 'success', reason, userId, target, details }) => ({
    id: uuid(),
    action,
    outcome,
    reason,
    actorType: actor.type,
    actorId: actor.id,
    actorLabel: actor.label,
    targetType: userId ? 'user' : knownTarget(target?.type),
    targetId: userId ?? target?.id,
    ip: actor.ip,
    userAgent: actor.userAgent,
    requestId: actor.requestId,
    sessionId: actor.sessionId,
    source: actor.source,
    details: {
      ...Object.fromEntries(
        Object.entries(details ?? {}).filter(([key, value]) => isAllowed(action, key, value))
      ),
      ...(actor.keyId !== undefined && { actorKey: actor.keyId })
    }
  }))
  const insert = tx.insert(activity).values(rows).getSQL()
  // Few portals have an endpoint: an empty result costs less than a returned row.
  const heard = await tx.execute(sql`with recorded as (${insert}) ${listening(action)} limit 1`)
  if (countOf(heard) > 0) await enqueue(tx, action, rows)
}

/** The endpoints that hear an action: `a.b` is in the patterns `*`, `a.*` and `a.b`. */
function listening(action: string) {
  const parts = action.split('.')
  const groups = parts.slice(1).map((_, i) => `${parts.slice(0, i + 1).join('.')}.*`)
  const patterns = `{${['*', ...groups, action].join()}}`
  return sql`select id from ${webhookEndpoints} where events ?| ${patterns}::text[]`
}

/** One driver returns rows, the other an object with them. */
const countOf = (found: unknown) =>
  Array.isArray(found) ? found.length : (found as { rows: unknown[] }).rows.length

/** Days after which a delivery is given up: more than its attempts take. */
const deliveryDays = 4

/** The time of a record is that of its transaction. An endpoint that is being deleted gets none. */
async function enqueue(tx: Db, action: string, rows: readonly { id: string }[]) {
  const ids = `{${rows.map(({ id }) => id).join()}}`
  await tx.execute(sql`insert into ${deliveries} (endpoint_id, event_id, event_at, expires_at)
    select endpoint.id, event_id, now(), now() + ${ofDays(deliveryDays)}
    from (${listening(action)} for key share) as endpoint, unnest(${ids}::uuid[]) as event_id`)
}

// These repeat at run time the rules of the types, for values that the compiler did not check.

function isAllowed(action: AnyAction, key: string, value: unknown) {
  const own = ownActions.get(action)
  if (own) return isOwnDetail(action, own, key, value)
  return actions[action as Action].details.some((allowed) => allowed === key)
}

function knownTarget(type: string | undefined) {
  if (type === undefined || targetTypes.some((each) => each === type) || ownTargets.has(type)) {
    return type as ActivityRow['targetType'] | undefined
  }
  throw new Error(`There is no target ${type}. Declare it in defineApp: targets`)
}

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
