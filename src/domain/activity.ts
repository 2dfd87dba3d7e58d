import { v7 as uuid } from 'uuid'
import type { Db } from '../../db/client.ts'
import { activity } from '../../db/schema/activity.ts'
import type { actorTypes, sources } from '../../db/schema/activity.ts'

/** Who does something, and from where. */
export interface Actor {
  type: typeof actorTypes[number]
  source: typeof sources[number]
  id?: string | undefined
  label?: string | undefined
  ip?: string | undefined
  userAgent?: string | undefined
  requestId?: string | undefined
}

/** Every action that is recorded, with the keys its `details` may have. */
const actions = {
  'auth.register': ['email'],
  'auth.login': ['email', 'replaced'],
  'auth.logout': [],
  'session.limit': [],
  'admin.bootstrap': ['email']
} as const satisfies Record<string, readonly string[]>

export type Action = keyof typeof actions
type Details<A extends Action> = Partial<Record<typeof actions[A][number], string | number | boolean>>

export interface Happening<A extends Action> {
  outcome?: 'success' | 'failure'
  reason?: string
  target?: { type: 'user' | 'session', id: string }
  details?: Details<A>
}

/** Writes one record; call it in the transaction of what it records. */
export async function record<A extends Action> (tx: Db, actor: Actor, action: A, { outcome = 'success', reason, target, details }: Happening<A> = {}) {
  await tx.insert(activity).values({
    id: uuid(),
    action,
    outcome,
    reason,
    actorType: actor.type,
    actorId: actor.id,
    actorLabel: actor.label,
    targetType: target?.type,
    targetId: target?.id,
    ip: actor.ip,
    userAgent: actor.userAgent,
    requestId: actor.requestId,
    source: actor.source,
    details: Object.fromEntries(Object.entries(details ?? {}).filter(([key]) => isAllowed(action, key)))
  })
}

/** The types say the same; this holds where a value came from elsewhere. */
const isAllowed = (action: Action, key: string) => actions[action].some((allowed) => allowed === key)

export const asUser = (actor: Actor, user: { id: string, email: string }): Actor => ({ ...actor, type: 'user', id: user.id, label: user.email })
