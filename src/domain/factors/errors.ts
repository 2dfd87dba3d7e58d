import { DomainError, timeIn } from '../errors.ts'

/** At sign-in, also for a recovery code. */
export const invalidCode = () => new DomainError('invalid-code')
export const loginExpired = () => new DomainError('login-expired')
/** In a session: when an app is set up, or the user authenticates again. */
export const wrongCode = () => new DomainError('wrong-code')
export const enrolmentTokenRequired = () => new DomainError('enrolment-token-required')
export const enrolmentLinkNotNeeded = () => new DomainError('enrolment-link-not-needed')
/** @param seconds until a link can be sent */
export const enrolmentLinkWaits = (seconds: number) =>
  new DomainError('enrolment-link-waits', {
    detail:
      'The password was set with a link from a mail in the last 72 hours, and the mailbox alone ' +
      `is not enough. Ask an administrator for a link, or ask again after ${timeIn(seconds)}.`,
    retryAfter: seconds
  })
export const secondFactorUnreadable = () =>
  new DomainError('second-factor-unreadable', { retryAfter: 60 })

export const enrolmentNotBegun = () => new DomainError('enrolment-not-begun')
export const noSecondFactor = () => new DomainError('no-second-factor')
export const lastSecondFactor = () => new DomainError('last-second-factor')
export const secondFactorRequired = () => new DomainError('second-factor-required')
export const unknownPasskey = () => new DomainError('unknown-passkey')
export const passkeyRefused = () => new DomainError('passkey-refused')
export const wrongPasskey = () => new DomainError('wrong-passkey')
export const invalidPasskey = () => new DomainError('invalid-passkey')
export const passkeyExists = () => new DomainError('passkey-exists')
/** @param most passkeys that a user may have */
export const tooManyPasskeys = (most: number) =>
  new DomainError('too-many-passkeys', {
    detail: `You cannot add another passkey: an account can have at most ${most}. Remove one first.`
  })
