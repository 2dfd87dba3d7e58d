import type { Db } from '../../../db/engine.ts'
import type { Actor } from '../actor.ts'
import type { RefusalDetails } from '../errors.ts'
import { networksOf } from '../networks.ts'
import { recordFailure } from './record.ts'
import type { RecordFields } from './record.ts'

type Action =
  | 'key.rejected'
  | 'access.denied'
  | 'auth.token-rejected'
  | 'request.cross-site'
  | 'throttle.limited'
  | typeof hourly
/** Floods come from many networks: its records have a count of all callers in an hour. */
const hourly = 'auth.register-refused'
const hour = 3_600_000
const actions: Record<string, Action> = {
  'permission-denied': 'access.denied',
  'exceeds-own-permissions': 'access.denied',
  'key-network': 'access.denied',
  'key-revoked': 'key.rejected',
  'key-expired': 'key.rejected',
  'key-owner': 'key.rejected',
  'cross-site': 'request.cross-site',
  'invalid-token': 'auth.token-rejected',
  'several-cookies': 'auth.token-rejected',
  'rate-limited': 'throttle.limited',
  'domain-refused': hourly,
  'registration-refused': hourly,
  'challenge-required': hourly,
  'hook-failed': hourly
}

/** Their records can stand for several refusals: `details.count`. */
export const refusalActions = [...new Set(Object.values(actions))]

export interface RefusedAttempt {
  /** A problem code, or the reason why a token was rejected. */
  reason: string
  actor: Actor
  /** Method and pattern. */
  route: string
  details?: RefusalDetails | undefined
}

interface Counted {
  action: Action
  actor: Actor
  fields: RecordFields<Action>
  repeated: number
  /** When repeats are recorded at the earliest, from performance.now(). */
  dueAt: number
}

/**
 * Records refusals without letting callers fill the database. The first refusal of a kind is
 * recorded at once; repeats are recorded by the next flush, with a count. A kind is a user, or the
 * network of an anonymous caller, with a reason, a route and the details of the refusal.
 * @param onError called when a record could not be written
 * @param ceiling kinds of refusals between two flushes; further kinds are not recorded
 */
export function createRefusalLog(db: Db, onError: (error: unknown) => void, ceiling = 1000) {
  const kinds = new Map<string, Counted>()
  /** Records that are being stored. Not every caller waits for them. */
  const pending = new Set<Promise<void>>()

  const insert = async ({ action, actor, fields, repeated }: Counted) => {
    const details = { ...fields.details, ...(repeated > 0 && { count: repeated }) }
    await recordFailure(db, actor, action, { ...fields, details }).catch(onError)
  }
  const write = (counted: Counted) => {
    const writing = insert(counted).finally(() => pending.delete(writing))
    pending.add(writing)
    return writing
  }
  const flush = async (isLast = false) => {
    for (const [kind, counted] of kinds) {
      if (!isLast && performance.now() < counted.dueAt) continue
      if (counted.repeated === 0) {
        kinds.delete(kind)
        continue
      }
      const due = { ...counted }
      counted.repeated = 0
      if (due.action === hourly) counted.dueAt += hour
      await write(due)
    }
  }
  return {
    /** Resolves when the refusal is recorded or its reason is insignificant. Never rejects. */
    async note({ reason, ...attempt }: RefusedAttempt) {
      const action = actions[reason]
      if (!action) return
      const isHourly = action === hourly
      const { source } = attempt.actor
      const { actor, route, details }: Partial<RefusedAttempt> & { actor: Actor } = isHourly
        ? { actor: { type: 'anonymous', source } }
        : attempt
      const caller = actor.id ?? networksOf(actor.ip)[0]
      const kind = JSON.stringify([action, reason, caller, route, details])
      const known = kinds.get(kind)
      if (known) {
        known.repeated += 1
        known.actor = actor
        return
      }
      if (kinds.size >= ceiling) return
      const counted: Counted = {
        action,
        actor,
        dueAt: isHourly ? performance.now() + hour : 0,
        fields: {
          reason,
          userId: details?.userId,
          ...(details?.serviceId && {
            target: { type: 'service' as const, id: details.serviceId }
          }),
          details: {
            route,
            limit: details?.limit,
            permission: details?.permission,
            key: details?.key
          }
        },
        repeated: 0
      }
      kinds.set(kind, counted)
      await write(counted)
    },
    flush,
    /** Flushes for the last time and waits for all records that are being stored. */
    async close() {
      await flush(true)
      await Promise.all(pending)
    }
  }
}
