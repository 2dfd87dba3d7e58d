import type { ProblemType } from './problem-type.ts'

/** Problems of permissions, and of what administrators manage. */
export const entities = {
  'permission-denied': {
    status: 403,
    title: 'Permission denied',
    detail: 'Your account lacks the permission for this. An administrator can grant it.'
  },
  'exceeds-own-permissions': {
    status: 403,
    title: 'Exceeds your own permissions',
    detail:
      'You cannot grant or revoke a permission you do not have, or act on an account that has ' +
      'permissions you lack. Roles that require a second factor count only in a session with ' +
      'one.'
  },
  'user-not-found': {
    status: 404,
    title: 'No such user',
    detail: 'There is no user with this id. The account may have been deleted.'
  },
  'role-not-found': {
    status: 404,
    title: 'No such role',
    detail: 'There is no role with this key.'
  },
  'permission-not-found': {
    status: 404,
    title: 'No such permission',
    detail: 'There is no permission with this key.'
  },
  'flag-not-found': {
    status: 404,
    title: 'No such flag',
    detail: 'There is no feature flag with this key, or it is not public.'
  },
  'session-not-found': {
    status: 404,
    title: 'No such session',
    detail: 'There is no active session with this id.'
  },
  'activity-record-not-found': {
    status: 404,
    title: 'No such activity record',
    detail:
      'There is no activity record with this id. Records are deleted after the ' +
      'retention period.'
  },
  'mail-not-found': {
    status: 404,
    title: 'No such mail',
    detail: 'There is no mail with this id. Mail is deleted some days after it was sent.'
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
    detail:
      'A feature flag with this key already exists. Choose another key, or update ' + 'that flag.'
  },
  'mail-finished': {
    status: 409,
    title: 'The mail cannot be sent again',
    detail: 'The mail was already sent, or it has expired.'
  },
  'user-deactivated': {
    status: 409,
    title: 'The user is deactivated',
    detail: 'Reactivate the account first: until then, nobody can sign in to it.'
  },
  'last-admin': {
    status: 409,
    title: 'Last administrator',
    detail:
      'Without this account, no one could administer the portal. Add another ' +
      'administrator first.'
  },
  'system-entity': {
    status: 409,
    title: 'Part of the portal',
    detail:
      'Roles and permissions that are part of the portal cannot be renamed or ' +
      'deleted, and the role `admin` always has every permission.'
  }
} as const satisfies Record<string, ProblemType>
