import { DomainError } from './domain-error.ts'
import type { RefusalDetails } from './domain-error.ts'

export const rateLimited = (seconds: number, details?: RefusalDetails) =>
  new DomainError('rate-limited', {
    detail: `There were too many attempts. Try again in ${duration(seconds)}.`,
    retryAfter: seconds,
    details
  })

/** @param seconds rounded up to minutes from two minutes on */
function duration(seconds: number) {
  if (seconds === 1) return 'a second'
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

export const overloaded = () => new DomainError('overloaded', { retryAfter: 1 })

export const databaseUnavailable = (detail?: string) =>
  new DomainError('database-unavailable', {
    retryAfter: 1,
    ...(detail !== undefined && { detail })
  })

export const unauthenticated = () => new DomainError('unauthenticated')
export const invalidCredentials = () => new DomainError('invalid-credentials')
export const invalidToken = () => new DomainError('invalid-token')
export const mailOff = () => new DomainError('mail-off')
export const emailUnverified = () => new DomainError('email-unverified')
/** Not sent automatically, unlike the link of a sign-in. */
export const confirmEmailFirst = () =>
  new DomainError('email-unverified', {
    detail:
      'Confirm your e-mail address first: ask for a link, and open it while you are signed in.'
  })
export const deletionPending = (userId: string, deleteAt: Date) =>
  new DomainError('deletion-pending', { details: { userId }, deleteAt })
/** @param seconds until it is possible */
export const deletionWaits = (seconds: number) =>
  new DomainError('deletion-waits', {
    detail:
      'The e-mail address was changed in the last 72 hours, and its former owner can still take ' +
      `the account back. You can delete it after ${timeIn(seconds)}.`,
    retryAfter: seconds
  })
/** A text for people, by the clock of this instance. */
export const timeIn = (seconds: number) =>
  `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
export const emailVerified = () => new DomainError('email-verified')
export const userDeactivated = () => new DomainError('user-deactivated')
export const permissionDenied = (permission?: string) =>
  new DomainError('permission-denied', {
    details: permission === undefined ? undefined : { permission }
  })
export const wrongPassword = () => new DomainError('wrong-password')
export const exceedsOwnPermissions = () => new DomainError('exceeds-own-permissions')
export const registrationClosed = () => new DomainError('registration-closed')
export const emailTaken = () => new DomainError('email-taken')
export const lastAdmin = () => new DomainError('last-admin')
export const systemEntity = () => new DomainError('system-entity')
export const roleExists = () => new DomainError('role-exists')
export const permissionExists = () => new DomainError('permission-exists')
export const flagExists = () => new DomainError('flag-exists')
export const targetingKeyMissing = () => new DomainError('targeting-key-missing')
export const mailFinished = () => new DomainError('mail-finished')
export const preconditionFailed = () => new DomainError('precondition-failed')
export const userNotFound = () => new DomainError('user-not-found')
export const roleNotFound = () => new DomainError('role-not-found')
export const permissionNotFound = () => new DomainError('permission-not-found')
export const flagNotFound = () => new DomainError('flag-not-found')
export const segmentExists = () => new DomainError('segment-exists')
export const segmentNotFound = () => new DomainError('segment-not-found')
export const roleInUse = (detail: string) => new DomainError('role-in-use', { detail })
export const segmentInUse = (detail: string) => new DomainError('segment-in-use', { detail })
export const tooManySegments = () => new DomainError('too-many-segments')
export const revisionNotFound = () => new DomainError('revision-not-found')
export const revisionNotRestorable = (detail: string) =>
  new DomainError('revision-not-restorable', { detail })
export const sessionNotFound = () => new DomainError('session-not-found')
export const activityNotFound = () => new DomainError('activity-record-not-found')
export const mailNotFound = () => new DomainError('mail-not-found')
export const passkeyNotFound = () => new DomainError('passkey-not-found')
export const serviceNotFound = () => new DomainError('service-not-found')
export const serviceExists = () => new DomainError('service-exists')
export const keyNotFound = () => new DomainError('key-not-found')
export const tooManyKeys = () => new DomainError('too-many-keys')

export const tooManyNewKeys = () =>
  new DomainError('too-many-keys', {
    detail: 'There were already 50 new API keys within 24 hours. Create the next one later.'
  })
