import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { activity } from '../../../db/schema/activity.ts'
import type { Actor } from '../actor.ts'
import type { ActivityDetails, ActivityRow, targetTypes } from '../../../db/schema/activity.ts'

/** Every action that is recorded, with the keys its `details` may have. */
export const actions = {
  'auth.register': ['email'],
  'auth.login': ['email', 'replaced', 'amr'],
  'auth.second-factor-due': [],
  'auth.second-factor': [],
  'auth.reauthenticate': ['amr'],
  'auth.passkey-clone': ['name'],
  'auth.logout': [],
  'auth.password-change': ['revoked'],
  'auth.register-request': [],
  'auth.confirm-failed': [],
  'auth.recovery-request': [],
  'auth.recovery': ['revoked'],
  'auth.token-rejected': ['route', 'count'],
  'session.revoke': ['sessionId', 'revoked'],
  'session.limit': [],
  'user.create': ['email', 'role'],
  'user.update': ['fields', 'before', 'after'],
  'user.email-change-request': [],
  'user.email-change-cancel': [],
  'user.email-verify': [],
  'user.email-revert': ['revoked'],
  'user.factor-revert': ['revoked'],
  'user.reset-link': [],
  'user.totp-enrol': ['revoked'],
  'user.totp-remove': ['revoked'],
  'user.recovery-codes': [],
  'user.recovery-code-use': [],
  'user.passkey-add': ['name', 'revoked'],
  'user.passkey-rename': ['name'],
  'user.passkey-remove': ['name', 'revoked'],
  'user.second-factor': ['required'],
  'user.second-factor-reset': ['revoked'],
  'user.enrolment-link': [],
  'user.deactivate': ['revoked'],
  'user.reactivate': [],
  'user.delete': ['email'],
  'user.role-grant': ['role'],
  'user.role-revoke': ['role'],
  'user.password-set': ['revoked'],
  'role.create': ['key', 'permissions'],
  'role.update': ['key', 'fields'],
  'role.delete': ['key', 'members'],
  'role.members-remove': ['key', 'members'],
  'role.permission-grant': ['key', 'permission'],
  'role.permission-revoke': ['key', 'permission'],
  'permission.create': ['key'],
  'permission.update': ['key', 'fields'],
  'permission.delete': ['key', 'roles'],
  'flag.create': ['key'],
  'flag.update': ['key', 'fields'],
  'flag.delete': ['key'],
  'access.denied': ['permission', 'route', 'count'],
  'request.cross-site': ['route', 'count'],
  'throttle.limited': ['route', 'limit', 'count'],
  'throttle.reset': [],
  'mail.dead': ['kind', 'error'],
  'mail.drop': ['kind', 'error'],
  'mail.retry': ['kind', 'count'],
  'admin.bootstrap': ['email'],
  'users.export': ['count'],
  'portal.refresh': []
} as const satisfies Record<string, readonly (keyof ActivityDetails)[]>

export type Action = keyof typeof actions
export const actionNames = Object.keys(actions) as [Action, ...Action[]]

export interface Happening<A extends Action> {
  outcome?: ActivityRow['outcome']
  reason?: string
  target?: { type: (typeof targetTypes)[number]; id: string }
  details?: Partial<Pick<ActivityDetails, (typeof actions)[A][number]>>
}

/** Stores one record. Call it in the transaction of the recorded change. */
export const record = <A extends Action>(
  tx: Db,
  actor: Actor,
  action: A,
  happening: Happening<A> = {}
) => recordAll(tx, actor, action, [happening])

/** Stores several records in one statement. */
export async function recordAll<A extends Action>(
  tx: Db,
  actor: Actor,
  action: A,
  happenings: Happening<A>[]
) {
  await tx.insert(activity).values(
    happenings.map(({ outcome = 'success', reason, target, details }) => ({
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
  actions[action].some((allowed) => allowed === key)
