import { DomainError } from '../domain/domain-error.ts'

// Refusals of the transport, by status. Refusals thrown by domain rules are in
// src/domain/errors.ts, and their words in src/problems.

export const malformedRequest = () => new DomainError('malformed-request')
export const malformedJson = () => new DomainError('malformed-json')
export const invalidCursor = () => new DomainError('invalid-cursor')
export const originalMethodMissing = () => new DomainError('original-method-missing')
export const crossSite = () => new DomainError('cross-site')
export const notFound = () => new DomainError('not-found')
export const methodNotAllowed = () => new DomainError('method-not-allowed')
export const requestTimeout = () => new DomainError('request-timeout')
export const bodyTooLarge = () => new DomainError('body-too-large')
export const uriTooLong = () => new DomainError('uri-too-long')
export const unsupportedMediaType = () => new DomainError('unsupported-media-type')
export const expectationFailed = () => new DomainError('expectation-failed')
export const hostNotAllowed = () => new DomainError('host-not-allowed')

/** With 400, because OFREP's clients read the body of 400 and 404 only. */
export const flagHostNotAllowed = () => new DomainError('host-not-allowed', { status: 400 })

export const mailNotShown = () =>
  new DomainError('host-not-allowed', {
    detail:
      'Mail is shown on this machine only. Open /mail on the machine that runs the portal, at ' +
      'http://localhost, without a proxy in between.'
  })

export const headersTooLarge = () => new DomainError('headers-too-large')
export const rejected = (status: number) => new DomainError('request-rejected', { status })

export const internal = () => new DomainError('internal-error')
