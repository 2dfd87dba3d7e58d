import { DomainError } from './domain-error.ts'
import type { Noted } from './domain-error.ts'

export const rateLimited = (seconds: number, noted?: Noted) =>
  new DomainError(
    429,
    'rate-limited',
    'Too many attempts',
    `Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
    { retryAfter: seconds, noted }
  )

export const overloaded = () =>
  new DomainError(
    503,
    'overloaded',
    'Too busy',
    'The portal has more requests than it can handle. Try again in a moment.',
    { retryAfter: 1 }
  )

export const databaseUnavailable = () =>
  new DomainError(
    503,
    'database-unavailable',
    'The database does not answer',
    'Confirmed changes are safe. Try again in a moment.',
    { retryAfter: 1 }
  )

export const unauthenticated = () =>
  new DomainError(
    401,
    'unauthenticated',
    'Not signed in',
    'There is no session, or it has ended. Sign in and try again.'
  )

export const invalidCredentials = () =>
  new DomainError(
    401,
    'invalid-credentials',
    'E-mail or password is wrong',
    'Check both and try again.'
  )

export const invalidToken = () =>
  new DomainError(
    400,
    'invalid-token',
    'The link is not valid',
    'The link was used before, has expired or is incomplete. Ask for a new one.'
  )

export const mailOff = () =>
  new DomainError(
    403,
    'mail-off',
    'The portal sends no mail',
    'No mail server is configured. Ask an administrator for a link.'
  )

export const emailUnverified = () =>
  new DomainError(
    403,
    'email-unverified',
    'The e-mail address is not confirmed',
    'Confirm it with the link in the mail that was sent to you, then try again.'
  )

export const emailVerified = () =>
  new DomainError(
    409,
    'email-verified',
    'The e-mail address is confirmed already',
    'There is nothing to do.'
  )

export const userDeactivated = () =>
  new DomainError(
    409,
    'user-deactivated',
    'The user is deactivated',
    'Reactivate the account first: until then, nobody can sign in to it.'
  )

export const permissionDenied = () =>
  new DomainError(
    403,
    'permission-denied',
    'Permission denied',
    'Your account lacks the permission for this. An administrator can grant it.'
  )

export const wrongPassword = () =>
  new DomainError(
    403,
    'wrong-password',
    'The current password is wrong',
    'Enter the password that you sign in with. Nothing was changed.'
  )

export const exceedsOwnPermissions = () =>
  new DomainError(
    403,
    'exceeds-own-permissions',
    'Exceeds your own permissions',
    'You cannot grant or revoke a permission you do not have, or act on an account that has ' +
      'permissions you lack. Roles that require a second factor count only in a session with one.'
  )

export const registrationClosed = () =>
  new DomainError(
    403,
    'registration-closed',
    'Registration is closed',
    'Only an administrator can create accounts.'
  )

export const emailTaken = () =>
  new DomainError(
    409,
    'email-taken',
    'The e-mail address is taken',
    'An account with this e-mail address already exists. Sign in, or use another address.'
  )

export const lastAdmin = () =>
  new DomainError(
    409,
    'last-admin',
    'Last administrator',
    'Without this account, no one could administer the portal. Add another administrator first.'
  )

export const systemEntity = () =>
  new DomainError(
    409,
    'system-entity',
    'Part of the portal',
    'Roles and permissions that are part of the portal cannot be renamed or deleted, and the ' +
      'role `admin` always has every permission.'
  )

export const roleExists = () =>
  new DomainError(
    409,
    'role-exists',
    'The role already exists',
    'A role with this key already exists. Choose another key, or update that role.'
  )

export const permissionExists = () =>
  new DomainError(
    409,
    'permission-exists',
    'The permission already exists',
    'A permission with this key already exists. Choose another key.'
  )

export const flagExists = () =>
  new DomainError(
    409,
    'flag-exists',
    'The flag already exists',
    'A feature flag with this key already exists. Choose another key, or update that flag.'
  )

export const targetingKeyMissing = () =>
  new DomainError(
    400,
    'targeting-key-missing',
    'Targeting key missing',
    'The flag is split by targeting key. Send `context.targetingKey`, or sign in.'
  )

export const mailFinished = () =>
  new DomainError(
    409,
    'mail-finished',
    'The mail cannot be sent again',
    'The mail was already sent, or it has expired.'
  )

export const preconditionFailed = () =>
  new DomainError(
    412,
    'precondition-failed',
    'Changed in the meantime',
    'The resource was changed after you read it. Read it again, then apply your change to the ' +
      'new version.'
  )

const notFound = (noun: string, where: string) => () =>
  new DomainError(404, `${noun.replaceAll(' ', '-')}-not-found`, `No such ${noun}`, where)

export const userNotFound = notFound(
  'user',
  'There is no user with this id. It may have been deleted.'
)

export const userNotFoundByEmail = notFound('user', 'There is no user with this e-mail address.')

export const roleNotFound = notFound('role', 'There is no role with this key.')

export const permissionNotFound = notFound('permission', 'There is no permission with this key.')

export const flagNotFound = notFound(
  'flag',
  'There is no feature flag with this key, or it is not public.'
)

export const sessionNotFound = notFound('session', 'There is no active session with this id.')

export const activityNotFound = notFound(
  'activity record',
  'There is no activity record with this id. Records are deleted after the retention period.'
)
export const mailNotFound = notFound(
  'mail',
  'There is no mail with this id. Mail is deleted some days after it was sent.'
)

export const passkeyNotFound = notFound('passkey', 'You have no passkey with this id.')
