import { accounts } from './accounts.ts'
import type { ProblemType } from './problem-type.ts'
import { providers } from './providers.ts'
import { requests } from './requests.ts'

/** Problems of permissions, and of what administrators manage. */
const entities = {
  'permission-denied': {
    status: 403,
    title: 'Permission denied',
    detail: 'You do not have the permission for this. Ask an administrator for it.'
  },
  'exceeds-own-permissions': {
    status: 403,
    title: 'Exceeds your own permissions',
    detail:
      'You cannot grant or revoke a permission you do not have, or act on an account that has ' +
      'permissions you lack. If a role of yours requires a second factor, sign in with one for ' +
      'the role to count.'
  },
  'key-network': {
    status: 403,
    title: 'The API key is not valid in this network',
    detail:
      'This API key is limited to certain networks, and the request comes from another one. Use ' +
      'it from there, or create another key.',
    hint: 'The address of the client is judged as `TRUST_PROXY` yields it'
  },
  'user-not-found': {
    status: 404,
    title: 'No such user',
    detail: 'This user does not exist. The account may have been deleted.'
  },
  'role-not-found': {
    status: 404,
    title: 'No such role',
    detail: 'This role does not exist. It may have been deleted or renamed.'
  },
  'permission-not-found': {
    status: 404,
    title: 'No such permission',
    detail: 'This permission does not exist. It may have been deleted.'
  },
  'settings-off': {
    status: 404,
    title: 'The app keeps no settings',
    detail: 'This portal keeps no settings of the app. Ask an administrator.',
    hint: '`SETTINGS_SCHEMA` is not set'
  },
  'flag-not-found': {
    status: 404,
    title: 'No such flag',
    detail: 'This feature flag does not exist, or is not public.'
  },
  'segment-not-found': {
    status: 404,
    title: 'No such segment',
    detail: 'This segment does not exist. It may have been deleted, and can be restored.'
  },
  'revision-not-found': {
    status: 404,
    title: 'No such version',
    detail: 'This version does not exist. It may have been deleted because of its age.'
  },
  'session-not-found': {
    status: 404,
    title: 'No such session',
    detail: 'This session does not exist, or has already ended.'
  },
  'activity-record-not-found': {
    status: 404,
    title: 'No such activity record',
    detail: 'This activity record does not exist. Records are deleted after the retention period.'
  },
  'mail-not-found': {
    status: 404,
    title: 'No such mail',
    detail: 'This mail does not exist. Mail is deleted some days after it was sent.'
  },
  'service-not-found': {
    status: 404,
    title: 'No such service',
    detail: 'This service does not exist. It may have been deleted.'
  },
  'key-not-found': {
    status: 404,
    title: 'No such API key',
    detail: 'This API key does not exist, or was already revoked.'
  },
  'webhook-not-found': {
    status: 404,
    title: 'No such webhook',
    detail: 'This webhook does not exist. It may have been deleted.'
  },
  'delivery-not-found': {
    status: 404,
    title: 'No such delivery',
    detail: 'This webhook has no such delivery. Deliveries are deleted some days after they end.'
  },
  'app-webhook': {
    status: 409,
    title: 'The webhook is part of the app',
    detail: 'This webhook is functions of the app, without URL and secret. Change them in the app.'
  },
  'too-many-webhooks': {
    status: 409,
    title: 'There are too many webhooks',
    detail: 'There are already 50 webhooks. Delete one that is no longer used first.'
  },
  'scope-not-found': {
    status: 404,
    title: 'No such scope',
    detail: 'You have no role in this scope. It may have been deleted.'
  },
  'invitation-not-found': {
    status: 404,
    title: 'No such invitation',
    detail: 'This invitation does not exist. It was accepted, withdrawn, or has expired.'
  },
  'scope-ended': {
    status: 409,
    title: 'The scope was deleted',
    detail: 'A scope of this name was deleted less than 90 days ago. Choose another name.'
  },
  'role-not-scoped': {
    status: 409,
    title: 'The role is not held in scopes',
    detail: 'This role is held everywhere. Create a role with "scoped": true for scopes.'
  },
  'role-scoped': {
    status: 409,
    title: 'The role is held in scopes',
    detail: 'This role is granted in a scope, not everywhere. Name the scope.'
  },
  'last-manager': {
    status: 409,
    title: 'Nobody else can manage the members',
    detail: 'This is the last user who can manage the members of the scope. Grant it to another.'
  },
  'too-many-members': {
    status: 409,
    title: 'There are too many members',
    detail: 'A scope has at most 100,000 members, and a user roles in at most 1,000 scopes.'
  },
  'too-many-invitations': {
    status: 409,
    title: 'There are too many open invitations',
    detail: 'A scope has at most 50 open invitations. Withdraw one that is no longer needed.'
  },
  'service-exists': {
    status: 409,
    title: 'The service already exists',
    detail: 'A service with this key already exists. Choose another key, or update that service.'
  },
  'too-many-keys': {
    status: 409,
    title: 'There are too many API keys',
    detail: 'There are already 50 active API keys. Revoke one that is no longer used first.'
  },
  'role-in-use': {
    status: 409,
    title: 'The role is in use',
    detail: 'Conditions of flags or segments name this role. Change them first.'
  },
  'role-exists': {
    status: 409,
    title: 'The role already exists',
    detail: 'A role with this key already exists. Choose another key, or update that role.'
  },
  'permission-exists': {
    status: 409,
    title: 'The permission already exists',
    detail: 'A permission with this key already exists. Choose another key.'
  },
  'flag-exists': {
    status: 409,
    title: 'The flag already exists',
    detail: 'A feature flag with this key already exists. Choose another key, or update that flag.'
  },
  'segment-exists': {
    status: 409,
    title: 'The segment already exists',
    detail: 'A segment with this key already exists. Choose another key, or update that segment.'
  },
  'segment-in-use': {
    status: 409,
    title: 'The segment is in use',
    detail: 'Rules of flags name this segment. Change those rules first.'
  },
  'too-many-segments': {
    status: 409,
    title: 'There are too many segments',
    detail: 'There are already 200 segments. Delete one that no flag names first.'
  },
  'revision-not-restorable': {
    status: 409,
    title: 'The version cannot be restored',
    detail: 'This version cannot be restored as things are now.'
  },
  'mail-finished': {
    status: 409,
    title: 'The mail cannot be sent again',
    detail: 'This mail cannot be sent again: it was already sent, or it has expired.'
  },
  'invitation-accepted': {
    status: 409,
    title: 'The user can sign in',
    detail: 'This user can sign in and needs no invitation. Send a link for a new password instead.'
  },
  'user-deactivated': {
    status: 409,
    title: 'The user is deactivated',
    detail: 'This user is deactivated and cannot sign in. Reactivate the account first.'
  },
  'last-admin': {
    status: 409,
    title: 'Last administrator',
    detail:
      'Without this account, nobody could administer the portal. Add another administrator ' +
      'first.'
  },
  'system-entity': {
    status: 409,
    title: 'Part of the portal',
    detail:
      'Roles and permissions that are part of the portal cannot be renamed or ' +
      'deleted, and the role admin always has every permission.'
  }
} as const satisfies Record<string, ProblemType>

const all = { ...requests, ...accounts, ...providers, ...entities }

/** A published code never changes. */
export type ProblemCode = keyof typeof all

/**
 * Every problem that the portal can answer with, by its code. Routes name those that they can send,
 * and docs/lookup/errors.md is generated from this list.
 */
export const problems: Record<ProblemCode, ProblemType> = all
